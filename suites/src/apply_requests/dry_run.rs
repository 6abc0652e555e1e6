//! Applies with `dryRun=All`.

use super::{MANAGER, OTHER};
use crate::apply_fixture::owner::{applier, expect_owns};
use crate::prelude::*;
use crate::string_map;

rows![apply_requests_dry_run_create, apply_requests_dry_run_update];

fn dry(request: Request) -> Request {
    request.query("dryRun", "All")
}

async fn apply_requests_dry_run_create(fixture: ApplyFixture) -> Checked {
    let tried = fixture.send(dry(fixture.applying_whole(MANAGER, &[("k", "v")]))).await?;

    tried.expect_status(&[201])?;
    string_map::expect(&fixture.collection, &tried, &[("k", Some("v"))])?;
    fixture.expect_absent().await
}

async fn apply_requests_dry_run_update(fixture: ApplyFixture) -> Checked {
    fixture.write(fixture.applying_whole(MANAGER, &[("k", "v")])).await?;
    let before = fixture.read().await?.written()?;

    let tried = fixture.send(dry(fixture.applying_texts(OTHER, &[("l", "w")]))).await?;

    tried.expect_status(&[200])?;
    string_map::expect(&fixture.collection, &tried, &[("k", Some("v")), ("l", Some("w"))])?;
    expect_owns(&tried, applier(OTHER), &[&fixture.path_of_text("l")])?;
    fixture.expect_unchanged(&before).await
}
