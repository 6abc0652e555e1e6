//! Defaulted fields: no manager owns them until one applies them.

use harness::{Checked, Context, Row, row};
use serde_json::json;

use crate::apply_fixture::owner::{applier, expect_owners, expect_owns_none};
use crate::apply_fixture::{Story, expect_value};

const SIZE: &str = "f:spec/f:size";

/// The scenarios of this part.
pub(super) fn rows() -> Vec<Row> {
    vec![
        row("apply-ownership-defaults-not-owned-by-applier", apply_ownership_defaults_not_owned_by_applier)
            .own_kinds(),
        row(
            "apply-ownership-drop-sole-owner-resets-to-default",
            apply_ownership_drop_sole_owner_resets_to_default,
        )
        .own_kinds(),
    ]
}

async fn apply_ownership_defaults_not_owned_by_applier(cx: Context) -> Checked {
    let story = Story::of_a_gizmo(&cx).await?;

    let answer = story.ask(story.applying("m1", &json!({ "spec": { "mode": "x" } }))).await?;

    expect_value(&answer, "/spec/size", &json!(1))?;
    expect_owns_none(&answer, applier("m1"), &[SIZE])
}

async fn apply_ownership_drop_sole_owner_resets_to_default(cx: Context) -> Checked {
    let story = Story::of_a_gizmo(&cx).await?;
    story.applied("m1", &json!({ "spec": { "mode": "x", "size": 3 } })).await?;

    let answer = story.ask(story.applying("m1", &json!({ "spec": { "mode": "x" } }))).await?;

    expect_value(&answer, "/spec/size", &json!(1))?;
    expect_value(&*story.read().await?, "/spec/size", &json!(1))?;
    expect_owners(&answer, SIZE, &[])
}
