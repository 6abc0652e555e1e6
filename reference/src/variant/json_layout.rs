//! JSON layout variant: other field order and whitespace.

use serde_json::Value;

use crate::fault::RequestFacts;

/// A document with its fields in another order, over many lines.
pub(super) fn text(_: &RequestFacts, text: &str) -> String {
    match serde_json::from_str(text) {
        Ok(json @ (Value::Object(_) | Value::Array(_))) => format!("\r\n{:#}\r\n", turned(json)),
        _ => text.to_owned(),
    }
}

/// An event over many lines, blank ones before it.
pub(super) fn event(event: &Value) -> String {
    format!("\n\r\n{:#}\r\n", turned(event.clone()))
}

/// The fields of all objects in the opposite order.
fn turned(json: Value) -> Value {
    match json {
        Value::Object(fields) => {
            Value::Object(fields.into_iter().rev().map(|(name, value)| (name, turned(value))).collect())
        }
        Value::Array(items) => items.into_iter().map(turned).collect(),
        other => other,
    }
}
