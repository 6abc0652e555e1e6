//! The custom resources of a run.

mod gizmo_schema;
mod vessel_schema;

use model::{GROUP, Halt, Request, Resource};
use serde_json::{Value, json};

use crate::context::Context;
pub(crate) use crate::fixture::DEFINITIONS;
use crate::fixture::labels_of;

const VESSELS: &str = "vessels";
const GIZMOS: &str = "gizmos";
const EDITIONS: &str = "editions";
const RELEASES: &str = "releases";

/// The warning of v1beta1 of the releases.
pub const DEPRECATION_WARNING: &str = r#"use v1 "now", not a\b"#;

impl Context {
    /// The custom resource of generic scenarios, with status and scale.
    pub async fn gadgets_resource(&self) -> Result<Resource, Halt> {
        let gadgets = &self.session().definitions.gadgets;
        gadgets.get_or_try_init(|| define_once(self, "gadgets")).await.cloned()
    }

    /// The custom resource that preserves unknown fields: see [`Context::open_custom_resources`].
    pub(crate) async fn vessels_resource(&self) -> Result<Resource, Halt> {
        self.session().definitions.vessels.get_or_try_init(|| define_once(self, VESSELS)).await.cloned()
    }

    /// The custom resource with every type of list and map: see [`Context::gizmos`].
    pub(crate) async fn gizmos_resource(&self) -> Result<Resource, Halt> {
        self.session().definitions.gizmos.get_or_try_init(|| define_once(self, GIZMOS)).await.cloned()
    }

    /// The custom resource with several versions: v2, v1 and v1beta1 are served, v3alpha1 is not.
    pub async fn editions_resource(&self) -> Result<Resource, Halt> {
        self.session().definitions.editions.get_or_try_init(|| define_once(self, EDITIONS)).await.cloned()
    }

    /// The custom resource with many versions, all served: v1, which is stored, v2, v10, v1alpha1, v1beta1, v2alpha1,
    /// foo1 and foo10. v1alpha1 and v1beta1 are deprecated, the latter with the text [`DEPRECATION_WARNING`].
    pub async fn releases_resource(&self) -> Result<Resource, Halt> {
        self.session().definitions.releases.get_or_try_init(|| define_once(self, RELEASES)).await.cloned()
    }
}

/// Defines a custom resource that all scenarios share.
async fn define_once(cx: &Context, plural: &str) -> Result<Resource, Halt> {
    cx.session().client.shared(plural).run(define(cx, plural)).await
}

/// Defines a custom resource of the run and waits until the server serves it.
pub(crate) async fn define(cx: &Context, plural: &str) -> Result<Resource, Halt> {
    if !cx.target_info().serves("apiextensions.k8s.io") {
        return Err(cx.lacks("CustomResources", "it does not serve apiextensions.k8s.io"));
    }
    let resource = create_definition(cx, plural).await?;
    cx.wait_until_served(&Request::get(format!("{}/{}", resource.root(), resource.plural))).await?;
    Ok(resource)
}

/// Defines a custom resource of the run; the server may not serve it yet.
async fn create_definition(cx: &Context, plural: &str) -> Result<Resource, Halt> {
    let session = cx.session();
    // A search of leftovers looks at preferred versions only, and other types do not have that of several.
    let has_own = [EDITIONS, RELEASES].contains(&plural);
    let group = if has_own { cx.own_name(plural) } else { session.id.clone() };
    let resource = Resource {
        group: format!("{group}{GROUP}"),
        version: "v1".to_owned(),
        plural: plural.to_owned(),
        kind: format!("{}{}", plural[..1].to_uppercase(), &plural[1..]),
    };
    let name = name_of(&resource);
    session.fixtures.register_object(&format!("{DEFINITIONS}/{name}"));
    let created = cx.send(Request::post(DEFINITIONS, &manifest(&resource, &session.id))).await?;
    if created.status() == 409 {
        // An earlier scenario has created it, and given up the wait for it.
        let listed = cx.send(Request::get(format!("{}/{}", resource.root(), resource.plural))).await?;
        if !listed.succeeded() {
            return Err(cx.test_error(format!("use the custom resource {name}"), listed.brief()).into());
        }
    } else if !created.succeeded() {
        return Err(cx.test_error(format!("define the custom resource {name}"), created.brief()).into());
    }
    Ok(resource)
}

pub(crate) fn name_of(resource: &Resource) -> String {
    format!("{}.{}", resource.plural, resource.group)
}

/// The definition of a custom resource of the run.
pub(crate) fn manifest(resource: &Resource, run: &str) -> Value {
    json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": { "name": name_of(resource), "labels": labels_of(run) },
        "spec": {
            "group": resource.group,
            "scope": "Namespaced",
            "names": {
                "plural": resource.plural,
                "singular": resource.kind.to_lowercase() + "-one",
                "shortNames": [format!("assay-{}", resource.plural)],
                "categories": ["assay"],
                "kind": resource.kind,
                "listKind": format!("{}List", resource.kind),
            },
            "versions": versions_of(resource),
        },
    })
}

