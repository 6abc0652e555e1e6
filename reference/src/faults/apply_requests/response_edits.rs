//! Edits of managedFields in apply responses, for the faults of apply requests.

use serde_json::{Value, json};

pub(super) fn own_creation_time(object: &mut Value) {
    for entry in entries(object) {
        entry["fieldsV1"]["f:metadata"]["f:creationTimestamp"] = json!({});
    }
}

pub(super) fn own_spec(object: &mut Value) {
    for entry in entries(object).filter(|entry| entry["subresource"] == "status") {
        entry["fieldsV1"]["f:spec"] = json!({ "f:size": {} });
    }
}

pub(super) fn own_status(object: &mut Value) {
    for entry in entries(object) {
        entry["fieldsV1"]["f:status"] = json!({ "f:phase": {} });
    }
}

/// The entries of appliers.
fn entries(object: &mut Value) -> impl Iterator<Item = &mut Value> {
    let entries = object.pointer_mut("/metadata/managedFields").and_then(Value::as_array_mut);
    entries.into_iter().flatten().filter(|entry| entry["operation"] == "Apply")
}
