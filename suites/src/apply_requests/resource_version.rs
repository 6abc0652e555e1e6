//! `metadata.resourceVersion` in the body of an apply.

use super::{MANAGER, OTHER};
use crate::apply_fixture::conflict::causes;
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

    let response = fixture.send(fixture.applying_texts(MANAGER, &[("l", "w")])).await?;

    response.expect_status(&[200])?;
    fixture.expect_texts(&response, &[("count", Some("9")), ("l", Some("w"))]).await
}

async fn apply_requests_resource_version_optional_for_strict_kinds(fixture: Gizmo) -> Checked {
    fixture.applied(MANAGER, &json!({ "spec": { "size": 2 } })).await?;

    let response = fixture.send(fixture.applying(MANAGER, &json!({ "spec": { "size": 3 } }))).await?;

    response.expect_status(&[200])?;
    response.expect_value("/spec/size", &json!(3))
}

/// An apply of a string field, with a resourceVersion.
fn at(fixture: &ApplyFixture, version: &str) -> Request {
    let mut body = fixture.holding(&[("l", "w")]);
    body["metadata"]["resourceVersion"] = json!(version);
    fixture.applying_body(MANAGER, &body)
}

/// Creates and changes the object; returns it as created and as changed.
async fn changed(fixture: &ApplyFixture) -> Result<(Object, Object), Halt> {
    let first = fixture.created(&[("k", "v")]).await?;
    fixture.merged(OTHER, &string_map::set(&fixture.collection, "k", "w")).await?;
    Ok((first, fixture.read().await?.written()?))
}

async fn apply_requests_stale_resource_version(fixture: ApplyFixture) -> Checked {
    let (first, before) = changed(&fixture).await?;

    let refused = fixture.send(at(&fixture, first.version())).await?;

    refused.expect_error(&[409], &["Conflict"])?;
    fixture.expect_unchanged(&before).await
}

async fn apply_requests_stale_resource_version_not_ownership_conflict(fixture: ApplyFixture) -> Checked {
    let (first, before) = changed(&fixture).await?;

    for force in [false, true] {
        let refused = fixture.send(at(&fixture, first.version()).query("force", force)).await?;
        let status = refused.expect_error(&[409], &["Conflict"])?;
        let causes = causes(status);
        refused.expect(
            causes.is_empty(),
            "no causes of reason FieldManagerConflict",
            format!("{causes:?}"),
        )?;
    }
    fixture.expect_unchanged(&before).await
}

async fn apply_requests_current_resource_version(fixture: ApplyFixture) -> Checked {
    let (_, current) = changed(&fixture).await?;

    let response = fixture.send(at(&fixture, current.version())).await?;

    response.expect_status(&[200])?;
    fixture.expect_texts(&response, &[("l", Some("w"))]).await?;
    expect_owns_none(&response, applier(MANAGER), &["f:metadata/f:resourceVersion"])
}

async fn apply_requests_resource_version_on_create(fixture: ApplyFixture) -> Checked {
    let mut body = fixture.whole(&[("k", "v")]);
    body["metadata"]["resourceVersion"] = json!("1");

    let response = fixture.send(fixture.applying_body(MANAGER, &body)).await?;

    if response.succeeded() {
        response.expect_status(&[201])?;
        return fixture.expect_texts(&response, &[("k", Some("v"))]).await;
    }
    response.expect_rejection(&[400, 404, 409, 422])?;
    fixture.expect_absent().await
}

async fn apply_requests_if_match(fixture: ApplyFixture) -> Checked {
    fixture.created(&[("k", "v")]).await?;
    let merge = fixture.merging(OTHER, &string_map::set(&fixture.collection, "k", "w"));

    for request in [merge, fixture.applying_texts(MANAGER, &[("l", "w")])] {
        let response = fixture.send(request.header("if-match", "1234567890123456789")).await?;
        response.expect_status(&[200, 412])?;
    }
    Ok(())
}
