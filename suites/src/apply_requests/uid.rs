//! `metadata.uid` in the body of an apply, as a precondition.

use harness::{Checked, Request};
use serde_json::json;

use super::MANAGER;
use crate::apply_fixture::Story;
use crate::apply_fixture::owner::{applier, expect_owns_none};
use crate::unchanged_object::expect_rejected;

rows![apply_requests_uid_on_create, apply_requests_uid_mismatch, apply_requests_uid_match];

/// No object's.
const NOBODY: &str = "00000000-0000-4000-8000-000000000000";

fn meant_for(story: &Story, uid: &str) -> Request {
    let mut body = story.whole(&[("k", "w")]);
    body["metadata"]["uid"] = json!(uid);
    story.applying_body(MANAGER, &body)
}

async fn apply_requests_uid_on_create(story: Story) -> Checked {
    let refused = story.ask(meant_for(&story, NOBODY)).await?;

    refused.expect_error(&[409], &["Conflict"])?;
    story.expect_absent().await
}

async fn apply_requests_uid_mismatch(story: Story) -> Checked {
    story.done(story.applying_whole(MANAGER, &[("k", "v")])).await?;
    let before = story.read().await?.written()?;

    let refused = story.ask(meant_for(&story, NOBODY)).await?;

    expect_rejected(&refused)?;
    story.expect_unchanged(&before).await
}

async fn apply_requests_uid_match(story: Story) -> Checked {
    let created = story.done(story.applying_whole(MANAGER, &[("k", "v")])).await?;

    let answer = story.ask(meant_for(&story, created.metadata("uid"))).await?;

    story.expect_texts(&answer, &[("k", Some("w"))]).await?;
    expect_owns_none(&answer, applier(MANAGER), &["f:metadata/f:uid"])
}
