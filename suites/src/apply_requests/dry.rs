//! Applies that are only tried.

use harness::{Context, Halt, Request, Suite};

use super::{MANAGER, OTHER};
use crate::story::Story;
use crate::story::owner::{applier, expect_owns};
use crate::texts;

/// Adds the scenarios of this file.
pub(super) fn add(suite: Suite) -> Suite {
    suite
        .scenario("apply-requests-dry-run-create", what_is_only_tried_is_not_created)
        .on_every_shape()
        .scenario("apply-requests-dry-run-update", what_is_only_tried_is_merged_and_not_stored)
        .on_every_shape()
}

fn dry(request: Request) -> Request {
    request.query("dryRun", "All")
}

async fn what_is_only_tried_is_not_created(cx: Context) -> Result<(), Halt> {
    let story = Story::of_the_subject(&cx).await?;

    let tried = story.ask(dry(story.applying_whole(MANAGER, &[("k", "v")]))).await?;

    tried.expect_status(&[201])?;
    texts::expect(&story.things, &tried, &[("k", Some("v"))])?;
    story.expect_absent().await
}

async fn what_is_only_tried_is_merged_and_not_stored(cx: Context) -> Result<(), Halt> {
    let story = Story::of_the_subject(&cx).await?;
    story.done(story.applying_whole(MANAGER, &[("k", "v")])).await?;
    let before = story.read().await?.written()?;

    let tried = story.ask(dry(story.applying_texts(OTHER, &[("l", "w")]))).await?;

    tried.expect_status(&[200])?;
    texts::expect(&story.things, &tried, &[("k", Some("v")), ("l", Some("w"))])?;
    expect_owns(&tried, applier(OTHER), &[&story.path_of_text("l")])?;
    story.expect_unchanged(&before).await
}
