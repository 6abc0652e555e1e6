//! Resource types: names, scope, verbs and schema of built-in and custom types.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::{autoscaling, schema};

/// All verbs, in the order of discovery.
pub(crate) const VERBS: &[&str] =
    &["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"];

/// A type of objects in one served version.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct ResourceType {
    /// The API group; empty for the core group.
    pub(crate) group: String,
    /// The version, for example `v1`.
    pub(crate) version: String,
    /// The name in paths, for example `configmaps`.
    pub(crate) plural: String,
    /// The singular name.
    pub(crate) singular: String,
    /// The kind of an object.
    pub(crate) kind: String,
    /// The kind of a list.
    pub(crate) list_kind: String,
    pub(crate) namespaced: bool,
    /// The short names of kubectl.
    pub(crate) short_names: Vec<String>,
    /// The categories, for example `all`.
    pub(crate) categories: Vec<String>,
    /// The supported verbs; only `create` for reviews.
    pub(crate) verbs: &'static [&'static str],
    /// The subresources, for example `status`.
    pub(crate) subresources: Vec<String>,
    /// The data of its definition, for a custom type.
    pub(crate) custom: Option<Custom>,
}

/// The part of a definition for one version.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Custom {
    /// The structural schema.
    pub(crate) schema: Value,
    /// The additional printer columns; empty for the defaults.
    pub(crate) columns: Vec<Value>,
    /// The paths of its `scale` subresource.
    pub(crate) scale: Option<Value>,
    /// The JSON paths for field selectors.
    pub(crate) selectable: Vec<String>,
    /// All versions of the definition by name, including unserved ones.
    pub(crate) versions: BTreeMap<String, Value>,
    /// The version in the store.
    pub(crate) storage_version: String,
    /// The deprecation warning for each response.
    pub(crate) warning: Option<String>,
}

impl ResourceType {
    /// The collection's name: `configmaps`, `gizmos.example.com`.
    pub(crate) fn group_resource(&self) -> String {
        if self.group.is_empty() { self.plural.clone() } else { format!("{}.{}", self.plural, self.group) }
    }

    /// The stored collection: two types may share one.
    pub(crate) fn collection(&self) -> String {
        if self.group == crate::event::GROUP { self.plural.clone() } else { self.group_resource() }
    }

    /// The name of a stored field in this type.
    pub(crate) fn name_of_field<'a>(&self, field: &'a str) -> &'a str {
        if self.group == crate::event::GROUP { crate::event::name_in_its_group(field) } else { field }
    }

    /// Renames the fields of an object in a request to those that are stored.
    pub(crate) fn rename_fields(&self, object: &mut Value) {
        if self.group == crate::event::GROUP {
            crate::event::rename_fields(object);
        }
    }

    /// The name in a request of a field in a decoded object.
    pub(crate) fn name_in_request(&self, field: String) -> String {
        if self.group == crate::event::GROUP { crate::event::name_in_request(&field) } else { field }
    }

    /// The `apiVersion` of its objects.
    pub(crate) fn api_version(&self) -> String {
        if self.group.is_empty() { self.version.clone() } else { format!("{}/{}", self.group, self.version) }
    }

    pub(crate) fn has_subresource(&self, name: &str) -> bool {
        self.subresources.iter().any(|subresource| subresource == name)
    }

    /// Whether it has the status subresource.
    pub(crate) fn has_status(&self) -> bool {
        self.has_subresource("status")
    }

    /// Whether it is the built-in type with this plural.
    pub(crate) fn is_built_in(&self, plural: &str) -> bool {
        self.custom.is_none() && self.plural == plural
    }

    /// Whether an update creates a missing object.
    pub(crate) fn creates_on_update(&self) -> bool {
        let types = [
            "clusterrolebindings",
            "clusterroles",
            "events",
            "leases",
            "limitranges",
            "rolebindings",
            "roles",
            "runtimeclasses",
            "services",
        ];
        types.iter().any(|plural| self.is_built_in(plural))
    }

    /// Whether an update requires a resource version.
    pub(crate) fn needs_version(&self) -> bool {
        let types = [
            "csidrivers",
            "csinodes",
            "csistoragecapacities",
            "customresourcedefinitions",
            "leases",
            "mutatingwebhookconfigurations",
            "runtimeclasses",
            "validatingwebhookconfigurations",
            "volumeattachments",
        ];
        self.custom.is_some() || types.iter().any(|plural| self.is_built_in(plural))
    }

    /// The key of an object in the store.
    pub(crate) fn key(&self, namespace: &str, name: &str) -> String {
        if self.namespaced { format!("{namespace}/{name}") } else { name.to_owned() }
    }

    /// The prefix of the keys in a namespace, or of all keys.
    pub(crate) fn prefix(&self, namespace: &str) -> String {
        if self.namespaced && !namespace.is_empty() { format!("{namespace}/") } else { String::new() }
    }

    /// A stored object in this version, with the current defaults as far as an object has space.
    pub(crate) fn in_version(&self, object: &Value) -> Value {
        let mut object = object.clone();
        if let Some(custom) = &self.custom {
            object["apiVersion"] = self.api_version().into();
            let _ = schema::complete(custom, &mut object);
        }
        if self.is_older_autoscaler() {
            autoscaling::to_v1(&mut object);
        }
        object
    }

    /// Turns an object of this version into the form that the store has.
    pub(crate) fn convert_to_storage_version(&self, object: &mut Value) {
        if let Some(custom) = &self.custom {
            object["apiVersion"] = format!("{}/{}", self.group, custom.storage_version).into();
        }
        if self.is_older_autoscaler() {
            autoscaling::to_v2(object);
        }
    }

    /// Whether the objects of a built-in type differ from those in the store.
    pub(crate) fn is_older_autoscaler(&self) -> bool {
        self.custom.is_none() && self.group == autoscaling::GROUP && self.version == "v1"
    }

    /// Whether the server may have the objects in other versions as well.
    pub(crate) fn may_have_versions(&self) -> bool {
        let is_custom = self.custom.as_ref().is_some_and(|custom| custom.versions.len() > 1);
        is_custom || !self.other_versions().is_empty()
    }

    /// An object of this version in another one.
    pub(crate) fn converted(&self, object: &Value, to: &Self) -> Value {
        let mut object = object.clone();
        self.convert_to_storage_version(&mut object);
        to.in_version(&object)
    }

    /// The versions beside this one in which the server has the objects of a built-in type.
    pub(crate) fn other_versions(&self) -> &'static [&'static str] {
        match self.group.as_str() {
            autoscaling::GROUP if self.version == "v1" => &["autoscaling/v2"],
            autoscaling::GROUP => &["autoscaling/v1"],
            _ => &[],
        }
    }
}
