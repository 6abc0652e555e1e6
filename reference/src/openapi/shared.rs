//! `OpenAPI` schemas of common types: `ListMeta`, `DeleteOptions`, `WatchEvent` and `Quantity`.

use std::sync::Arc;

use serde_json::{Map, Value, json};

use crate::resource_type::ResourceType;

/// The name prefix of the meta group.
pub(super) const META: &str = "io.k8s.apimachinery.pkg.apis.meta.v1";

/// The name of the schema of quantities.
pub(super) const QUANTITY: &str = "io.k8s.apimachinery.pkg.api.resource.Quantity";

/// The place of the schemas in a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// `OpenAPI` v2.
    Definitions,
    /// `OpenAPI` v3.
    Components,
}

impl Place {
    /// A reference to a schema.
    pub(super) fn reference(self, name: &str) -> Value {
        match self {
            Self::Definitions => json!({"$ref": format!("#/definitions/{name}")}),
            Self::Components => json!({"$ref": format!("#/components/schemas/{name}")}),
        }
    }

    /// A reference to a metadata schema, with a default in v3.
    pub(super) fn metadata(self, kind: &str) -> Value {
        let reference = self.reference(&format!("{META}.{kind}"));
        match self {
            Self::Definitions => reference,
            Self::Components => json!({"default": {}, "allOf": [reference]}),
        }
    }
}

pub(super) fn schemas(place: Place, types: &[Arc<ResourceType>]) -> Map<String, Value> {
    let kinds = |kind: &str| Value::from(group_versions(types, kind));
    let options = json!({"type": "object", "x-kubernetes-group-version-kind": kinds("DeleteOptions"), "properties": {
        "apiVersion": text(), "kind": text(), "propagationPolicy": text(),
        "gracePeriodSeconds": number(), "orphanDependents": {"type": "boolean"},
        "ignoreStoreReadErrorWithClusterBreakingPotential": {"type": "boolean"},
        "dryRun": {"type": "array", "items": text()}, "preconditions": {"type": "object"},
    }});
    let event = json!({"type": "object", "x-kubernetes-group-version-kind": kinds("WatchEvent"),
        "required": ["type", "object"], "properties": {"type": text(), "object": {"type": "object"}}});
    let list = json!({"type": "object", "properties": {
        "continue": text(), "remainingItemCount": number(), "resourceVersion": text(), "selfLink": text(),
    }});
    // A client may send a number; `OpenAPI` v2 cannot express two types.
    let quantity = match place {
        Place::Definitions => text(),
        Place::Components => json!({"oneOf": [{"type": "string"}, {"type": "number"}]}),
    };
    let all = [("DeleteOptions", options), ("WatchEvent", event), ("ListMeta", list)];
    let of_meta = all.map(|(name, schema)| (format!("{META}.{name}"), schema));
    of_meta.into_iter().chain([(QUANTITY.to_owned(), quantity)]).collect()
}

fn text() -> Value {
    json!({"type": "string"})
}

fn number() -> Value {
    json!({"type": "integer", "format": "int64"})
}

/// A kind in the group versions of all built-in types.
fn group_versions(types: &[Arc<ResourceType>], kind: &str) -> Vec<Value> {
    let mut all = Vec::new();
    for ty in types.iter().filter(|ty| ty.custom.is_none()) {
        let entry = json!({"group": ty.group, "version": ty.version, "kind": kind});
        if !all.contains(&entry) {
            all.push(entry);
        }
    }
    all
}
