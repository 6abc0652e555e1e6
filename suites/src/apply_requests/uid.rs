//! An apply that is meant for one object, and for no other of its name.

use harness::{Context, Halt, Request, Suite};
use serde_json::json;

use super::MANAGER;
use crate::story::Story;
use crate::story::owner::{applier, expect_owns_none};
use crate::unchanged::expect_rejected;

/// Adds the scenarios of this file.
pub(super) fn add(suite: Suite) -> Suite {
    suite
        .scenario("apply-requests-uid-on-create", what_is_meant_for_one_object_creates_no_other)
        .on_every_shape()
        .scenario("apply-requests-uid-mismatch", what_is_meant_for_another_object_is_refused)
        .on_every_shape()
        .scenario("apply-requests-uid-match", what_is_meant_for_this_object_is_applied)
        .on_every_shape()
}

/// No object's.
const NOBODY: &str = "00000000-0000-4000-8000-000000000000";

fn meant_for(story: &Story, uid: &str) -> Request {
    let mut body = story.whole(&[("k", "w")]);
    body["metadata"]["uid"] = json!(uid);
    story.applying_body(MANAGER, &body)
}

async fn what_is_meant_for_one_object_creates_no_other(cx: Context) -> Result<(), Halt> {
    let story = Story::of_the_subject(&cx).await?;

    let refused = story.ask(meant_for(&story, NOBODY)).await?;

    refused.expect_error(&[409], &["Conflict"])?;
    story.expect_absent().await
}

async fn what_is_meant_for_another_object_is_refused(cx: Context) -> Result<(), Halt> {
    let story = Story::of_the_subject(&cx).await?;
    story.done(story.applying_whole(MANAGER, &[("k", "v")])).await?;
    let before = story.read().await?.written()?;

    let refused = story.ask(meant_for(&story, NOBODY)).await?;

    expect_rejected(&refused)?;
    story.expect_unchanged(&before).await
}

async fn what_is_meant_for_this_object_is_applied(cx: Context) -> Result<(), Halt> {
    let story = Story::of_the_subject(&cx).await?;
    let created = story.done(story.applying_whole(MANAGER, &[("k", "v")])).await?;

    let answer = story.ask(meant_for(&story, created.metadata("uid"))).await?;

    story.expect_texts(&answer, &[("k", Some("w"))]).await?;
    expect_owns_none(&answer, applier(MANAGER), &["f:metadata/f:uid"])
}
