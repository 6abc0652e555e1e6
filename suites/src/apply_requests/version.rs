//! The version in the body of an apply, which need not be there.

use harness::{Context, Halt, Object, Request, Suite};
use serde_json::json;

use super::{MANAGER, OTHER};
use crate::story::conflict::causes;
use crate::story::owner::{applier, expect_owns_none};
use crate::story::{Story, expect_value};
use crate::texts;

/// Adds the scenarios of this file.
pub(super) fn add(suite: Suite) -> Suite {
    suite
        .scenario("apply-requests-resource-version-optional", an_apply_needs_no_version)
        .on_every_shape()
        .scenario(
            "apply-requests-resource-version-optional-for-strict-kinds",
            not_even_where_an_update_does_need_one,
        )
        .scenario("apply-requests-stale-resource-version", an_apply_at_an_outdated_version_is_a_conflict)
        .on_every_shape()
        .scenario("apply-requests-stale-resource-version-not-ownership-conflict", which_force_does_not_settle)
        .on_every_shape()
        .scenario("apply-requests-current-resource-version", an_apply_at_the_current_version_is_taken)
        .on_every_shape()
        .scenario("apply-requests-resource-version-on-create", a_version_of_what_is_not_there_does_no_harm)
        .on_every_shape()
        .scenario("apply-requests-if-match", a_condition_in_the_head_is_heeded_or_ignored)
        .on_every_shape()
}

async fn an_apply_needs_no_version(cx: Context) -> Result<(), Halt> {
    let story = Story::of_the_subject(&cx).await?;
    story.created(&[("k", "v")]).await?;
    for count in 0..10 {
        story.merged(OTHER, &texts::set(&story.things, "count", &count.to_string())).await?;
    }

    let answer = story.ask(story.applying_texts(MANAGER, &[("l", "w")])).await?;

    answer.expect_status(&[200])?;
    story.expect_texts(&answer, &[("count", Some("9")), ("l", Some("w"))]).await
}

async fn not_even_where_an_update_does_need_one(cx: Context) -> Result<(), Halt> {
    let story = Story::of_a_gizmo(&cx).await?;
    story.applied(MANAGER, &json!({ "spec": { "size": 2 } })).await?;

    let answer = story.ask(story.applying(MANAGER, &json!({ "spec": { "size": 3 } }))).await?;

    answer.expect_status(&[200])?;
    expect_value(&answer, "/spec/size", &json!(3))
}

/// An apply of a text at a version.
fn at(story: &Story, version: &str) -> Request {
    let mut body = story.holding(&[("l", "w")]);
    body["metadata"]["resourceVersion"] = json!(version);
    story.applying_body(MANAGER, &body)
}

/// Creates the object and has somebody change it; what it was at first, and what it is then.
async fn changed(story: &Story) -> Result<(Object, Object), Halt> {
    let first = story.created(&[("k", "v")]).await?;
    story.merged(OTHER, &texts::set(&story.things, "k", "w")).await?;
    Ok((first, story.read().await?.written()?))
}

async fn an_apply_at_an_outdated_version_is_a_conflict(cx: Context) -> Result<(), Halt> {
    let story = Story::of_the_subject(&cx).await?;
    let (first, before) = changed(&story).await?;

    let refused = story.ask(at(&story, first.version())).await?;

    refused.expect_error(&[409], &["Conflict"])?;
    story.expect_unchanged(&before).await
}

async fn which_force_does_not_settle(cx: Context) -> Result<(), Halt> {
    let story = Story::of_the_subject(&cx).await?;
    let (first, before) = changed(&story).await?;

    for force in [false, true] {
        let refused = story.ask(at(&story, first.version()).query("force", force)).await?;
        let status = refused.expect_error(&[409], &["Conflict"])?;
        let owned = causes(status).len();
        refused.expect(owned == 0, "no causes of ownership: it is about the version", format!("{owned}"))?;
    }
    story.expect_unchanged(&before).await
}

async fn an_apply_at_the_current_version_is_taken(cx: Context) -> Result<(), Halt> {
    let story = Story::of_the_subject(&cx).await?;
    let (_, current) = changed(&story).await?;

    let answer = story.ask(at(&story, current.version())).await?;

    answer.expect_status(&[200])?;
    story.expect_texts(&answer, &[("l", Some("w"))]).await?;
    expect_owns_none(&answer, applier(MANAGER), &["f:metadata/f:resourceVersion"])
}

async fn a_version_of_what_is_not_there_does_no_harm(cx: Context) -> Result<(), Halt> {
    let story = Story::of_the_subject(&cx).await?;
    let mut body = story.whole(&[("k", "v")]);
    body["metadata"]["resourceVersion"] = json!("1");

    let answer = story.ask(story.applying_body(MANAGER, &body)).await?;

    if answer.succeeded() {
        answer.expect_status(&[201])?;
        return story.expect_texts(&answer, &[("k", Some("v"))]).await;
    }
    answer.expect_refusal(&[400, 404, 409, 422])?;
    story.expect_absent().await
}

async fn a_condition_in_the_head_is_heeded_or_ignored(cx: Context) -> Result<(), Halt> {
    let story = Story::of_the_subject(&cx).await?;
    story.created(&[("k", "v")]).await?;
    let merge = story.merging(OTHER, &texts::set(&story.things, "k", "w"));

    for request in [merge, story.applying_texts(MANAGER, &[("l", "w")])] {
        let answer = story.ask(request.header("if-match", "1234567890123456789")).await?;
        answer.expect_status(&[200, 412])?;
    }
    Ok(())
}
