//! JSON layout variant: other field order and whitespace.

use serde_json::Value;

use crate::fault::RequestFacts;

/// A document with reversed fields, on many lines.
pub(super) fn text(_: &RequestFacts, text: &str) -> String {
    match serde_json::from_str(text) {
        Ok(json @ (Value::Object(_) | Value::Array(_))) => format!("\r\n{:#}\r\n", reversed(json)),
        _ => text.to_owned(),
    }
}

/// An event on many lines, with blank lines before it.
pub(super) fn event(event: &Value) -> String {
    format!("\n\r\n{:#}\r\n", reversed(event.clone()))
}

/// Reverses the fields of all objects.
fn reversed(json: Value) -> Value {
    match json {
        Value::Object(fields) => {
            Value::Object(fields.into_iter().rev().map(|(name, value)| (name, reversed(value))).collect())
        }
        Value::Array(items) => items.into_iter().map(reversed).collect(),
        other => other,
    }
}
