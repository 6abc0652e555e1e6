//! Fields that the server fills in: nobody owns them until somebody says them.

use harness::{Context, Halt, Suite};
use serde_json::json;

use crate::story::owner::{applier, expect_owners, expect_owns_none};
use crate::story::{Story, expect_value};

const SIZE: &str = "f:spec/f:size";

/// Adds the scenarios of this part.
pub(super) fn add(suite: Suite) -> Suite {
    suite
        .scenario("apply-ownership-defaults-not-owned-by-applier", a_default_is_not_its_appliers)
        .scenario("apply-ownership-drop-sole-owner-resets-to-default", what_is_dropped_gets_its_default)
}

async fn a_default_is_not_its_appliers(cx: Context) -> Result<(), Halt> {
    let story = Story::of_a_gizmo(&cx).await?;

    let answer = story.ask(story.applying("m1", &json!({ "spec": { "mode": "x" } }))).await?;

    expect_value(&answer, "/spec/size", &json!(1))?;
    expect_owns_none(&answer, applier("m1"), &[SIZE])
}

async fn what_is_dropped_gets_its_default(cx: Context) -> Result<(), Halt> {
    let story = Story::of_a_gizmo(&cx).await?;
    story.applied("m1", &json!({ "spec": { "mode": "x", "size": 3 } })).await?;

    let answer = story.ask(story.applying("m1", &json!({ "spec": { "mode": "x" } }))).await?;

    expect_value(&answer, "/spec/size", &json!(1))?;
    expect_value(&*story.read().await?, "/spec/size", &json!(1))?;
    expect_owners(&answer, SIZE, &[])
}
