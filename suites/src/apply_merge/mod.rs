//! Area `apply-merge`: how server-side apply merges a configuration into an object.

mod atomic;
mod builtin;
mod custom;
mod deployment;
mod granular_maps;
mod keyed_lists;
mod schema_markers;
mod set_lists;
mod three_way;

use crate::prelude::*;

suite![
    "apply-merge",
    three_way,
    atomic,
    set_lists,
    keyed_lists,
    granular_maps,
    schema_markers,
    builtin,
    deployment,
    custom
];

/// Fields of an object: one field of the spec.
fn spec(field: &str, value: Value) -> Value {
    let mut fields = json!({ "spec": {} });
    fields["spec"][field] = value;
    fields
}

/// The schema of a list of objects with a name, merged by the name; the objects may have more fields.
fn keyed_list(fields: &Value) -> Value {
    let item = json!({ "type": "object", "required": ["name"], "properties": fields });
    json!({
        "type": "array", "items": item, "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"],
    })
}
