//! What an apply is not refused for.

use harness::{Context, Halt, Suite};
use serde_json::json;

use crate::story::owner::{entries, entry_of, updater};
use crate::story::text::Way;
use crate::story::{Story, expect_value};

/// Adds the scenarios of this part.
pub(super) fn add(suite: Suite) -> Suite {
    suite
        .scenario("apply-conflicts-defaulted-field-is-free", a_default_that_nobody_applied_can_be_changed)
        .scenario("apply-conflicts-none-for-own-field", a_sole_owner_changes_its_field)
        .on_every_shape()
        .scenario("apply-conflicts-none-for-equal-value", what_is_there_already_can_be_applied)
        .on_every_shape()
        .scenario("apply-conflicts-none-for-unowned-field", a_field_of_nobody_can_be_changed)
        .on_every_shape()
        .scenario("apply-conflicts-none-for-dropping", what_others_own_can_be_left_out)
        .on_every_shape()
        .scenario("apply-conflicts-update-never-conflicts", an_update_is_done_whoever_owns_what)
        .on_every_shape()
}

async fn a_default_that_nobody_applied_can_be_changed(cx: Context) -> Result<(), Halt> {
    let story = Story::of_a_gizmo(&cx).await?;
    story.applied("m1", &json!({ "spec": { "mode": "x" } })).await?;

    let answer = story.ask(story.applying("m2", &json!({ "spec": { "size": 5 } }))).await?;

    expect_value(&answer, "/spec/size", &json!(5))
}

async fn a_sole_owner_changes_its_field(cx: Context) -> Result<(), Halt> {
    let story = Story::of_a_thing(&cx, &[]).await?;
    story.applied("m1", &story.texts([("a", "1")])).await?;

    let answer = story.ask(story.applying("m1", &story.texts([("a", "2")]))).await?;

    story.expect_texts(&answer, &[("a", Some("2"))]).await
}

async fn what_is_there_already_can_be_applied(cx: Context) -> Result<(), Halt> {
    let story = Story::of_a_thing(&cx, &[]).await?;
    story.merged("u", &story.texts([("a", "1")])).await?;

    let answer = story.ask(story.applying("m1", &story.texts([("a", "1")]))).await?;

    story.expect_texts(&answer, &[("a", Some("1"))]).await
}

async fn a_field_of_nobody_can_be_changed(cx: Context) -> Result<(), Halt> {
    let story = Story::of_a_thing(&cx, &[]).await?;
    story.applied("m1", &story.texts([("a", "1")])).await?;
    let shown = story.merged("u", &story.texts([("b", "1")])).await?;
    let index = entries(&shown).iter().position(|entry| Some(entry) == entry_of(&shown, updater("u")));
    let path = format!("/metadata/managedFields/{}", index.unwrap_or_default());
    story.done(story.editing("w", &json!([{ "op": "remove", "path": path }]))).await?;

    let answer = story.ask(story.applying("m2", &story.texts([("b", "2")]))).await?;

    story.expect_texts(&answer, &[("b", Some("2"))]).await
}

async fn what_others_own_can_be_left_out(cx: Context) -> Result<(), Halt> {
    let story = Story::of_a_thing(&cx, &[]).await?;
    story.applied("m1", &story.texts([("a", "1"), ("b", "1")])).await?;
    story.applied("m2", &story.texts([("a", "1")])).await?;

    let answer = story.ask(story.applying("m1", &story.texts([("b", "1")]))).await?;

    answer.expect_status(&[200])
}

async fn an_update_is_done_whoever_owns_what(cx: Context) -> Result<(), Halt> {
    let story = Story::of_a_thing(&cx, &[]).await?;
    story.applied("m1", &story.texts([("a", "1"), ("b", "1"), ("c", "1")])).await?;

    for (manager, way, key) in [("u", Way::Put, "a"), ("v", Way::Merge, "b"), ("w", Way::Json, "c")] {
        let answer = story.ask(story.changing(way, manager, key, "2").await?).await?;

        story.expect_texts(&answer, &[(key, Some("2"))]).await?;
    }
    Ok(())
}
