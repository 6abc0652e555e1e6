//! Granular maps and structs, merged field by field.

use super::spec;
use crate::apply_fixture::owner::{applier, expect_owned};
use crate::prelude::*;

pub(super) fn rows() -> Vec<Row> {
    [
        table(MERGED, Kinds::Own, two_managers_own_a_field_each),
        vec![row!(apply_merge_cr_default_keys_granular).own_kinds()],
    ]
    .concat()
}

/// A map or struct in the spec of a gizmo, and two of its fields.
const MERGED: &[(&str, (&str, &str, &str))] = &[
    ("apply-merge-map-granular", ("settings", "a", "b")),
    ("apply-merge-struct-granular", ("granularStruct", "x", "y")),
];

async fn two_managers_own_a_field_each(cx: Context, (holder, first, second): (&str, &str, &str)) -> Checked {
    let fixture = ApplyFixture::of_a_gizmo(&cx).await?;
    let with = |field: &str, text: &str| json!({ "spec": { holder: { field: text } } });
    fixture.applied("m1", &with(first, "1")).await?;

    let response = fixture.send(fixture.applying("m2", &with(second, "2"))).await?;

    response.expect_value(&format!("/spec/{holder}"), &json!({ first: "1", second: "2" }))?;
    expect_owned(&response, applier("m1"), &[&format!("f:spec/f:{holder}/f:{first}")])?;
    expect_owned(&response, applier("m2"), &[&format!("f:spec/f:{holder}/f:{second}")])
}

async fn apply_merge_cr_default_keys_granular(fixture: Gizmo) -> Checked {
    fixture.applied("m1", &spec("freeform", json!({ "a": 1, "n": { "x": 1 } }))).await?;

    let response =
        fixture.send(fixture.applying("m2", &spec("freeform", json!({ "n": { "y": 1 } })))).await?;

    response.expect_value("/spec/freeform", &json!({ "a": 1, "n": { "x": 1, "y": 1 } }))?;
    let of_m1 = ["f:spec/f:freeform/f:a", "f:spec/f:freeform/f:n/f:x"];
    expect_owned(&response, applier("m1"), &of_m1)?;
    expect_owned(&response, applier("m2"), &["f:spec/f:freeform/f:n/f:y"])
}
