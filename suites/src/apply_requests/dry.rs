//! Applies that are only tried.

use harness::{Checked, Context, Request, Row, row};

use super::{MANAGER, OTHER};
use crate::story::Story;
use crate::story::owner::{applier, expect_owns};
use crate::texts;

/// The scenarios of this file.
pub(super) fn rows() -> Vec<Row> {
    vec![
        row("apply-requests-dry-run-create", apply_requests_dry_run_create),
        row("apply-requests-dry-run-update", apply_requests_dry_run_update),
    ]
}

fn dry(request: Request) -> Request {
    request.query("dryRun", "All")
}

async fn apply_requests_dry_run_create(cx: Context) -> Checked {
    let story = Story::of_the_subject(&cx).await?;

    let tried = story.ask(dry(story.applying_whole(MANAGER, &[("k", "v")]))).await?;

    tried.expect_status(&[201])?;
    texts::expect(&story.things, &tried, &[("k", Some("v"))])?;
    story.expect_absent().await
}

async fn apply_requests_dry_run_update(cx: Context) -> Checked {
    let story = Story::of_the_subject(&cx).await?;
    story.done(story.applying_whole(MANAGER, &[("k", "v")])).await?;
    let before = story.read().await?.written()?;

    let tried = story.ask(dry(story.applying_texts(OTHER, &[("l", "w")]))).await?;

    tried.expect_status(&[200])?;
    texts::expect(&story.things, &tried, &[("k", Some("v")), ("l", Some("w"))])?;
    expect_owns(&tried, applier(OTHER), &[&story.path_of_text("l")])?;
    story.expect_unchanged(&before).await
}
