//! What is applied, what was applied before, and what is there.

use harness::{Context, Exchange, Halt, Suite};
use serde_json::json;

use crate::story::{Story, expect_value};
use crate::texts::Expected;

/// Adds the scenarios of this file.
pub(super) fn add(suite: Suite) -> Suite {
    suite
        .scenario("apply-merge-combines-with-live", what_others_have_written_stays)
        .on_every_shape()
        .scenario("apply-merge-request-wins", what_is_applied_replaces_what_was)
        .on_every_shape()
        .scenario("apply-merge-missing-items-removed", what_is_left_out_is_removed)
        .on_every_shape()
        .scenario("apply-merge-superset-removes-nothing", what_is_applied_again_stays)
        .on_every_shape()
        .scenario("apply-merge-removal-is-per-manager", what_others_have_applied_stays)
        .on_every_shape()
        .scenario("apply-merge-never-applied-items-kept", what_was_never_applied_stays)
        .on_every_shape()
        .scenario(
            "apply-merge-dropped-item-with-foreign-subfields-removed",
            an_item_is_removed_with_what_others_have_put_into_it,
        )
}

/// An object to which `m1` has applied these texts.
async fn applied<const N: usize>(cx: &Context, texts: [(&str, &str); N]) -> Result<Story, Halt> {
    let story = Story::of_a_tracked_thing(cx).await?;
    story.applied("m1", &story.texts(texts)).await?;
    Ok(story)
}

/// The answer, and what is stored, show these texts besides what was there from the beginning.
async fn expect_texts(story: &Story, answer: &Exchange, expected: &[Expected]) -> Result<(), Halt> {
    let all: Vec<_> = expected.iter().copied().chain([("kept", Some("yes"))]).collect();
    story.expect_texts(answer, &all).await
}

async fn what_others_have_written_stays(cx: Context) -> Result<(), Halt> {
    let story = Story::of_a_tracked_thing(&cx).await?;
    story.merged("u", &story.texts([("a", "1")])).await?;
    let annotation = json!({ "metadata": { "annotations": { "noted": "yes" } } });
    story.merged("u", &annotation).await?;

    let answer = story.ask(story.applying("m1", &story.texts([("b", "1")]))).await?;

    expect_texts(&story, &answer, &[("a", Some("1")), ("b", Some("1"))]).await?;
    expect_value(&answer, "/metadata/annotations/noted", &json!("yes"))
}

async fn what_is_applied_replaces_what_was(cx: Context) -> Result<(), Halt> {
    let story = applied(&cx, [("a", "1"), ("b", "1")]).await?;

    let answer = story.ask(story.applying("m1", &story.texts([("a", "2"), ("b", "1")]))).await?;

    expect_texts(&story, &answer, &[("a", Some("2")), ("b", Some("1"))]).await
}

async fn what_is_left_out_is_removed(cx: Context) -> Result<(), Halt> {
    let story = applied(&cx, [("a", "1"), ("b", "1"), ("c", "1")]).await?;

    let answer = story.ask(story.applying("m1", &story.texts([("b", "1")]))).await?;

    expect_texts(&story, &answer, &[("a", None), ("b", Some("1")), ("c", None)]).await
}

async fn what_is_applied_again_stays(cx: Context) -> Result<(), Halt> {
    let story = applied(&cx, [("a", "1")]).await?;

    let answer = story.ask(story.applying("m1", &story.texts([("a", "1"), ("b", "1")]))).await?;

    expect_texts(&story, &answer, &[("a", Some("1")), ("b", Some("1"))]).await
}

async fn what_others_have_applied_stays(cx: Context) -> Result<(), Halt> {
    let story = applied(&cx, [("a", "1")]).await?;
    story.applied("m2", &story.texts([("b", "1")])).await?;

    let answer = story.ask(story.applying("m2", &story.texts([("c", "1")]))).await?;

    expect_texts(&story, &answer, &[("a", Some("1")), ("b", None), ("c", Some("1"))]).await
}

async fn what_was_never_applied_stays(cx: Context) -> Result<(), Halt> {
    let story = applied(&cx, [("b", "1")]).await?;

    let answer = story.ask(story.applying("m1", &json!({}))).await?;

    expect_texts(&story, &answer, &[("b", None)]).await
}

async fn an_item_is_removed_with_what_others_have_put_into_it(cx: Context) -> Result<(), Halt> {
    let story = Story::of_a_gizmo(&cx).await?;
    let rules = |items: serde_json::Value| json!({ "spec": { "rules": items } });
    story.applied("m1", &rules(json!([{ "name": "a", "value": "1" }]))).await?;
    story.merged("u", &rules(json!([{ "name": "a", "value": "1", "note": "x" }]))).await?;

    let answer = story.ask(story.applying("m1", &rules(json!([{ "name": "b" }])))).await?;

    expect_value(&answer, "/spec/rules", &json!([{ "name": "b" }]))
}
