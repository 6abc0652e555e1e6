//! What is asked to become of those that belong to an object: what the server itself makes of it.
//!
//! What a garbage collector makes of it stands in `controller`.

use harness::{Collection, Context, Exchange, Halt, Object, Request, Suite};
use serde_json::json;

use super::options::expect_finalizer;
use super::{ACCEPTED, FIRST, FOREGROUND, ORPHAN, expect_gone, finalizers_of, held};

/// Adds the scenarios of this file.
pub(super) fn add(suite: Suite) -> Suite {
    suite
        .scenario("deletion-foreground-adds-finalizer", in_the_foreground_an_object_waits)
        .scenario("deletion-orphan-adds-finalizer", who_orphans_others_waits)
        .scenario("deletion-background-removes-owner-at-once", in_the_background_the_owner_goes_first)
        .scenario("deletion-explicit-policy-overrides-gc-finalizer", a_policy_replaces_the_finalizer_of_another)
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

async fn in_the_foreground_an_object_waits(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;
    let owner = things.create("owner").await?;
    create_dependent(&things, "dependent", &owner, &[FIRST]).await?;

    let deleted = cx.send(delete_by(&things, "owner", "Foreground")).await?;

    expect_finalizer(&deleted, FOREGROUND)
}

async fn who_orphans_others_waits(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;
    things.create("owner").await?;

    // The answer is looked at: a garbage collector may soon have done its work.
    let deleted = cx.send(delete_by(&things, "owner", "Orphan")).await?;

    expect_finalizer(&deleted, ORPHAN)
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
    held(&things, "a", &[ORPHAN]).await?;

    let deleted = cx.send(delete_by(&things, "a", "Background")).await?;
    let got = things.get("a").await?;

    expect_no_orphans(&deleted)?;
    expect_gone(&got)
}

/// A deletion is carried out, and not so that those who belong to the object are let go of first.
pub(super) fn expect_no_orphans(deleted: &Exchange) -> Result<(), Halt> {
    deleted.expect_status(ACCEPTED)?;
    let shown = Object::new(deleted.json().cloned().unwrap_or_default());
    let waits = finalizers_of(&shown).contains(&ORPHAN);
    deleted.expect(!waits, "the object gone, not waiting for the finalizer orphan", deleted.brief())
}
