//! Types for server-side apply of custom resources, from structural schemas.

use serde_json::Value;

use super::built_in_types::kind_type;
use super::types::{FieldType, Forms, Items, ListType, MapType, ScalarType, Type};

/// The type of the objects of a structural schema.
pub(crate) fn structural_type(schema: &Value) -> Type {
    type_of(schema, false, true)
}

/// The type of a value. `x-kubernetes-preserve-unknown-fields` holds for all nested values.
fn type_of(schema: &Value, preserves: bool, whole: bool) -> Type {
    let preserves = preserves || schema["x-kubernetes-preserve-unknown-fields"] == true;
    let map = || map_of(schema, preserves, whole || schema["x-kubernetes-embedded-resource"] == true);
    match schema["type"].as_str() {
        Some("object") => Type::map(map()),
        Some("array") => Type::new(Forms { list: Some(list_of(schema, preserves)), ..Forms::default() }),
        Some("string") => Type::scalar(match schema["format"].as_str() {
            None | Some("" | "byte") => ScalarType::Text,
            Some(_) => ScalarType::Any,
        }),
        Some("integer" | "number") => Type::scalar(ScalarType::Number),
        Some("boolean") => Type::scalar(ScalarType::Bool),
        _ => Type::new(Forms {
            scalar: Some(ScalarType::Any),
            list: Some(list_of(schema, preserves)),
            map: Some(map()),
        }),
    }
}

fn map_of(schema: &Value, preserves: bool, whole: bool) -> MapType {
    let known = schema["properties"].as_object();
    let mut map = MapType { atomic: schema["x-kubernetes-map-type"] == "atomic", ..MapType::default() };
    for (name, schema) in known.into_iter().flatten() {
        let field =
            FieldType { ty: type_of(schema, preserves, false), default: schema.get("default").cloned() };
        map.fields.insert(name.clone(), field);
    }
    if whole {
        let text = || FieldType { ty: Type::scalar(ScalarType::Text), default: None };
        map.fields.insert("apiVersion".to_owned(), text());
        map.fields.insert("kind".to_owned(), text());
        map.fields.insert("metadata".to_owned(), FieldType { ty: kind_type("ObjectMeta"), default: None });
    }
    map.rest = match &schema["additionalProperties"] {
        Value::Null if preserves || map.fields.is_empty() => Some(Type::Deduced),
        Value::Bool(true) => Some(Type::Deduced),
        schema @ Value::Object(_) => Some(type_of(schema, preserves, false)),
        _ => None,
    };
    map
}

fn list_of(schema: &Value, preserves: bool) -> ListType {
    let keys = || {
        let keys = schema["x-kubernetes-list-map-keys"].as_array().into_iter().flatten();
        keys.filter_map(|key| key.as_str().map(str::to_owned)).collect()
    };
    let items = match schema["x-kubernetes-list-type"].as_str() {
        Some("set") => Items::Set,
        Some("map") => Items::Keyed(keys()),
        _ => Items::Atomic,
    };
    let item = match &schema["items"] {
        item @ Value::Object(_) => type_of(item, preserves, false),
        _ => Type::Untyped,
    };
    ListType { items, item }
}