fn versions_of(resource: &Resource) -> Vec<Value> {
    let others: &[_] = match resource.plural.as_str() {
        EDITIONS => &["v3alpha1", "v2", "v1beta1"],
        RELEASES => &["v1alpha1", "v1beta1", "v2alpha1", "v2", "v10", "foo1", "foo10"],
        _ => &[],
    };
    let version = |name: &str| {
        let mut version = json!({
            "name": name,
            "served": name != "v3alpha1",
            "storage": name == resource.version,
            "schema": { "openAPIV3Schema": schema_of(&resource.plural) },
            "subresources": subresources_of(&resource.plural),
            "additionalPrinterColumns": printer_columns_of(&resource.plural),
        });
        if resource.plural == RELEASES && ["v1alpha1", "v1beta1"].contains(&name) {
            version["deprecated"] = true.into();
        }
        if resource.plural == RELEASES && name == "v1beta1" {
            version["deprecationWarning"] = DEPRECATION_WARNING.into();
        }
        version
    };
    others.iter().copied().chain([resource.version.as_str()]).map(version).collect()
}

fn schema_of(plural: &str) -> Value {
    let (spec, status) = match plural {
        VESSELS => return vessel_schema::schema(),
        GIZMOS => (gizmo_schema::spec(), gizmo_schema::status()),
        _ => (spec_schema(), status_schema()),
    };
    json!({ "type": "object", "properties": { "spec": spec, "status": status } })
}

fn subresources_of(plural: &str) -> Value {
    if plural == VESSELS {
        return json!({ "status": {} });
    }
    json!({ "status": {}, "scale": {
        "specReplicasPath": ".spec.replicas",
        "statusReplicasPath": ".status.replicas",
        "labelSelectorPath": ".status.selector",
    } })
}

/// Gizmos have printer columns of their own, the others the default ones.
fn printer_columns_of(plural: &str) -> Value {
    if plural != GIZMOS {
        return json!([]);
    }
    json!([
        { "name": "Size", "type": "integer", "format": "int32", "jsonPath": ".spec.size" },
        { "name": "Mode", "type": "string", "priority": 1, "jsonPath": ".spec.mode" },
        { "name": "Phase", "type": "string", "jsonPath": ".status.phase" },
        { "name": "Born", "type": "date", "jsonPath": ".metadata.creationTimestamp" },
    ])
}

/// A schema with every feature of structural schemas. Nothing is required: an object with a `value` is valid. No field
/// has a default unless its parent is present.
fn spec_schema() -> Value {
    let text = json!({ "type": "string" });
    json!({ "type": "object", "properties": {
        "value": text,
        "replicas": { "type": "integer", "format": "int32", "minimum": 0 },
        "size": { "type": "integer", "minimum": 0, "maximum": 100 },
        "colour": { "type": "string", "enum": ["red", "green", "blue"] },
        "code": { "type": "string", "pattern": "^[a-z]{1,8}$" },
        "remark": { "type": "string", "nullable": true },
        "amount": { "x-kubernetes-int-or-string": true },
        "style": { "type": "object", "properties": {
            "colour": { "type": "string", "default": "red" },
            "finish": { "type": "string", "enum": ["matt", "glossy"], "default": "matt" },
            "size": { "type": "integer" },
        } },
        "total": { "type": "integer", "format": "int64" },
        "when": { "type": "string", "format": "date-time" },
        "done": { "type": "boolean" },
        "map": { "type": "object", "additionalProperties": text },
        "whole": { "type": "object", "x-kubernetes-map-type": "atomic", "properties": { "a": text, "b": text } },
        "free": { "type": "object", "x-kubernetes-preserve-unknown-fields": true },
        "list": { "type": "array", "items": text },
        "set": { "type": "array", "x-kubernetes-list-type": "set", "items": text },
        "ports": {
            "type": "array",
            "x-kubernetes-list-type": "map",
            "x-kubernetes-list-map-keys": ["name"],
            "items": { "type": "object", "required": ["name"], "properties": {
                "name": text,
                "port": { "type": "integer" },
                "protocol": { "type": "string", "default": "TCP" },
            } },
        },
    } })
}

fn status_schema() -> Value {
    let (text, count) = (json!({ "type": "string" }), json!({ "type": "integer", "format": "int32" }));
    json!({ "type": "object", "properties": {
        "phase": text,
        "replicas": count,
        "readyReplicas": count,
        "selector": text,
        "observedGeneration": { "type": "integer", "format": "int64" },
        "conditions": {
            "type": "array",
            "x-kubernetes-list-type": "map",
            "x-kubernetes-list-map-keys": ["type"],
            "items": { "type": "object", "required": ["type", "status"], "properties": {
                "type": text, "status": text, "reason": text, "message": text,
                "lastTransitionTime": text, "observedGeneration": { "type": "integer", "format": "int64" },
            } },
        },
    } })
}
