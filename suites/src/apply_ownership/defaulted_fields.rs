//! Defaulted fields: no manager owns them until one applies them.

use crate::apply_fixture::owner::{applier, expect_owners, expect_owns_none};
use crate::prelude::*;

const SIZE: &str = "f:spec/f:size";

rows![
    apply_ownership_defaults_not_owned_by_applier.own_kinds(),
    apply_ownership_drop_sole_owner_resets_to_default.own_kinds(),
];

async fn apply_ownership_defaults_not_owned_by_applier(fixture: Gizmo) -> Checked {
    let response = fixture.send(fixture.applying("m1", &json!({ "spec": { "mode": "x" } }))).await?;

    response.expect_value("/spec/size", &json!(1))?;
    expect_owns_none(&response, applier("m1"), &[SIZE])
}

async fn apply_ownership_drop_sole_owner_resets_to_default(fixture: Gizmo) -> Checked {
    fixture.applied("m1", &json!({ "spec": { "mode": "x", "size": 3 } })).await?;

    let response = fixture.send(fixture.applying("m1", &json!({ "spec": { "mode": "x" } }))).await?;

    response.expect_value("/spec/size", &json!(1))?;
    fixture.read().await?.expect_value("/spec/size", &json!(1))?;
    expect_owners(&response, SIZE, &[])
}
