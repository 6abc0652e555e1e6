//! The resource under test: a type, and the form of its objects.

mod pointer;
mod subject_spec;

use std::sync::Arc;

use serde_json::{Value, json};

use crate::resource::Resource;

pub use pointer::dotted;
pub use subject_spec::{SubjectSpec, Template, TemplateError};

/// A type, and the form of its objects.
#[derive(Debug, Clone)]
#[expect(clippy::struct_excessive_bools, reason = "facts of a type, each of its own")]
pub struct ResourceUnderTest {
    /// The type.
    pub resource: Resource,
    /// Whether its objects live in namespaces.
    pub namespaced: bool,
    /// The verbs that the server supports; `None` for all.
    pub verbs: Option<Vec<String>>,
    /// Whether it has a status subresource.
    pub status: bool,
    /// Whether it has a scale subresource.
    pub scale: bool,
    /// Whether its schema preserves unknown fields.
    pub keeps_unknown_fields: bool,
    /// An object without a name.
    manifest: Value,
    /// The JSON pointer to the value that scenarios write.
    value_at: Arc<str>,
    /// The JSON pointer to a value of the status, if known.
    status_at: Option<Arc<str>>,
}

/// The JSON pointers to the value, in types other than a user's.
pub(crate) const VALUES: [&str; 4] =
    ["/data/value", "/spec/value", "/spec/template/metadata/annotations/value", "/rules/0/resourceNames/0"];

impl ResourceUnderTest {
    /// A type of namespaced objects whose data or spec takes any `value`.
    pub fn of(resource: Resource) -> Self {
        let value_at = if resource.group.is_empty() { VALUES[0] } else { VALUES[1] };
        Self::new(resource, json!({}), value_at)
    }

    fn new(resource: Resource, manifest: Value, value_at: &str) -> Self {
        let (verbs, value_at) = (None, value_at.into());
        let (namespaced, status, scale, status_at) = (true, false, false, None);
        let keeps_unknown_fields = false;
        Self {
            resource,
            namespaced,
            verbs,
            status,
            scale,
            keeps_unknown_fields,
            manifest,
            value_at,
            status_at,
        }
    }

    /// The run's custom resource: see `definition`.
    pub fn defined(resource: Resource) -> Self {
        let status_at = Some("/status/phase".into());
        Self { status: true, scale: true, status_at, ..Self::of(resource) }
    }

    /// Deployments: built-in, with spec, status and scale. Without replicas they need no controller.
    pub fn deployments() -> Self {
        let labels = json!({ "app": "kube-assay" });
        let container = json!({ "name": "none", "image": "kube-assay.dev/none" });
        let spec = json!({
            "replicas": 0,
            "selector": { "matchLabels": labels },
            "template": { "metadata": { "labels": labels }, "spec": { "containers": [container] } },
        });
        let condition = json!({ "type": "Assayed", "status": "True", "message": "" });
        let manifest = json!({ "spec": spec, "status": { "conditions": [condition] } });
        let status_at = Some("/status/conditions/0/message".into());
        let deployments =
            Self::new(Resource::of("apps", "v1", "deployments", "Deployment"), manifest, VALUES[2]);
        Self { status: true, scale: true, status_at, ..deployments }
    }

    /// `ClusterRoles`: built-in, without namespaces. Without a binding they have no effect.
    pub fn cluster_roles() -> Self {
        let resource = Resource::of("rbac.authorization.k8s.io", "v1", "clusterroles", "ClusterRole");
        let rule = json!({
            "apiGroups": ["kube-assay.dev"], "resources": ["things"], "resourceNames": [""], "verbs": ["get"],
        });
        Self { namespaced: false, ..Self::new(resource, json!({ "rules": [rule] }), VALUES[3]) }
    }

