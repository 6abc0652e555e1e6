//! What is asked to become of those that belong to an object: what the server itself makes of it.
//!
//! What a garbage collector makes of it stands in `controller`.

use harness::{Collection, Context, Halt, Object, Request, Suite, Watch, WatchEvent};
use serde_json::json;

use super::garbage_collection;
use super::{ACCEPTED, FIRST, FOREGROUND, ORPHAN, expect_gone, finalizers_of, held, is_marked};
use crate::watch::from_now;

/// Adds the scenarios of this file.
pub(super) fn add(suite: Suite) -> Suite {
    suite
        .scenario("deletion-foreground-adds-finalizer", in_the_foreground_an_object_waits)
        .on_every_shape()
        .scenario("deletion-orphan-adds-finalizer", who_orphans_others_waits)
        .on_every_shape()
        .scenario("deletion-background-removes-owner-at-once", in_the_background_the_owner_goes_first)
        .on_every_shape()
        .scenario(
            "deletion-explicit-policy-overrides-gc-finalizer",
            a_policy_replaces_the_finalizer_of_another,
        )
        .on_every_shape()
}

/// Creates an object that belongs to another, and keeps it where that is deleted in the foreground.
pub(super) async fn create_dependent(
    things: &Collection,
    name: &str,
    owner: &Object,
    finalizers: &[&str],
) -> Result<Object, Halt> {
    let ty = things.resource();
    let mut body = things.body(name, "first");
    body["metadata"]["finalizers"] = json!(finalizers);
    body["metadata"]["ownerReferences"] = json!([{
        "apiVersion": ty.api_version(),
        "kind": ty.kind,
        "name": owner.name(),
        "uid": owner.metadata("uid"),
        "blockOwnerDeletion": true,
    }]);
    things.create_body(&body).await
}

/// A deletion with a policy.
pub(super) fn delete_by(things: &Collection, name: &str, policy: &str) -> Request {
    Request::delete(things.path_of(name)).query("propagationPolicy", policy)
}

/// What is told first of a deletion is that the object waits, with a finalizer of the garbage collector.
///
/// A watch is asked, because a garbage collector may soon have done its work.
pub(super) async fn expect_waiting(watch: &mut Watch, object: &Object, finalizer: &str) -> Result<(), Halt> {
    let name = object.name().to_owned();
    let expected = format!("MODIFIED {name} with a deletionTimestamp and the finalizer {finalizer}");
    let tells = |event: &WatchEvent| {
        event.object.name() == name && (event.kind == "DELETED" || is_marked(&event.object))
    };
    let events = watch.until(&expected, tells).await?;
    let Some(told) = events.last() else { return Ok(()) };
    let finalizers = finalizers_of(&told.object);
    if told.kind == "MODIFIED" && finalizers.contains(&finalizer) {
        return Ok(());
    }
    Err(watch.fail(expected, format!("{}, finalizers [{}]", told.brief(), finalizers.join(", "))))
}

/// A deletion ends, and the object does not wait before until those who belong to it are let go of.
pub(super) async fn expect_no_waiting(watch: &mut Watch, object: &Object) -> Result<(), Halt> {
    let name = object.name().to_owned();
    let expected = format!("DELETED {name}, and no {ORPHAN} among its finalizers before");
    let events =
        watch.until(&expected, |event| event.kind == "DELETED" && event.object.name() == name).await?;
    let waits = |event: &&WatchEvent| {
        let (object, ends) = (&event.object, event.kind == "DELETED");
        !ends && object.name() == name && is_marked(object) && finalizers_of(object).contains(&ORPHAN)
    };
    match events.iter().find(waits) {
        Some(told) => Err(watch.fail(expected, told.brief())),
        None => Ok(()),
    }
}

async fn in_the_foreground_an_object_waits(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;
    let owner = things.create("owner").await?;
    create_dependent(&things, "dependent", &owner, &[FIRST]).await?;
    let mut watch = from_now(&things).await?;

    let deleted = cx.send(delete_by(&things, "owner", "Foreground")).await?;

    deleted.expect_status(ACCEPTED)?;
    let waits = expect_waiting(&mut watch, &owner, FOREGROUND).await;
    garbage_collection::expected(&cx, &things, waits).await
}

async fn who_orphans_others_waits(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;
    let owner = things.create("owner").await?;
    let mut watch = from_now(&things).await?;

    let deleted = cx.send(delete_by(&things, "owner", "Orphan")).await?;

    deleted.expect_status(ACCEPTED)?;
    let waits = expect_waiting(&mut watch, &owner, ORPHAN).await;
    garbage_collection::expected(&cx, &things, waits).await
}

async fn in_the_background_the_owner_goes_first(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;
    let owner = things.create("owner").await?;
    create_dependent(&things, "dependent", &owner, &[FIRST]).await?;

    let deleted = cx.send(delete_by(&things, "owner", "Background")).await?;
    let got = things.get("owner").await?;

    deleted.expect_status(ACCEPTED)?;
    expect_gone(&got)
}

async fn a_policy_replaces_the_finalizer_of_another(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;
    let held = held(&things, "a", &[ORPHAN]).await?;
    let mut watch = from_now(&things).await?;

    let deleted = cx.send(delete_by(&things, "a", "Background")).await?;

    deleted.expect_status(ACCEPTED)?;
    let replaced = expect_no_waiting(&mut watch, &held).await;
    garbage_collection::expected(&cx, &things, replaced).await?;
    expect_gone(&*things.get("a").await?)
}
