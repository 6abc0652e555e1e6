//! `metadata.uid` in the body of an apply, as a precondition.

use super::MANAGER;
use crate::apply_fixture::owner::{applier, expect_owns_none};
use crate::object_fixture::NO_UID;
use crate::prelude::*;
use crate::unchanged_object::expect_rejected;

rows![apply_requests_uid_on_create, apply_requests_uid_mismatch, apply_requests_uid_match];

fn with_uid(fixture: &ApplyFixture, uid: &str) -> Request {
    let mut body = fixture.whole(&[("k", "w")]);
    body["metadata"]["uid"] = json!(uid);
    fixture.applying_body(MANAGER, &body)
}

async fn apply_requests_uid_on_create(fixture: ApplyFixture) -> Checked {
    let refused = fixture.send(with_uid(&fixture, NO_UID)).await?;

    refused.expect_error(&[409], &["Conflict"])?;
    fixture.expect_absent().await
}

async fn apply_requests_uid_mismatch(fixture: ApplyFixture) -> Checked {
    fixture.write(fixture.applying_whole(MANAGER, &[("k", "v")])).await?;
    let before = fixture.read().await?.written()?;

    let refused = fixture.send(with_uid(&fixture, NO_UID)).await?;

    expect_rejected(&refused)?;
    fixture.expect_unchanged(&before).await
}

async fn apply_requests_uid_match(fixture: ApplyFixture) -> Checked {
    let created = fixture.write(fixture.applying_whole(MANAGER, &[("k", "v")])).await?;

    let response = fixture.send(with_uid(&fixture, created.metadata("uid"))).await?;

    fixture.expect_texts(&response, &[("k", Some("w"))]).await?;
    expect_owns_none(&response, applier(MANAGER), &["f:metadata/f:uid"])
}
