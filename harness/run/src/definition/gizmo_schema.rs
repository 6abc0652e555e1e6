//! The schema of the custom resource with every type of list and map.

use serde_json::{Value, json};

/// See `Context::gizmos`.
pub(super) fn spec() -> Value {
    let (text, count) = (json!({ "type": "string" }), json!({ "type": "integer" }));
    let texts = json!({ "type": "array", "items": text });
    let of_type = |list_type: &str| {
        let mut list = texts.clone();
        list["x-kubernetes-list-type"] = list_type.into();
        list
    };
    json!({ "type": "object", "properties": {
        "value": text,
        "size": { "type": "integer", "default": 1, "maximum": 100 },
        "mode": text,
        "replicas": { "type": "integer", "format": "int32", "minimum": 0 },
        "tags": of_type("set"),
        "args": of_type("atomic"),
        "plainList": texts,
        "rules": keyed(&["name"], &json!({ "name": text, "value": text, "note": text })),
        "ports": keyed(&["port", "protocol"], &json!({
            "port": count, "protocol": { "type": "string", "default": "TCP" }, "label": text,
        })),
        "settings": { "type": "object", "additionalProperties": text },
        "atomicMap": { "type": "object", "additionalProperties": text, "x-kubernetes-map-type": "atomic" },
        "granularStruct": { "type": "object", "properties": { "x": text, "y": text } },
        "atomicStruct": {
            "type": "object",
            "properties": { "x": count, "y": count, "z": { "type": "integer", "default": 1 } },
            "x-kubernetes-map-type": "atomic",
        },
        "freeform": { "type": "object", "x-kubernetes-preserve-unknown-fields": true },
    } })
}

/// A list with these key fields, of which the first is required.
fn keyed(keys: &[&str], fields: &Value) -> Value {
    json!({
        "type": "array",
        "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": keys,
        "items": { "type": "object", "required": [keys[0]], "properties": fields },
    })
}

/// See `Context::gizmos`.
pub(super) fn status() -> Value {
    json!({ "type": "object", "properties": {
        "phase": { "type": "string" },
        "replicas": { "type": "integer", "format": "int32" },
        "selector": { "type": "string" },
    } })
}