    /// An object with this name and this value, without a status.
    pub fn body(&self, name: &str, value: &str) -> Value {
        let mut body = json!({
            "apiVersion": self.resource.api_version(),
            "kind": self.resource.kind,
            "metadata": { "name": name },
        });
        for (field, content) in self.manifest.as_object().into_iter().flatten() {
            match field.as_str() {
                "apiVersion" | "kind" | "status" => {}
                "metadata" => merge(&mut body["metadata"], content),
                _ => body[field] = content.clone(),
            }
        }
        self.write(&mut body, value);
        body
    }

    /// Writes the value into an object.
    pub fn write(&self, object: &mut Value, value: &str) {
        pointer::set(object, &self.value_at, value.into());
    }

    /// Writes the value of the status into an object, if its pointer is known.
    pub fn write_status(&self, object: &mut Value, value: &str) {
        let Some(change) = self.status_change(value) else { return };
        merge_into(object, change);
    }

    /// A merge patch that writes the value.
    pub fn change(&self, value: &str) -> Value {
        pointer::merge_patch(&self.manifest, &self.value_at, value.into())
    }

    /// A merge patch that writes the value of the status; `None` if its pointer is unknown.
    pub fn status_change(&self, value: &str) -> Option<Value> {
        let status_at = self.status_at.as_ref()?;
        Some(pointer::merge_patch(&self.manifest, status_at, value.into()))
    }

    /// The JSON pointer to the value.
    pub fn value_at(&self) -> &Arc<str> {
        &self.value_at
    }

    /// The JSON pointer to the value of the status, if known.
    pub fn status_at(&self) -> Option<&str> {
        self.status_at.as_deref()
    }

    /// Whether a change of the value increments the generation: the value is not in the metadata.
    pub fn value_in_spec(&self) -> bool {
        !self.value_at.starts_with("/metadata/")
    }

    /// Whether the server does not support a verb for this type.
    pub fn lacks(&self, verb: &str) -> bool {
        self.verbs.as_ref().is_some_and(|verbs| !verbs.iter().any(|known| known == verb))
    }

    /// Plural and group, such as `widgets.example.com`.
    pub fn group_resource(&self) -> String {
        let Resource { group, plural, .. } = &self.resource;
        if group.is_empty() { plural.clone() } else { format!("{plural}.{group}") }
    }
}

/// Applies a merge patch that removes nothing.
fn merge_into(object: &mut Value, patch: Value) {
    match patch {
        Value::Object(fields) if object.is_object() || object.is_null() => {
            for (name, value) in fields {
                merge_into(&mut object[name], value);
            }
        }
        other => *object = other,
    }
}

/// Adds the missing fields of one object to another.
fn merge(into: &mut Value, from: &Value) {
    for (name, value) in from.as_object().into_iter().flatten() {
        if into.get(name).is_none() {
            into[name] = value.clone();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_resource_holds_the_written_value() {
        let widgets = Resource::of("example.com", "v1", "widgets", "Widget");
        let resources = [
            ResourceUnderTest::of(Resource::configmaps()),
            ResourceUnderTest::deployments(),
            ResourceUnderTest::cluster_roles(),
            ResourceUnderTest::defined(widgets),
        ];
        for resource in resources {
            let body = resource.body("a", "first");
            assert_eq!(body.pointer(resource.value_at()), Some(&json!("first")));
            assert_eq!(crate::object::Object::new(body.clone()).value(), "first", "{body}");
            assert_eq!(body["metadata"]["name"], "a");
            assert_eq!(body.get("status"), None);
            let change = crate::object::Object::new(resource.change("second"));
            assert_eq!(change.value(), "second");
        }
    }

    #[test]
    fn a_patch_of_the_status_sends_whole_lists() {
        let change = ResourceUnderTest::deployments().status_change("v").unwrap();
        let condition = json!({ "type": "Assayed", "status": "True", "message": "v" });
        assert_eq!(change, json!({ "status": { "conditions": [condition] } }));
        assert_eq!(ResourceUnderTest::cluster_roles().status_change("v"), None);
    }
}
