//! Applies with `dryRun=All`.

use harness::{Checked, Context, Request, Row, row};

use super::{MANAGER, OTHER};
use crate::apply_fixture::Story;
use crate::apply_fixture::owner::{applier, expect_owns};
use crate::string_map;

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
    string_map::expect(&story.things, &tried, &[("k", Some("v"))])?;
    story.expect_absent().await
}

async fn apply_requests_dry_run_update(cx: Context) -> Checked {
    let story = Story::of_the_subject(&cx).await?;
    story.done(story.applying_whole(MANAGER, &[("k", "v")])).await?;
    let before = story.read().await?.written()?;

    let tried = story.ask(dry(story.applying_texts(OTHER, &[("l", "w")]))).await?;

    tried.expect_status(&[200])?;
    string_map::expect(&story.things, &tried, &[("k", Some("v")), ("l", Some("w"))])?;
    expect_owns(&tried, applier(OTHER), &[&story.path_of_text("l")])?;
    story.expect_unchanged(&before).await
}
