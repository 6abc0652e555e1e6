//! `metadata.uid` in the body of an apply, as a precondition.

use super::MANAGER;
use crate::apply_fixture::owner::{applier, expect_owns_none};
use crate::prelude::*;
use crate::unchanged_object::expect_rejected;

rows![apply_requests_uid_on_create, apply_requests_uid_mismatch, apply_requests_uid_match];

/// No object's.
const NOBODY: &str = "00000000-0000-4000-8000-000000000000";

fn meant_for(fixture: &ApplyFixture, uid: &str) -> Request {
    let mut body = fixture.whole(&[("k", "w")]);
    body["metadata"]["uid"] = json!(uid);
    fixture.applying_body(MANAGER, &body)
}

async fn apply_requests_uid_on_create(fixture: ApplyFixture) -> Checked {
    let refused = fixture.ask(meant_for(&fixture, NOBODY)).await?;

    refused.expect_error(&[409], &["Conflict"])?;
    fixture.expect_absent().await
}

async fn apply_requests_uid_mismatch(fixture: ApplyFixture) -> Checked {
    fixture.done(fixture.applying_whole(MANAGER, &[("k", "v")])).await?;
    let before = fixture.read().await?.written()?;

    let refused = fixture.ask(meant_for(&fixture, NOBODY)).await?;

    expect_rejected(&refused)?;
    fixture.expect_unchanged(&before).await
}

async fn apply_requests_uid_match(fixture: ApplyFixture) -> Checked {
    let created = fixture.done(fixture.applying_whole(MANAGER, &[("k", "v")])).await?;

    let answer = fixture.ask(meant_for(&fixture, created.metadata("uid"))).await?;

    fixture.expect_texts(&answer, &[("k", Some("w"))]).await?;
    expect_owns_none(&answer, applier(MANAGER), &["f:metadata/f:uid"])
}
