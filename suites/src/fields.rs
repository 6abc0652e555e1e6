//! Fields of JSON objects.

use crate::prelude::*;

/// Removes a field, if it is there.
pub(crate) fn remove(object: &mut Value, field: &str) {
    if let Some(fields) = object.as_object_mut() {
        fields.shift_remove(field);
    }
}

/// The object without a field.
pub(crate) fn without(mut object: Value, field: &str) -> Value {
    remove(&mut object, field);
    object
}

/// The JSON in a table of scenarios.
pub(crate) fn json_of(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|_| panic!("{text} is no JSON: a mistake in a table"))
}
