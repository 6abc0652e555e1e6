//! Deletions on a premise.

use harness::{Context, Halt, Suite};
use serde_json::json;

use crate::stored::{NAME, Stored};

/// Adds the scenarios of this part.
pub(super) fn add(suite: Suite) -> Suite {
    suite
        .scenario("concurrency-delete-precondition-resourceversion", a_deletion_may_name_a_version)
        .on_every_shape()
        .scenario("concurrency-delete-precondition-uid", a_deletion_may_name_an_identity)
        .on_every_shape()
}

async fn a_deletion_may_name_a_version(cx: Context) -> Result<(), Halt> {
    let stored = Stored::create(&cx).await?;
    stored.write("second").await?;
    let changed = stored.again().await?;
    let at = |stored: &Stored| {
        stored.delete(&json!({ "preconditions": { "resourceVersion": stored.read.version() } }))
    };

    cx.send(at(&stored)).await?.expect_error(&[409], &["Conflict"])?;
    changed.expect_unchanged().await?;

    cx.send(at(&changed)).await?.expect_status(&[200, 202])?;
    changed.expect_gone().await
}

async fn a_deletion_may_name_an_identity(cx: Context) -> Result<(), Halt> {
    let earlier = Stored::create(&cx).await?;
    earlier.things.delete(NAME).await?;
    let namesake = Stored::create_among(&cx, earlier.things.clone()).await?;

    let premise = json!({ "preconditions": { "uid": earlier.read.metadata("uid") } });
    cx.send(namesake.delete(&premise)).await?.expect_error(&[409], &["Conflict"])?;

    namesake.expect_unchanged().await
}
