//! `metadata.resourceVersion` in the body of an apply.

use harness::{Checked, Context, Halt, Object, Request, Row, row};
use serde_json::json;

use super::{MANAGER, OTHER};
use crate::apply_fixture::conflict::causes;
use crate::apply_fixture::owner::{applier, expect_owns_none};
use crate::apply_fixture::{Story, expect_value};
use crate::string_map;

/// The scenarios of this file.
pub(super) fn rows() -> Vec<Row> {
    vec![
        row("apply-requests-resource-version-optional", apply_requests_resource_version_optional),
        row(
            "apply-requests-resource-version-optional-for-strict-kinds",
            apply_requests_resource_version_optional_for_strict_kinds,
        )
        .own_kinds(),
        row("apply-requests-stale-resource-version", apply_requests_stale_resource_version),
        row(
            "apply-requests-stale-resource-version-not-ownership-conflict",
            apply_requests_stale_resource_version_not_ownership_conflict,
        ),
        row("apply-requests-current-resource-version", apply_requests_current_resource_version),
        row("apply-requests-resource-version-on-create", apply_requests_resource_version_on_create),
        row("apply-requests-if-match", apply_requests_if_match),
    ]
}

async fn apply_requests_resource_version_optional(cx: Context) -> Checked {
    let story = Story::of_the_subject(&cx).await?;
    story.created(&[("k", "v")]).await?;
    for count in 0..10 {
        story.merged(OTHER, &string_map::set(&story.things, "count", &count.to_string())).await?;
    }

    let answer = story.ask(story.applying_texts(MANAGER, &[("l", "w")])).await?;

    answer.expect_status(&[200])?;
    story.expect_texts(&answer, &[("count", Some("9")), ("l", Some("w"))]).await
}

async fn apply_requests_resource_version_optional_for_strict_kinds(cx: Context) -> Checked {
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
    story.merged(OTHER, &string_map::set(&story.things, "k", "w")).await?;
    Ok((first, story.read().await?.written()?))
}

async fn apply_requests_stale_resource_version(cx: Context) -> Checked {
    let story = Story::of_the_subject(&cx).await?;
    let (first, before) = changed(&story).await?;

    let refused = story.ask(at(&story, first.version())).await?;

    refused.expect_error(&[409], &["Conflict"])?;
    story.expect_unchanged(&before).await
}

async fn apply_requests_stale_resource_version_not_ownership_conflict(cx: Context) -> Checked {
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

async fn apply_requests_current_resource_version(cx: Context) -> Checked {
    let story = Story::of_the_subject(&cx).await?;
    let (_, current) = changed(&story).await?;

    let answer = story.ask(at(&story, current.version())).await?;

    answer.expect_status(&[200])?;
    story.expect_texts(&answer, &[("l", Some("w"))]).await?;
    expect_owns_none(&answer, applier(MANAGER), &["f:metadata/f:resourceVersion"])
}

async fn apply_requests_resource_version_on_create(cx: Context) -> Checked {
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

async fn apply_requests_if_match(cx: Context) -> Checked {
    let story = Story::of_the_subject(&cx).await?;
    story.created(&[("k", "v")]).await?;
    let merge = story.merging(OTHER, &string_map::set(&story.things, "k", "w"));

    for request in [merge, story.applying_texts(MANAGER, &[("l", "w")])] {
        let answer = story.ask(request.header("if-match", "1234567890123456789")).await?;
        answer.expect_status(&[200, 412])?;
    }
    Ok(())
}
