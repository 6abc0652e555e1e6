//! Applies that create an object, and applies to an existing one.

use super::{MANAGER, OTHER};
use crate::prelude::*;

rows![
    apply_requests_partial_body,
    apply_requests_creates_when_absent,
    apply_requests_create_status_201,
    apply_requests_update_status_200,
    apply_requests_create_applies_defaults.own_kinds(),
    apply_requests_cluster_scoped,
];

async fn apply_requests_partial_body(fixture: ApplyFixture) -> Checked {
    fixture.created(&[("a", "1"), ("b", "2")]).await?;

    let response = fixture.send(fixture.applying_texts(MANAGER, &[("c", "3")])).await?;

    response.expect_status(&[200])?;
    fixture.expect_texts(&response, &[("a", Some("1")), ("b", Some("2")), ("c", Some("3"))]).await
}

async fn apply_requests_creates_when_absent(fixture: ApplyFixture) -> Checked {
    let response = fixture.send(fixture.applying_whole(MANAGER, &[("k", "v")])).await?;

    fixture.expect_texts(&response, &[("k", Some("v"))]).await
}

async fn apply_requests_create_status_201(fixture: ApplyFixture) -> Checked {
    let response = fixture.send(fixture.applying_whole(MANAGER, &[("k", "v")])).await?;

    response.expect_status(&[201])
}

async fn apply_requests_update_status_200(fixture: ApplyFixture) -> Checked {
    fixture.write(fixture.applying_whole(MANAGER, &[("k", "v")])).await?;

    let same = fixture.send(fixture.applying_whole(MANAGER, &[("k", "v")])).await?;
    let changed = fixture.send(fixture.applying_whole(MANAGER, &[("k", "w")])).await?;

    same.expect_status(&[200])?;
    changed.expect_status(&[200])
}

async fn apply_requests_create_applies_defaults(fixture: Gizmo) -> Checked {
    let response = fixture.send(fixture.applying(MANAGER, &json!({ "spec": { "mode": "m" } }))).await?;

    response.expect_value("/spec/size", &json!(1))?;
    fixture.read().await?.expect_value("/spec/size", &json!(1))
}

async fn apply_requests_cluster_scoped(fixture: ApplyFixture) -> Checked {
    fixture.send(fixture.applying_whole(MANAGER, &[("k", "v")])).await?.object()?;
    let second = fixture.send(fixture.applying_texts(OTHER, &[("l", "w")])).await?;

    fixture.expect_texts(&second, &[("k", Some("v")), ("l", Some("w"))]).await
}
