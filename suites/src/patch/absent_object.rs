//! Patches of an object that does not exist.

use harness::{Checked, Collection, Context, Kinds, Row, table};
use serde_json::{Value, json};

use crate::patch_types::{self, JSON, MERGE, STRATEGIC};
use crate::unchanged_object::expect_absent;

/// A form of patch, and a patch that would tell all that is needed to create the object.
type Form = (&'static str, fn(&Collection) -> Value);

#[rustfmt::skip]
const FORMS: &[(&str, Form)] = &[
    ("patch-json-absent-404",   (JSON, every_field)),
    ("patch-merge-absent-404",  (MERGE, whole)),
];

const OF_BUILT_IN_TYPES: &[(&str, Form)] = &[("patch-strategic-absent-404", (STRATEGIC, whole))];

/// The scenarios of this file.
pub(super) fn rows() -> Vec<Row> {
    table(FORMS, Kinds::All, a_patch_of_nothing_is_not_found)
}

/// The scenario about a form of patch that only built-in types have.
pub(super) fn built_in_rows() -> Vec<Row> {
    table(OF_BUILT_IN_TYPES, Kinds::Own, a_patch_of_nothing_is_not_found)
}

async fn a_patch_of_nothing_is_not_found(cx: Context, (form, patch): Form) -> Checked {
    let things = cx.things().await?;

    let refused = patch_types::patched(&cx, &things, form, &patch(&things)).await?;

    refused.expect_error(&[404], &["NotFound"])?;
    expect_absent(&things, "a").await
}

fn whole(things: &Collection) -> Value {
    things.body("a", "first")
}

fn every_field(things: &Collection) -> Value {
    let body = things.body("a", "first");
    let fields = body.as_object().into_iter().flatten();
    fields.map(|(name, value)| json!({ "op": "add", "path": format!("/{name}"), "value": value })).collect()
}
