//! `OpenAPI` schemas of custom and built-in types.

use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::shared::{self, META, Place, QUANTITY};
use crate::kind::{self, Field, Kind, Merge, Ownership, Shape};
use crate::resource_type::ResourceType;

/// The name prefix of built-in kinds' parts.
const PARTS: &str = "io.k8s.api.v1";

/// The kinds in the meta group.
const COMMON: [&str; 3] = ["Condition", "LabelSelector", "ObjectMeta"];

pub(super) struct Schemas {
    place: Place,
    all: Map<String, Value>,
}

impl Schemas {
    /// The schemas that all types share.
    pub(super) fn at(place: Place, types: &[Arc<ResourceType>]) -> Self {
        Self { place, all: shared::schemas(place, types) }
    }

    pub(super) fn into_all(self) -> Map<String, Value> {
        self.all
    }

    /// Adds the schemas of a type, its parts and its list.
    pub(super) fn add(&mut self, ty: &ResourceType) {
        let schema = self.of_type(ty);
        let name = name(ty);
        if ty.verbs.contains(&"list") {
            let list = json!({"type": "object", "required": ["items"], "properties": {
                "apiVersion": {"type": "string"}, "kind": {"type": "string"},
                "metadata": self.place.metadata("ListMeta"),
                "items": {"type": "array", "items": self.place.reference(&name)},
            }, "x-kubernetes-group-version-kind": kinds(ty, &ty.list_kind)});
            self.all.insert(format!("{name}List"), list);
        }
        self.all.insert(name, schema);
    }

    fn of_type(&mut self, ty: &ResourceType) -> Value {
        let mut schema = match (&ty.custom, kind::of_type(ty)) {
            (Some(custom), _) => custom.schema.clone(),
            (None, Some(kind)) => self.of_kind(kind),
            (None, None) => free(),
        };
        if !schema["properties"].is_object() {
            schema["properties"] = json!({});
        }
        self.of_part("ObjectMeta");
        let properties = &mut schema["properties"];
        properties["apiVersion"] = json!({"type": "string"});
        properties["kind"] = json!({"type": "string"});
        properties["metadata"] = self.place.metadata("ObjectMeta");
        schema["x-kubernetes-group-version-kind"] = kinds(ty, &ty.kind);
        schema
    }

    fn of_kind(&mut self, kind: &Kind) -> Value {
        let fields = kind.fields().map(|(name, field)| (name.to_owned(), self.of_field(field)));
        let mut schema = json!({"type": "object", "properties": fields.collect::<Map<_, _>>()});
        if kind.atomic {
            schema["x-kubernetes-map-type"] = "atomic".into();
        }
        let required = kind.fields().filter(|(_, field)| field.required).map(|(name, _)| name);
        let required: Vec<&str> = required.collect();
        if !required.is_empty() {
            schema["required"] = required.into();
        }
        schema
    }

    fn of_field(&mut self, field: &Field) -> Value {
        let mut schema = self.of_shape(&field.shape);
        match field.merge {
            Merge::Replace => {}
            Merge::Set => schema["x-kubernetes-patch-strategy"] = "merge".into(),
            Merge::By(key) => {
                schema["x-kubernetes-patch-strategy"] = "merge".into();
                schema["x-kubernetes-patch-merge-key"] = key.into();
            }
        }
        let is_list = matches!(field.shape, Shape::List(_));
        if let Some(choices) = &field.choices {
            let place = if is_list { &mut schema["items"] } else { &mut schema };
            place["enum"] = choices.clone();
        }
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
        // `OpenAPI` v2 has no defaults.
        if let Some(default) = field.default.as_ref().filter(|_| self.place == Place::Components) {
            schema["default"] = default.clone();
        }
        schema
    }

    fn of_shape(&mut self, shape: &Shape) -> Value {
        let scalar = |ty: &str| json!({"type": ty});
        let formatted = |ty: &str, format: &str| json!({"type": ty, "format": format});
        match shape {
            Shape::Kind(name) => self.of_part(name),
            Shape::List(item) => json!({"type": "array", "items": self.of_shape(item)}),
            Shape::Map(item) => json!({"type": "object", "additionalProperties": self.of_shape(item)}),
            Shape::Text => scalar("string"),
            Shape::Quantity => self.place.reference(QUANTITY),
            Shape::Bytes => formatted("string", "byte"),
            Shape::Time | Shape::MicroTime => formatted("string", "date-time"),
            Shape::Int32 => formatted("integer", "int32"),
            Shape::Int64 => formatted("integer", "int64"),
            Shape::Bool => scalar("boolean"),
            Shape::Number => scalar("number"),
            Shape::IntOrText => formatted("string", "int-or-string"),
            Shape::Any => free(),
        }
    }

    /// A reference to the schema of a part, which is added once.
    fn of_part(&mut self, name: &str) -> Value {
        let full = format!("{}.{name}", if COMMON.contains(&name) { META } else { PARTS });
        if let Some(kind) = kind::of(name).filter(|_| !self.all.contains_key(&full)) {
            // A placeholder ends the recursion of recursive kinds.
            self.all.insert(full.clone(), Value::Null);
            let schema = self.of_kind(kind);
            self.all.insert(full.clone(), schema);
        }
        self.place.reference(&full)
    }
}

/// The name of a type's schema.
pub(super) fn name(ty: &ResourceType) -> String {
    let group = if ty.group.is_empty() { "core" } else { &ty.group };
    let reversed: Vec<&str> = group.split('.').rev().collect();
    format!("{}.{}.{}", reversed.join("."), ty.version, ty.kind)
}

fn kinds(ty: &ResourceType, kind: &str) -> Value {
    json!([{"group": ty.group, "version": ty.version, "kind": kind}])
}

fn free() -> Value {
    json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true})
}

#[cfg(test)]
mod tests {
    use super::*;

    fn properties(kind: &str) -> Value {
        let mut schemas = Schemas::at(Place::Components, &[]);
        schemas.of_part(kind);
        let mut all = schemas.into_all();
        let (_, schema) = all.iter_mut().find(|(name, _)| name.ends_with(&format!(".{kind}"))).unwrap();
        schema["properties"].take()
    }

    #[test]
    fn a_schema_has_the_topology_of_lists_and_maps() {
        let spec = properties("ServiceSpec");
        assert_eq!(spec["ports"]["x-kubernetes-list-map-keys"], json!(["port", "protocol"]));
        assert_eq!(spec["ports"]["x-kubernetes-patch-merge-key"], "port");
        assert_eq!(spec["ports"]["items"]["$ref"], "#/components/schemas/io.k8s.api.v1.ServicePort");
        assert_eq!(spec["selector"]["x-kubernetes-map-type"], "atomic");
        assert_eq!(spec["externalIPs"]["x-kubernetes-list-type"], "atomic");
        assert_eq!(properties("ServicePort")["protocol"]["default"], "TCP");
        assert_eq!(properties("ObjectMeta")["finalizers"]["x-kubernetes-list-type"], "set");
        assert_eq!(properties("ConfigMap")["data"]["additionalProperties"], json!({"type": "string"}));
    }
}
