//! The schemas of types: of custom ones what their definition says, of built-in ones what the table of kinds knows.

use serde_json::{Map, Value, json};

use crate::kind::{self, Field, Kind, Merge, Shape};
use crate::resource::ResourceType;

/// The group of what many kinds consist of.
const COMMON: &str = "io.k8s.apimachinery.pkg.apis.meta.v1";

/// Parts of kinds that belong to no group.
const PARTS: &str = "io.k8s.api.v1";

/// What a condition of its own kind must say.
const CONDITION: &[&str] = &["type", "status"];

/// What a condition in the common form must say.
const COMMON_CONDITION: &[&str] = &["type", "status", "lastTransitionTime", "reason", "message"];

/// The schemas of a document.
pub(super) struct Schemas {
    /// What references begin with.
    place: &'static str,
    all: Map<String, Value>,
}

impl Schemas {
    /// None yet.
    pub(super) fn at(place: &'static str) -> Self {
        Self { place, all: Map::new() }
    }

    /// A reference to a schema.
    pub(super) fn reference(&self, name: &str) -> Value {
        json!({"$ref": format!("{}{name}", self.place)})
    }

    /// All of them by name.
    pub(super) fn into_all(self) -> Map<String, Value> {
        self.all
    }

    /// Adds a type, and the kinds that it consists of.
    pub(super) fn add(&mut self, ty: &ResourceType) {
        let mut schema = match (&ty.custom, kind::of(&ty.kind)) {
            (Some(custom), _) => custom.schema.clone(),
            (None, Some(kind)) => self.of(kind),
            (None, None) => {
                let any = self.of_shape(&Shape::Any);
                json!({"type": "object", "properties": {"spec": any, "status": any}})
            }
        };
        if !schema["properties"].is_object() {
            schema["properties"] = json!({});
        }
        let metadata = self.of_shape(&Shape::Kind("ObjectMeta"));
        let properties = &mut schema["properties"];
        properties["apiVersion"] = json!({"type": "string"});
        properties["kind"] = json!({"type": "string"});
        properties["metadata"] = metadata;
        schema["x-kubernetes-group-version-kind"] =
            json!([{"group": ty.group, "version": ty.version, "kind": ty.kind}]);
        self.all.insert(name(ty), schema);
    }

    fn of(&mut self, kind: &Kind) -> Value {
        let fields = kind.fields().map(|(name, field)| (name.to_owned(), self.of_field(name, field)));
        let fields: Map<_, _> = fields.collect();
        let mut schema = json!({"type": "object", "properties": fields});
        match kind.name {
            "Condition" => schema["required"] = COMMON_CONDITION.into(),
            name if name.ends_with("Condition") && fields.contains_key("type") => {
                schema["required"] = CONDITION.into();
            }
            _ => {}
        }
        schema
    }

    fn of_field(&mut self, name: &str, field: &Field) -> Value {
        let mut schema = self.of_shape(&field.shape);
        match field.merge {
            Merge::Replace => {}
            Merge::Set => schema["x-kubernetes-patch-strategy"] = "merge".into(),
            Merge::By(key) => {
                schema["x-kubernetes-patch-strategy"] = "merge".into();
                schema["x-kubernetes-patch-merge-key"] = key.into();
            }
        }
        if name == "conditions" {
            schema["x-kubernetes-list-type"] = "map".into();
            schema["x-kubernetes-list-map-keys"] = json!(["type"]);
        }
        schema
    }

    fn of_shape(&mut self, shape: &Shape) -> Value {
        match shape {
            Shape::Kind(name) => self.of_part(name),
            Shape::List(item) => json!({"type": "array", "items": self.of_shape(item)}),
            Shape::Map(item) => json!({"type": "object", "additionalProperties": self.of_shape(item)}),
            Shape::Text | Shape::Quantity => json!({"type": "string"}),
            Shape::Bytes => json!({"type": "string", "format": "byte"}),
            Shape::Time => json!({"type": "string", "format": "date-time"}),
            Shape::Int32 => json!({"type": "integer", "format": "int32"}),
            Shape::Int64 => json!({"type": "integer", "format": "int64"}),
            Shape::Bool => json!({"type": "boolean"}),
            Shape::Number => json!({"type": "number"}),
            Shape::IntOrText => json!({"type": "string", "format": "int-or-string"}),
            Shape::Any => json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true}),
        }
    }

    /// A reference to a kind that others consist of, whose schema is added with it.
    fn of_part(&mut self, name: &str) -> Value {
        let common = ["Condition", "LabelSelector", "ObjectMeta"].contains(&name);
        let full = format!("{}.{name}", if common { COMMON } else { PARTS });
        if let Some(kind) = kind::of(name).filter(|_| !self.all.contains_key(&full)) {
            // Some kinds consist of themselves.
            self.all.insert(full.clone(), Value::Null);
            let schema = self.of(kind);
            self.all.insert(full.clone(), schema);
        }
        self.reference(&full)
    }
}

/// The name of a type's schema.
pub(super) fn name(ty: &ResourceType) -> String {
    let group = if ty.group.is_empty() { "core" } else { &ty.group };
    let reversed: Vec<&str> = group.split('.').rev().collect();
    format!("{}.{}.{}", reversed.join("."), ty.version, ty.kind)
}
