//! An apply creates what is not there, and is merged into what is.

use harness::{Context, Halt, Suite};
use serde_json::json;

use super::{MANAGER, OTHER};
use crate::story::{Story, expect_value};

/// Adds the scenarios of this file.
pub(super) fn add(suite: Suite) -> Suite {
    suite
        .scenario("apply-requests-partial-body", an_apply_of_a_few_fields_leaves_the_others_alone)
        .on_every_shape()
        .scenario("apply-requests-creates-when-absent", an_apply_creates_what_is_not_there)
        .on_every_shape()
        .scenario("apply-requests-create-status-201", an_apply_that_creates_is_answered_201)
        .on_every_shape()
        .scenario("apply-requests-update-status-200", an_apply_to_what_is_there_is_answered_200)
        .on_every_shape()
        .scenario("apply-requests-create-applies-defaults", what_is_created_by_an_apply_has_its_defaults)
        .scenario("apply-requests-cluster-scoped", what_has_no_namespace_is_applied_as_what_has_one)
        .on_every_shape()
}

async fn an_apply_of_a_few_fields_leaves_the_others_alone(cx: Context) -> Result<(), Halt> {
    let story = Story::of_the_subject(&cx).await?;
    story.created(&[("a", "1"), ("b", "2")]).await?;

    let answer = story.ask(story.applying_texts(MANAGER, &[("c", "3")])).await?;

    answer.expect_status(&[200])?;
    story.expect_texts(&answer, &[("a", Some("1")), ("b", Some("2")), ("c", Some("3"))]).await
}

async fn an_apply_creates_what_is_not_there(cx: Context) -> Result<(), Halt> {
    let story = Story::of_the_subject(&cx).await?;

    let answer = story.ask(story.applying_whole(MANAGER, &[("k", "v")])).await?;

    story.expect_texts(&answer, &[("k", Some("v"))]).await
}

async fn an_apply_that_creates_is_answered_201(cx: Context) -> Result<(), Halt> {
    let story = Story::of_the_subject(&cx).await?;

    let answer = story.ask(story.applying_whole(MANAGER, &[("k", "v")])).await?;

    answer.expect_status(&[201])
}

async fn an_apply_to_what_is_there_is_answered_200(cx: Context) -> Result<(), Halt> {
    let story = Story::of_the_subject(&cx).await?;
    story.done(story.applying_whole(MANAGER, &[("k", "v")])).await?;

    let same = story.ask(story.applying_whole(MANAGER, &[("k", "v")])).await?;
    let changed = story.ask(story.applying_whole(MANAGER, &[("k", "w")])).await?;

    same.expect_status(&[200])?;
    changed.expect_status(&[200])
}

async fn what_is_created_by_an_apply_has_its_defaults(cx: Context) -> Result<(), Halt> {
    let story = Story::of_a_gizmo(&cx).await?;

    let answer = story.ask(story.applying(MANAGER, &json!({ "spec": { "mode": "m" } }))).await?;

    expect_value(&answer, "/spec/size", &json!(1))?;
    expect_value(&*story.read().await?, "/spec/size", &json!(1))
}

async fn what_has_no_namespace_is_applied_as_what_has_one(cx: Context) -> Result<(), Halt> {
    let story = Story::of_the_subject(&cx).await?;

    story.ask(story.applying_whole(MANAGER, &[("k", "v")])).await?.object()?;
    let second = story.ask(story.applying_texts(OTHER, &[("l", "w")])).await?;

    story.expect_texts(&second, &[("k", Some("v")), ("l", Some("w"))]).await
}
