//! The schema of the custom resource that preserves unknown fields.

use serde_json::{Value, json};

/// Its `spec` requires `size`, a number; `template` is an object with metadata of its own.
pub(super) fn schema() -> Value {
    let template = json!({
        "type": "object",
        "x-kubernetes-embedded-resource": true,
        "x-kubernetes-preserve-unknown-fields": true,
    });
    json!({
        "type": "object",
        "x-kubernetes-preserve-unknown-fields": true,
        "properties": { "spec": {
            "type": "object",
            "x-kubernetes-preserve-unknown-fields": true,
            "required": ["size"],
            "properties": { "size": { "type": "integer" }, "template": template },
        } },
    })
}
