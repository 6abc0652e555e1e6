//! Applies to the subresources status and scale.

use super::{MANAGER, OTHER};
use crate::apply_fixture::owner::{applier, expect_owns, expect_owns_none, owned_by, owners_text};
use crate::prelude::*;

rows![
    apply_requests_status_apply.with_status(),
    apply_requests_status_apply_ignores_spec.own_kinds(),
    apply_requests_main_apply_ignores_status.own_kinds(),
    apply_requests_status_apply_metadata_cr.own_kinds(),
    apply_requests_status_apply_missing_object.with_status(),
];

/// An apply of these fields to the status subresource.
fn to_status(fixture: &ApplyFixture, manager: &str, fields: &Value) -> Request {
    Request { path: fixture.collection.status_path_of(fixture.name), ..fixture.applying(manager, fields) }
}

const PHASE: &str = "/status/phase";

async fn apply_requests_status_apply(cx: Context, fixture: ApplyFixture) -> Checked {
    let status = fixture.collection.status_change("applied")?;
    let place = fixture.collection.resource_under_test().status_at().unwrap_or_default().to_owned();
    fixture.write(fixture.applying_whole(OTHER, &[])).await?;

    // Without the skip on 415: the server applies to the main resource.
    let response = cx.send(to_status(&fixture, MANAGER, &status)).await?;

    response.expect_status(&[200])?;
    response.expect_value(&place, &json!("applied"))?;
    fixture.read().await?.expect_value(&place, &json!("applied"))?;
    let (object, owner) = (response.object()?, applier(MANAGER).through("status"));
    let owned = owned_by(&object, owner);
    let of_status = !owned.is_empty() && owned.iter().all(|path| path.starts_with("f:status"));
    response.expect(
        of_status,
        format!("{owner} as owner of fields of the status alone"),
        owners_text(&object),
    )
}

async fn apply_requests_status_apply_ignores_spec(fixture: Gizmo) -> Checked {
    fixture.applied(OTHER, &json!({ "spec": { "size": 5 } })).await?;

    let both = json!({ "spec": { "size": 9, "mode": "m" }, "status": { "phase": "x" } });
    let response = fixture.send(to_status(&fixture, MANAGER, &both)).await?;

    response.expect_status(&[200])?;
    let expected = [("/spec/size", json!(5)), ("/spec/mode", Value::Null), (PHASE, json!("x"))];
    response.expect_values(&expected)?;
    fixture.read().await?.expect_values(&expected)?;
    expect_owns_none(&response, applier(MANAGER).through("status"), &["f:spec"])?;
    expect_owns(&response, applier(OTHER), &["f:spec/f:size"])
}

async fn apply_requests_main_apply_ignores_status(fixture: Gizmo) -> Checked {
    let both = json!({ "spec": { "size": 2 }, "status": { "phase": "y" } });

    let response = fixture.send(fixture.applying(MANAGER, &both)).await?;
    response.expect_value(PHASE, &Value::Null)?;
    expect_owns_none(&response, applier(MANAGER), &["f:status"])?;

    let status = fixture.send(to_status(&fixture, OTHER, &json!({ "status": { "phase": "z" } }))).await?;
    status.expect_status(&[200])?;
    status.expect_value(PHASE, &json!("z"))?;

    let again = fixture.send(fixture.applying(MANAGER, &both)).await?;
    again.expect_value(PHASE, &json!("z"))?;
    expect_owns_none(&again, applier(MANAGER), &["f:status"])
}

async fn apply_requests_status_apply_metadata_cr(fixture: Gizmo) -> Checked {
    fixture.applied(OTHER, &json!({ "spec": { "size": 5 } })).await?;

    let labelled = json!({ "metadata": { "labels": { "assay": "x" } }, "status": { "phase": "x" } });
    let response = fixture.send(to_status(&fixture, MANAGER, &labelled)).await?;

    response.expect_status(&[200])?;
    let label = "/metadata/labels/assay";
    response.expect_value(label, &Value::Null)?;
    fixture.read().await?.expect_value(label, &Value::Null)?;
    expect_owns_none(&response, applier(MANAGER).through("status"), &["f:metadata"])
}

async fn apply_requests_status_apply_missing_object(cx: Context, fixture: ApplyFixture) -> Checked {
    if let Ok(status) = fixture.collection.status_change("applied") {
        let refused = fixture.send(to_status(&fixture, MANAGER, &status)).await?;
        // kube-apiserver returns 422 for some types, but not for Deployments: there a 422 is that of a create.
        if refused.status() == 422 && fixture.collection.resource().plural != "deployments" {
            cx.note("the server validates an apply to the status of a missing object first, as kube-apiserver may");
        } else {
            refused.expect_error(&[404], &["NotFound"])?;
        }
        fixture.expect_absent().await?;
    }
    if fixture.collection.has_scale() {
        let refused = fixture.send(fixture.applying_scale(MANAGER, 1)).await?;
        refused.expect_error(&[404], &["NotFound"])?;
        fixture.expect_absent().await?;
    }
    Ok(())
}
