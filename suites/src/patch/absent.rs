//! Patches never create; only an apply does.

use harness::{Collection, Context, Halt, Suite};
use serde_json::{Value, json};

use crate::forms::{self, JSON, MERGE, STRATEGIC};
use crate::unchanged::expect_absent;

/// A form of patch, and a patch that would tell all that is needed to create the object.
type Form = (&'static str, fn(&Collection) -> Value);

#[rustfmt::skip]
const FORMS: &[(&str, Form)] = &[
    ("patch-json-absent-404",   (JSON, every_field)),
    ("patch-merge-absent-404",  (MERGE, whole)),
];

const OF_BUILT_IN_TYPES: &[(&str, Form)] = &[("patch-strategic-absent-404", (STRATEGIC, whole))];

/// Adds the scenarios of this file.
pub(super) fn add(suite: Suite) -> Suite {
    suite.table(FORMS, a_patch_of_nothing_is_not_found).on_every_shape()
}

/// Adds the scenario about a form of patch that only built-in types have.
pub(super) fn add_built_in(suite: Suite) -> Suite {
    suite.table(OF_BUILT_IN_TYPES, a_patch_of_nothing_is_not_found)
}

async fn a_patch_of_nothing_is_not_found(cx: Context, (form, patch): Form) -> Result<(), Halt> {
    let things = cx.things().await?;

    let refused = forms::patched(&cx, &things, form, &patch(&things)).await?;

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
