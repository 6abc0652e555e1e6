//! `metadata.resourceVersion` in the body of an apply.

use harness::{Checked, Halt, Object, Request};
use serde_json::json;

use super::{MANAGER, OTHER};
use crate::apply_fixture::conflict::causes;
use crate::apply_fixture::owner::{applier, expect_owns_none};
use crate::apply_fixture::{Story, expect_value};
use crate::scenario::Gizmo;
use crate::string_map;

rows![
    apply_requests_resource_version_optional,
    apply_requests_resource_version_optional_for_strict_kinds.own_kinds(),
    apply_requests_stale_resource_version,
    apply_requests_stale_resource_version_not_ownership_conflict,
    apply_requests_current_resource_version,
    apply_requests_resource_version_on_create,
    apply_requests_if_match,
];

async fn apply_requests_resource_version_optional(story: Story) -> Checked {
    story.created(&[("k", "v")]).await?;
    for count in 0..10 {
        story.merged(OTHER, &string_map::set(&story.collection, "count", &count.to_string())).await?;
    }

    let answer = story.ask(story.applying_texts(MANAGER, &[("l", "w")])).await?;

    answer.expect_status(&[200])?;
    story.expect_texts(&answer, &[("count", Some("9")), ("l", Some("w"))]).await
}

async fn apply_requests_resource_version_optional_for_strict_kinds(Gizmo(story): Gizmo) -> Checked {
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
    story.merged(OTHER, &string_map::set(&story.collection, "k", "w")).await?;
    Ok((first, story.read().await?.written()?))
}

async fn apply_requests_stale_resource_version(story: Story) -> Checked {
    let (first, before) = changed(&story).await?;

    let refused = story.ask(at(&story, first.version())).await?;

    refused.expect_error(&[409], &["Conflict"])?;
    story.expect_unchanged(&before).await
}

async fn apply_requests_stale_resource_version_not_ownership_conflict(story: Story) -> Checked {
    let (first, before) = changed(&story).await?;

    for force in [false, true] {
        let refused = story.ask(at(&story, first.version()).query("force", force)).await?;
        let status = refused.expect_error(&[409], &["Conflict"])?;
        let owned = causes(status).len();
        refused.expect(owned == 0, "no causes of ownership: it is about the version", format!("{owned}"))?;
    }
    story.expect_unchanged(&before).await
}

async fn apply_requests_current_resource_version(story: Story) -> Checked {
    let (_, current) = changed(&story).await?;

    let answer = story.ask(at(&story, current.version())).await?;

    answer.expect_status(&[200])?;
    story.expect_texts(&answer, &[("l", Some("w"))]).await?;
    expect_owns_none(&answer, applier(MANAGER), &["f:metadata/f:resourceVersion"])
}

async fn apply_requests_resource_version_on_create(story: Story) -> Checked {
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

async fn apply_requests_if_match(story: Story) -> Checked {
    story.created(&[("k", "v")]).await?;
    let merge = story.merging(OTHER, &string_map::set(&story.collection, "k", "w"));

    for request in [merge, story.applying_texts(MANAGER, &[("l", "w")])] {
        let answer = story.ask(request.header("if-match", "1234567890123456789")).await?;
        answer.expect_status(&[200, 412])?;
    }
    Ok(())
}
