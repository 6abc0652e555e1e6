//! DELETE of one object: that one, and no other.

use std::sync::Arc;

use harness::{Context, Exchange, Halt, Request, Suite};
use serde_json::json;

use crate::stored::{NAME, Stored};

/// Adds the scenarios of this file.
pub(super) fn add(suite: Suite) -> Suite {
    suite
        .scenario("verbs-delete-element", a_deletion_is_of_one_object)
        .on_every_shape()
        .scenario("verbs-delete-accepts-grace-period", a_deletion_may_name_a_grace_period)
        .on_every_shape()
}

/// Who deletes what begins with a name deletes this, too.
const NAMESAKE: &str = "ab";

async fn a_deletion_is_of_one_object(cx: Context) -> Result<(), Halt> {
    let stored = Stored::create(&cx).await?;
    let other = stored.things.create(NAMESAKE).await?;
    let mut watch = stored.watch().await?;

    let deleted = cx.send(Request::delete(stored.path())).await?;

    expect_deleted(&stored, &deleted).await?;
    stored.things.get(NAMESAKE).await?.expect_status(&[200])?;
    watch.expect("DELETED", stored.read.name()).await?;
    // It is told once: next comes what happens next.
    stored.things.create(NAME).await?;
    watch.expect("ADDED", stored.read.name()).await?;
    let still = stored.things.get(NAMESAKE).await?;
    let uid = still.object()?.metadata("uid").to_owned();
    still.expect(uid == other.metadata("uid"), format!("{} as before", other.name()), uid)
}

async fn expect_deleted(stored: &Stored, deleted: &Arc<Exchange>) -> Result<(), Halt> {
    deleted.expect_status(&[200, 202])?;
    stored.expect_gone().await
}

async fn a_deletion_may_name_a_grace_period(cx: Context) -> Result<(), Halt> {
    let stored = Stored::create(&cx).await?;
    let deleted = cx.send(stored.delete(&json!({ "gracePeriodSeconds": 0 }))).await?;
    expect_deleted(&stored, &deleted).await?;

    let stored = Stored::create_among(&cx, stored.things).await?;
    let deleted = cx.send(Request::delete(stored.path()).query("gracePeriodSeconds", 0)).await?;
    expect_deleted(&stored, &deleted).await
}
