//! The schemas of built-in kinds, from the table of their fields: what they hold, and how it is merged and owned.

use serde_json::{Map, Value, json};

use crate::kind::{self, Field, Kind, Merge, Ownership, Shape};

/// The schema of a kind; one that says nothing for a kind that is not in the table.
pub(super) fn schema(name: &str) -> Value {
    kind::of(name).map_or_else(free, of_kind)
}

fn free() -> Value {
    json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true})
}

fn of_kind(kind: &Kind) -> Value {
    let mut properties: Vec<(String, Value)> =
        kind.fields().map(|(name, field)| (name.to_owned(), of_field(field))).collect();
    properties.sort_by(|one, other| one.0.cmp(&other.0));
    let mut schema = json!({"type": "object", "properties": Value::Object(properties.into_iter().collect())});
    if kind.atomic {
        schema["x-kubernetes-map-type"] = "atomic".into();
    }
    schema
}

fn of_field(field: &Field) -> Value {
    let mut schema = of_shape(&field.shape);
    match field.merge {
        Merge::Replace => {}
        Merge::Set => schema["x-kubernetes-patch-strategy"] = "merge".into(),
        Merge::By(key) => {
            schema["x-kubernetes-patch-strategy"] = "merge".into();
            schema["x-kubernetes-patch-merge-key"] = key.into();
        }
    }
    let is_list = matches!(field.shape, Shape::List(_));
    match &field.ownership {
        Ownership::Whole if is_list => schema["x-kubernetes-list-type"] = "atomic".into(),
        Ownership::Whole => schema["x-kubernetes-map-type"] = "atomic".into(),
        Ownership::Parts if is_list => schema["x-kubernetes-list-type"] = "set".into(),
        Ownership::Parts => {}
        Ownership::Keyed(keys) => {
            schema["x-kubernetes-list-type"] = "map".into();
            schema["x-kubernetes-list-map-keys"] = json!(keys);
        }
    }
    if let Some(default) = &field.default {
        schema["default"] = default.clone();
    }
    schema
}

fn of_shape(shape: &Shape) -> Value {
    let scalar = |ty: &str, format: &str| {
        let mut schema = Map::from_iter([("type".to_owned(), ty.into())]);
        if !format.is_empty() {
            schema.insert("format".to_owned(), format.into());
        }
        Value::Object(schema)
    };
    match shape {
        Shape::Kind(name) => schema(name),
        Shape::List(item) => json!({"type": "array", "items": of_shape(item)}),
        Shape::Map(item) => json!({"type": "object", "additionalProperties": of_shape(item)}),
        Shape::Text | Shape::Quantity => scalar("string", ""),
        Shape::Bytes => scalar("string", "byte"),
        Shape::Time => scalar("string", "date-time"),
        Shape::Int32 => scalar("integer", "int32"),
        Shape::Int64 => scalar("integer", "int64"),
        Shape::Bool => scalar("boolean", ""),
        Shape::Number => scalar("number", ""),
        Shape::IntOrText => scalar("string", "int-or-string"),
        Shape::Any => free(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_schema_tells_how_lists_and_maps_are_owned() {
        let service = schema("Service");
        let spec = &service["properties"]["spec"]["properties"];
        assert_eq!(spec["ports"]["x-kubernetes-list-map-keys"], json!(["port", "protocol"]));
        assert_eq!(spec["ports"]["x-kubernetes-patch-merge-key"], "port");
        assert_eq!(spec["ports"]["items"]["properties"]["protocol"]["default"], "TCP");
        assert_eq!(spec["selector"]["x-kubernetes-map-type"], "atomic");
        assert_eq!(spec["externalIPs"]["x-kubernetes-list-type"], "atomic");
        let finalizers = &service["properties"]["metadata"]["properties"]["finalizers"];
        assert_eq!(finalizers["x-kubernetes-list-type"], "set");
        assert_eq!(
            schema("ConfigMap")["properties"]["data"]["additionalProperties"],
            json!({"type": "string"})
        );
    }
}
