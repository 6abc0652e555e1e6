//! `metadata.resourceVersion` in the body of an apply.

use super::{MANAGER, OTHER};
use crate::apply_fixture::conflict::causes;
use crate::apply_fixture::expect_value;
use crate::apply_fixture::owner::{applier, expect_owns_none};
use crate::prelude::*;
use crate::string_map;

rows![
    apply_requests_resource_version_optional,
    apply_requests_resource_version_optional_for_strict_kinds.own_kinds(),
    apply_requests_stale_resource_version,
    apply_requests_stale_resource_version_not_ownership_conflict,
    apply_requests_current_resource_version,
    apply_requests_resource_version_on_create,
    apply_requests_if_match,
];

async fn apply_requests_resource_version_optional(fixture: ApplyFixture) -> Checked {
    fixture.created(&[("k", "v")]).await?;
    for count in 0..10 {
        fixture.merged(OTHER, &string_map::set(&fixture.collection, "count", &count.to_string())).await?;
    }

    let answer = fixture.ask(fixture.applying_texts(MANAGER, &[("l", "w")])).await?;

    answer.expect_status(&[200])?;
    fixture.expect_texts(&answer, &[("count", Some("9")), ("l", Some("w"))]).await
}

async fn apply_requests_resource_version_optional_for_strict_kinds(Gizmo(fixture): Gizmo) -> Checked {
    fixture.applied(MANAGER, &json!({ "spec": { "size": 2 } })).await?;

    let answer = fixture.ask(fixture.applying(MANAGER, &json!({ "spec": { "size": 3 } }))).await?;

    answer.expect_status(&[200])?;
    expect_value(&answer, "/spec/size", &json!(3))
}

/// An apply of a text at a version.
fn at(fixture: &ApplyFixture, version: &str) -> Request {
    let mut body = fixture.holding(&[("l", "w")]);
    body["metadata"]["resourceVersion"] = json!(version);
    fixture.applying_body(MANAGER, &body)
}

/// Creates the object and has somebody change it; what it was at first, and what it is then.
async fn changed(fixture: &ApplyFixture) -> Result<(Object, Object), Halt> {
    let first = fixture.created(&[("k", "v")]).await?;
    fixture.merged(OTHER, &string_map::set(&fixture.collection, "k", "w")).await?;
    Ok((first, fixture.read().await?.written()?))
}

async fn apply_requests_stale_resource_version(fixture: ApplyFixture) -> Checked {
    let (first, before) = changed(&fixture).await?;

    let refused = fixture.ask(at(&fixture, first.version())).await?;

    refused.expect_error(&[409], &["Conflict"])?;
    fixture.expect_unchanged(&before).await
}

async fn apply_requests_stale_resource_version_not_ownership_conflict(fixture: ApplyFixture) -> Checked {
    let (first, before) = changed(&fixture).await?;

    for force in [false, true] {
        let refused = fixture.ask(at(&fixture, first.version()).query("force", force)).await?;
        let status = refused.expect_error(&[409], &["Conflict"])?;
        let owned = causes(status).len();
        refused.expect(owned == 0, "no causes of ownership: it is about the version", format!("{owned}"))?;
    }
    fixture.expect_unchanged(&before).await
}

async fn apply_requests_current_resource_version(fixture: ApplyFixture) -> Checked {
    let (_, current) = changed(&fixture).await?;

    let answer = fixture.ask(at(&fixture, current.version())).await?;

    answer.expect_status(&[200])?;
    fixture.expect_texts(&answer, &[("l", Some("w"))]).await?;
    expect_owns_none(&answer, applier(MANAGER), &["f:metadata/f:resourceVersion"])
}

async fn apply_requests_resource_version_on_create(fixture: ApplyFixture) -> Checked {
    let mut body = fixture.whole(&[("k", "v")]);
    body["metadata"]["resourceVersion"] = json!("1");

    let answer = fixture.ask(fixture.applying_body(MANAGER, &body)).await?;

    if answer.succeeded() {
        answer.expect_status(&[201])?;
        return fixture.expect_texts(&answer, &[("k", Some("v"))]).await;
    }
    answer.expect_refusal(&[400, 404, 409, 422])?;
    fixture.expect_absent().await
}

async fn apply_requests_if_match(fixture: ApplyFixture) -> Checked {
    fixture.created(&[("k", "v")]).await?;
    let merge = fixture.merging(OTHER, &string_map::set(&fixture.collection, "k", "w"));

    for request in [merge, fixture.applying_texts(MANAGER, &[("l", "w")])] {
        let answer = fixture.ask(request.header("if-match", "1234567890123456789")).await?;
        answer.expect_status(&[200, 412])?;
    }
    Ok(())
}
