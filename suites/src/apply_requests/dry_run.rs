//! Applies with `dryRun=All`.

use harness::{Checked, Request};

use super::{MANAGER, OTHER};
use crate::apply_fixture::Story;
use crate::apply_fixture::owner::{applier, expect_owns};
use crate::string_map;

rows![apply_requests_dry_run_create, apply_requests_dry_run_update];

fn dry(request: Request) -> Request {
    request.query("dryRun", "All")
}

async fn apply_requests_dry_run_create(story: Story) -> Checked {
    let tried = story.ask(dry(story.applying_whole(MANAGER, &[("k", "v")]))).await?;

    tried.expect_status(&[201])?;
    string_map::expect(&story.collection, &tried, &[("k", Some("v"))])?;
    story.expect_absent().await
}

async fn apply_requests_dry_run_update(story: Story) -> Checked {
    story.done(story.applying_whole(MANAGER, &[("k", "v")])).await?;
    let before = story.read().await?.written()?;

    let tried = story.ask(dry(story.applying_texts(OTHER, &[("l", "w")]))).await?;

    tried.expect_status(&[200])?;
    string_map::expect(&story.collection, &tried, &[("k", Some("v")), ("l", Some("w"))])?;
    expect_owns(&tried, applier(OTHER), &[&story.path_of_text("l")])?;
    story.expect_unchanged(&before).await
}
