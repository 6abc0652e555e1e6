//! The resource under test: how the objects of its type are written.

mod pointer;
mod subject_spec;

use std::sync::Arc;

use serde_json::{Value, json};

use crate::resource::Resource;

pub use pointer::dotted;
pub use subject_spec::{SubjectSpec, Template, TemplateError};

/// A type, and how its objects are written.
#[derive(Debug, Clone)]
#[expect(clippy::struct_excessive_bools, reason = "facts of a type, each of its own")]
pub struct ResourceUnderTest {
    /// The type.
    pub resource: Resource,
    /// Whether its objects live in namespaces.
    pub namespaced: bool,
    /// What can be asked of it, where that is not everything.
    pub verbs: Option<Vec<String>>,
    /// Whether the status has a subresource of its own.
    pub status: bool,
    /// Whether there is a scale subresource.
    pub scale: bool,
    /// Whether its schema lets objects keep fields that it does not know.
    pub keeps_unknown_fields: bool,
    /// An object without a name.
    manifest: Value,
    /// Where it holds the one value that scenarios write.
    value_at: Arc<str>,
    /// Where its status holds one, if it has a status.
    status_at: Option<Arc<str>>,
}

/// Where the objects of all shapes but a user's hold their value.
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

    /// The built-in type with spec, status and scale that needs nobody to act on it.
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
        let shape = Self::new(Resource::of("apps", "v1", "deployments", "Deployment"), manifest, VALUES[2]);
        Self { status: true, scale: true, status_at, ..shape }
    }

    /// The built-in type whose objects live in no namespace, and which nobody heeds as long as nothing refers to them.
    pub fn cluster_roles() -> Self {
        let resource = Resource::of("rbac.authorization.k8s.io", "v1", "clusterroles", "ClusterRole");
        let rule = json!({
            "apiGroups": ["kube-assay.dev"], "resources": ["things"], "resourceNames": [""], "verbs": ["get"],
        });
        Self { namespaced: false, ..Self::new(resource, json!({ "rules": [rule] }), VALUES[3]) }
    }

    /// An object of that name holding one value, as scenarios write it, without a status.
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

    /// Writes a value into a whole object.
    pub fn write(&self, object: &mut Value, value: &str) {
        pointer::set(object, &self.value_at, value.into());
    }

    /// Writes a value into the status of a whole object, if it is known where.
    pub fn write_status(&self, object: &mut Value, value: &str) {
        let Some(change) = self.status_change(value) else { return };
        merge_into(object, change);
    }

    /// A merge patch that writes a value.
    pub fn change(&self, value: &str) -> Value {
        pointer::merge_patch(&self.manifest, &self.value_at, value.into())
    }

    /// A merge patch of the status that writes a value there; `None` where it is not known what a status may hold.
    pub fn status_change(&self, value: &str) -> Option<Value> {
        let status_at = self.status_at.as_ref()?;
        Some(pointer::merge_patch(&self.manifest, status_at, value.into()))
    }

    /// Where an object holds its value, as a JSON pointer.
    pub fn value_at(&self) -> &Arc<str> {
        &self.value_at
    }

    /// Where an object's status holds its value, as a JSON pointer, if it is known.
    pub fn status_at(&self) -> Option<&str> {
        self.status_at.as_deref()
    }

    /// Whether a change of the value is one of the spec: of what a generation counts.
    pub fn value_in_spec(&self) -> bool {
        !self.value_at.starts_with("/metadata/")
    }

    /// The verb of a type that the server does not support, if a request needs one.
    pub fn lacks(&self, verb: &str) -> bool {
        self.verbs.as_ref().is_some_and(|verbs| !verbs.iter().any(|known| known == verb))
    }

    /// Such as `widgets.example.com`.
    pub fn group_resource(&self) -> String {
        let Resource { group, plural, .. } = &self.resource;
        if group.is_empty() { plural.clone() } else { format!("{plural}.{group}") }
    }
}

/// Carries out a merge patch that removes nothing.
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

/// Adds the fields of one object to another, which keeps its own.
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
    fn each_shape_holds_the_value_that_was_written() {
        let widgets = Resource::of("example.com", "v1", "widgets", "Widget");
        let shapes = [
            ResourceUnderTest::of(Resource::configmaps()),
            ResourceUnderTest::deployments(),
            ResourceUnderTest::cluster_roles(),
            ResourceUnderTest::defined(widgets),
        ];
        for shape in shapes {
            let body = shape.body("a", "first");
            assert_eq!(body.pointer(shape.value_at()), Some(&json!("first")));
            assert_eq!(crate::object::Object::new(body.clone()).value(), "first", "{body}");
            assert_eq!(body["metadata"]["name"], "a");
            assert_eq!(body.get("status"), None);
            let change = crate::object::Object::new(shape.change("second"));
            assert_eq!(change.value(), "second");
        }
    }

    #[test]
    fn a_status_is_changed_in_whole_lists() {
        let change = ResourceUnderTest::deployments().status_change("v").unwrap();
        let condition = json!({ "type": "Assayed", "status": "True", "message": "v" });
        assert_eq!(change, json!({ "status": { "conditions": [condition] } }));
        assert_eq!(ResourceUnderTest::cluster_roles().status_change("v"), None);
    }
}
