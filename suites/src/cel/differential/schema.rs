//! The schema of objects with the fields of an environment, and their values.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use harness::expressions::{Environment, FIELDS, Field, Type, Value as Given};
use jiff::Timestamp;

use super::case::{Case, field};
use crate::cel::definition::with_rules;
use crate::prelude::*;

/// The message of the last rule, which never holds: it shows which definition is in force.
pub(super) fn revision(number: usize) -> String {
    format!("revision {number:03} of the rules")
}

/// The schema of `spec` with these expressions.
pub(super) fn spec(cases: &[Case], number: usize) -> Value {
    let mut properties: serde_json::Map<String, Value> =
        FIELDS.iter().map(|field| (field.name.to_owned(), property(field))).collect();
    properties.extend((0..cases.len()).map(|number| (field(number), json!({ "type": "boolean" }))));
    let last = json!({ "rule": "false", "message": revision(number) });
    let rules = cases.iter().enumerate().map(|(number, case)| case.to_rule(number)).chain([last]);
    with_rules(json!({ "type": "object", "properties": properties }), rules.collect())
}

/// All parts have a limit: the server estimates costs from the largest value.
fn property(field: &Field) -> Value {
    let mut property = match field.ty {
        Type::Bool => json!({ "type": "boolean" }),
        Type::Int | Type::Uint => json!({ "type": "integer" }),
        Type::Double => json!({ "type": "number" }),
        Type::Text => json!({ "type": "string", "maxLength": 8 }),
        Type::Bytes => json!({ "type": "string", "format": "byte", "maxLength": 8 }),
        Type::Timestamp => json!({ "type": "string", "format": "date-time", "maxLength": 24 }),
        Type::Duration => json!({ "type": "string", "format": "duration", "maxLength": 8 }),
        Type::Ints => list(&json!({ "type": "integer" })),
        Type::Texts => list(&json!({ "type": "string", "maxLength": 4 })),
        Type::Counts => {
            json!({ "type": "object", "maxProperties": 4, "additionalProperties": { "type": "integer" } })
        }
    };
    if let Some(default) = field.default {
        property["default"] = default.into();
    }
    property
}

fn list(items: &Value) -> Value {
    json!({ "type": "array", "maxItems": 4, "items": items })
}

/// The `spec` of an object.
pub(super) fn values(environment: &Environment) -> Value {
    environment
        .given()
        .map(|(name, value)| (name.to_owned(), json_of(value)))
        .collect::<serde_json::Map<_, _>>()
        .into()
}

fn json_of(value: &Given) -> Value {
    match value {
        Given::Bool(value) => (*value).into(),
        Given::Int(number) => (*number).into(),
        Given::Uint(number) => (*number).into(),
        Given::Double(number) => (*number).into(),
        Given::Text(text) => text.as_str().into(),
        Given::Bytes(bytes) => BASE64_STANDARD.encode(bytes).into(),
        Given::Timestamp(seconds) => {
            Timestamp::from_second(*seconds).map(|at| at.to_string()).unwrap_or_default().into()
        }
        Given::Duration(seconds) => format!("{seconds}s").into(),
        Given::List(items) => items.iter().map(json_of).collect(),
        Given::Map(entries) => entries
            .iter()
            .map(|(key, value)| (key.clone(), json_of(value)))
            .collect::<serde_json::Map<_, _>>()
            .into(),
    }
}
