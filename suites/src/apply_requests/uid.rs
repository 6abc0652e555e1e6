//! `metadata.uid` in the body of an apply, as a precondition.

use harness::{Checked, Context, Request, Row, row};
use serde_json::json;

use super::MANAGER;
use crate::apply_fixture::Story;
use crate::apply_fixture::owner::{applier, expect_owns_none};
use crate::unchanged_object::expect_rejected;

/// The scenarios of this file.
pub(super) fn rows() -> Vec<Row> {
    vec![
        row("apply-requests-uid-on-create", apply_requests_uid_on_create),
        row("apply-requests-uid-mismatch", apply_requests_uid_mismatch),
        row("apply-requests-uid-match", apply_requests_uid_match),
    ]
}

/// No object's.
const NOBODY: &str = "00000000-0000-4000-8000-000000000000";

fn meant_for(story: &Story, uid: &str) -> Request {
    let mut body = story.whole(&[("k", "w")]);
    body["metadata"]["uid"] = json!(uid);
    story.applying_body(MANAGER, &body)
}

async fn apply_requests_uid_on_create(cx: Context) -> Checked {
    let story = Story::of_the_subject(&cx).await?;

    let refused = story.ask(meant_for(&story, NOBODY)).await?;

    refused.expect_error(&[409], &["Conflict"])?;
    story.expect_absent().await
}

async fn apply_requests_uid_mismatch(cx: Context) -> Checked {
    let story = Story::of_the_subject(&cx).await?;
    story.done(story.applying_whole(MANAGER, &[("k", "v")])).await?;
    let before = story.read().await?.written()?;

    let refused = story.ask(meant_for(&story, NOBODY)).await?;

    expect_rejected(&refused)?;
    story.expect_unchanged(&before).await
}

async fn apply_requests_uid_match(cx: Context) -> Checked {
    let story = Story::of_the_subject(&cx).await?;
    let created = story.done(story.applying_whole(MANAGER, &[("k", "v")])).await?;

    let answer = story.ask(meant_for(&story, created.metadata("uid"))).await?;

    story.expect_texts(&answer, &[("k", Some("w"))]).await?;
    expect_owns_none(&answer, applier(MANAGER), &["f:metadata/f:uid"])
}
