//! Merge markers in the schema of a custom resource definition.

use crate::apply_fixture::custom_type::Definition;
use crate::prelude::*;

pub(super) fn rows() -> Vec<Row> {
    table(MARKERS, Kinds::Own, an_invalid_marker_is_rejected)
}

/// The valid schema of a field, and invalid variants of it.
type Schemas = (&'static str, &'static [&'static str]);

const KEYED: &str = r#"{ "type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"],
    "items": { "type": "object", "required": ["name"], "properties": { "name": { "type": "string" } } } }"#;
const SET: &str = r#"{ "type": "array", "x-kubernetes-list-type": "set", "items": { "type": "string" } }"#;

#[rustfmt::skip]
const MARKERS: &[(&str, Schemas)] = &[
    ("apply-merge-list-set-scalars-only", (SET, &[
        r#"{ "type": "array", "x-kubernetes-list-type": "set",
            "items": { "type": "object", "properties": { "name": { "type": "string" } } } }"#,
    ])),
    ("apply-merge-list-map-nested-types-only", (KEYED, &[
        r#"{ "type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"], "items": { "type": "string" } }"#,
    ])),
    ("apply-merge-list-map-keys-required", (KEYED, &[
        r#"{ "type": "array", "x-kubernetes-list-type": "map",
            "items": { "type": "object", "required": ["name"], "properties": { "name": { "type": "string" } } } }"#,
    ])),
    ("apply-merge-list-map-keys-only-with-map", (SET, &[
        r#"{ "type": "array", "x-kubernetes-list-type": "set", "x-kubernetes-list-map-keys": ["name"], "items": { "type": "string" } }"#,
        r#"{ "type": "array", "x-kubernetes-list-map-keys": ["name"],
            "items": { "type": "object", "required": ["name"], "properties": { "name": { "type": "string" } } } }"#,
    ])),
    ("apply-merge-list-map-keys-scalar", (KEYED, &[
        r#"{ "type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"],
            "items": { "type": "object", "required": ["name"],
                "properties": { "name": { "type": "object", "properties": { "x": { "type": "string" } } } } } }"#,
    ])),
    ("apply-merge-list-type-values", (SET, &[
        r#"{ "type": "array", "x-kubernetes-list-type": "granular", "items": { "type": "string" } }"#,
        r#"{ "type": "array", "x-kubernetes-list-type": "Atomic", "items": { "type": "string" } }"#,
    ])),
    ("apply-merge-map-type-values", (
        r#"{ "type": "object", "x-kubernetes-map-type": "granular", "additionalProperties": { "type": "string" } }"#, &[
        r#"{ "type": "object", "x-kubernetes-map-type": "set", "additionalProperties": { "type": "string" } }"#,
    ])),
];

async fn an_invalid_marker_is_rejected(cx: Context, (valid, invalid): Schemas) -> Checked {
    with_field(&cx, valid)?.try_out().await?.written()?;

    for schema in invalid {
        let refused = with_field(&cx, schema)?.create().await?;

        refused.expect_error(&[422], &["Invalid"])?;
    }
    Ok(())
}

/// The definition of a type whose spec has one field.
fn with_field(cx: &Context, schema: &str) -> Result<Definition, Halt> {
    let schema: Value = serde_json::from_str(schema).unwrap_or_default();
    Definition::new(cx, &["v1"], &json!({ "x": schema }))
}
