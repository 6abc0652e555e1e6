//! Objects that a server returned, before a request sends them back.

use serde_json::{Value, json};

/// Replaces a value by an empty object, unless it is an object: a wrong server may return any type.
pub(crate) fn make_object(value: &mut Value) -> &mut Value {
    if !value.is_object() {
        *value = json!({});
    }
    value
}
