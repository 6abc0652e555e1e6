//! Propagation policies: Orphan, Background and Foreground.
//!
//! `garbage_collector` is about the work of the controller.

use super::garbage_collection;
use super::{ACCEPTED, FIRST, FOREGROUND, ORPHAN, expect_gone, held, is_terminating};
use crate::finalizers;
use crate::prelude::*;
use crate::watch::from_now;

rows![
    deletion_foreground_adds_finalizer,
    deletion_orphan_adds_finalizer,
    deletion_background_removes_owner_at_once,
    deletion_explicit_policy_overrides_gc_finalizer,
];

/// Creates a dependent, which blocks the deletion of its owner in the foreground.
pub(super) async fn create_dependent(
    collection: &Collection,
    name: &str,
    owner: &Object,
    finalizers: &[&str],
) -> Result<Object, Halt> {
    let ty = collection.resource();
    let mut body = collection.body(name, "first");
    body["metadata"]["finalizers"] = json!(finalizers);
    body["metadata"]["ownerReferences"] = json!([{
        "apiVersion": ty.api_version(),
        "kind": ty.kind,
        "name": owner.name(),
        "uid": owner.metadata("uid"),
        "blockOwnerDeletion": true,
    }]);
    collection.create_body(&body).await
}

/// A deletion with a policy in the query.
pub(super) fn delete_by(collection: &Collection, name: &str, policy: &str) -> Request {
    Request::delete(collection.path_of(name)).query("propagationPolicy", policy)
}

/// The first event of a deletion shows the object with a deletionTimestamp and this finalizer.
///
/// A watch, because a garbage collector may remove the finalizer soon.
pub(super) async fn expect_waiting(watch: &mut Watch, object: &Object, finalizer: &str) -> Checked {
    let name = object.name().to_owned();
    let expected = format!("MODIFIED {name} with a deletionTimestamp and the finalizer {finalizer}");
    let is_deletion = |event: &WatchEvent| {
        event.object.name() == name && (event.kind == "DELETED" || is_terminating(&event.object))
    };
    let events = watch.until(&expected, is_deletion).await?;
    let Some(event) = events.last() else { return Ok(()) };
    let finalizers = finalizers::of(&event.object);
    let right = event.kind == "MODIFIED" && finalizers.contains(&finalizer);
    watch.expect_that(right, expected, format!("{}, finalizers {finalizers:?}", event.brief()))
}

/// The object is removed, and never has the finalizer `orphan` before.
pub(super) async fn expect_no_waiting(watch: &mut Watch, object: &Object) -> Checked {
    let name = object.name().to_owned();
    let expected = format!("DELETED {name}, and no event before with the finalizer {ORPHAN}");
    let removed = |event: &WatchEvent| event.kind == "DELETED" && event.object.name() == name;
    let events = watch.until(&expected, removed).await?;
    let waits = |event: &&WatchEvent| {
        let object = &event.object;
        let terminating = event.kind != "DELETED" && object.name() == name && is_terminating(object);
        terminating && finalizers::of(object).contains(&ORPHAN)
    };
    match events.iter().find(waits) {
        Some(event) => Err(watch.fail(expected, event.brief())),
        None => Ok(()),
    }
}

async fn deletion_foreground_adds_finalizer(cx: Context, collection: Collection) -> Checked {
    let owner = collection.create("owner").await?;
    create_dependent(&collection, "dependent", &owner, &[FIRST]).await?;
    let mut watch = from_now(&collection).await?;

    let deleted = cx.send(delete_by(&collection, "owner", "Foreground")).await?;

    deleted.expect_status(ACCEPTED)?;
    let waits = expect_waiting(&mut watch, &owner, FOREGROUND).await;
    garbage_collection::expected(&cx, &collection, waits).await
}

async fn deletion_orphan_adds_finalizer(cx: Context, collection: Collection) -> Checked {
    let owner = collection.create("owner").await?;
    let mut watch = from_now(&collection).await?;

    let deleted = cx.send(delete_by(&collection, "owner", "Orphan")).await?;

    deleted.expect_status(ACCEPTED)?;
    let waits = expect_waiting(&mut watch, &owner, ORPHAN).await;
    garbage_collection::expected(&cx, &collection, waits).await?;
    if !collection.is_namespaced() {
        return Ok(());
    }
    // So does the deletion of a collection.
    let other = collection.create("other").await?;
    let delete = Request::delete(collection.path()).query("fieldSelector", "metadata.name=other");
    if cx.send_if_offered(delete.query("propagationPolicy", "Orphan")).await?.is_none() {
        return Ok(());
    }
    let waits = expect_waiting(&mut watch, &other, ORPHAN).await;
    garbage_collection::expected(&cx, &collection, waits).await
}

async fn deletion_background_removes_owner_at_once(cx: Context, collection: Collection) -> Checked {
    let owner = collection.create("owner").await?;
    create_dependent(&collection, "dependent", &owner, &[FIRST]).await?;

    let deleted = cx.send(delete_by(&collection, "owner", "Background")).await?;
    let got = collection.get("owner").await?;

    deleted.expect_status(ACCEPTED)?;
    expect_gone(&got)
}

async fn deletion_explicit_policy_overrides_gc_finalizer(cx: Context, collection: Collection) -> Checked {
    let held = held(&collection, "a", &[ORPHAN]).await?;
    let mut watch = from_now(&collection).await?;

    let deleted = cx.send(delete_by(&collection, "a", "Background")).await?;

    deleted.expect_status(ACCEPTED)?;
    let replaced = expect_no_waiting(&mut watch, &held).await;
    garbage_collection::expected(&cx, &collection, replaced).await?;
    expect_gone(&*collection.get("a").await?)
}
