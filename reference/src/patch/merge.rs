//! JSON merge patch: fields are replaced, null removes them.

use serde_json::{Map, Value};

/// Merges a patch into a value.
pub(super) fn merge(target: &mut Value, patch: &Value) {
    let Value::Object(changes) = patch else {
        *target = patch.clone();
        return;
    };
    if !target.is_object() {
        *target = Value::Object(Map::new());
    }
    let Some(fields) = target.as_object_mut() else { return };
    for (name, change) in changes {
        if change.is_null() {
            fields.shift_remove(name);
        } else {
            merge(fields.entry(name.as_str()).or_insert(Value::Null), change);
        }
    }
}
