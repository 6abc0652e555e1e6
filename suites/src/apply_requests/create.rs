//! Applies that create an object, and applies to an existing one.

use harness::{Checked, Context, Row, row};
use serde_json::json;

use super::{MANAGER, OTHER};
use crate::apply_fixture::{Story, expect_value};

/// The scenarios of this file.
pub(super) fn rows() -> Vec<Row> {
    vec![
        row("apply-requests-partial-body", apply_requests_partial_body),
        row("apply-requests-creates-when-absent", apply_requests_creates_when_absent),
        row("apply-requests-create-status-201", apply_requests_create_status_201),
        row("apply-requests-update-status-200", apply_requests_update_status_200),
        row("apply-requests-create-applies-defaults", apply_requests_create_applies_defaults).own_kinds(),
        row("apply-requests-cluster-scoped", apply_requests_cluster_scoped),
    ]
}

async fn apply_requests_partial_body(cx: Context) -> Checked {
    let story = Story::of_the_subject(&cx).await?;
    story.created(&[("a", "1"), ("b", "2")]).await?;

    let answer = story.ask(story.applying_texts(MANAGER, &[("c", "3")])).await?;

    answer.expect_status(&[200])?;
    story.expect_texts(&answer, &[("a", Some("1")), ("b", Some("2")), ("c", Some("3"))]).await
}

async fn apply_requests_creates_when_absent(cx: Context) -> Checked {
    let story = Story::of_the_subject(&cx).await?;

    let answer = story.ask(story.applying_whole(MANAGER, &[("k", "v")])).await?;

    story.expect_texts(&answer, &[("k", Some("v"))]).await
}

async fn apply_requests_create_status_201(cx: Context) -> Checked {
    let story = Story::of_the_subject(&cx).await?;

    let answer = story.ask(story.applying_whole(MANAGER, &[("k", "v")])).await?;

    answer.expect_status(&[201])
}

async fn apply_requests_update_status_200(cx: Context) -> Checked {
    let story = Story::of_the_subject(&cx).await?;
    story.done(story.applying_whole(MANAGER, &[("k", "v")])).await?;

    let same = story.ask(story.applying_whole(MANAGER, &[("k", "v")])).await?;
    let changed = story.ask(story.applying_whole(MANAGER, &[("k", "w")])).await?;

    same.expect_status(&[200])?;
    changed.expect_status(&[200])
}

async fn apply_requests_create_applies_defaults(cx: Context) -> Checked {
    let story = Story::of_a_gizmo(&cx).await?;

    let answer = story.ask(story.applying(MANAGER, &json!({ "spec": { "mode": "m" } }))).await?;

    expect_value(&answer, "/spec/size", &json!(1))?;
    expect_value(&*story.read().await?, "/spec/size", &json!(1))
}

async fn apply_requests_cluster_scoped(cx: Context) -> Checked {
    let story = Story::of_the_subject(&cx).await?;

    story.ask(story.applying_whole(MANAGER, &[("k", "v")])).await?.object()?;
    let second = story.ask(story.applying_texts(OTHER, &[("l", "w")])).await?;

    story.expect_texts(&second, &[("k", Some("v")), ("l", Some("w"))]).await
}
