//! Resource types: names, scope, verbs and schema of built-in and custom types.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::schema;

/// All verbs of an ordinary resource, in the order in which discovery names them.
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
    /// The name for one.
    pub(crate) singular: String,
    /// The kind of an object.
    pub(crate) kind: String,
    /// The kind of a list.
    pub(crate) list_kind: String,
    /// Whether objects live in namespaces.
    pub(crate) namespaced: bool,
    /// Other names that kubectl knows it by.
    pub(crate) short_names: Vec<String>,
    /// Groups of types that it belongs to, for example `all`.
    pub(crate) categories: Vec<String>,
    /// What can be asked of it; empty for a type that is only posted.
    pub(crate) verbs: &'static [&'static str],
    /// Its subresources, for example `status`.
    pub(crate) subresources: Vec<String>,
    /// What its definition says, for a custom type.
    pub(crate) custom: Option<Custom>,
}

/// What the definition of a custom type says of one version.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Custom {
    /// The structural schema.
    pub(crate) schema: Value,
    /// The columns of its tables; empty for the default ones.
    pub(crate) columns: Vec<Value>,
    /// The paths of its `scale` subresource.
    pub(crate) scale: Option<Value>,
    /// The fields that field selectors can name, as JSON paths.
    pub(crate) selectable: Vec<String>,
    /// All versions by their names, also those that are not served, as the definition has them.
    pub(crate) versions: BTreeMap<String, Value>,
    /// The version that objects are stored in.
    pub(crate) storage_version: String,
    /// A warning to give with each response, for a deprecated version.
    pub(crate) warning: Option<String>,
}

impl ResourceType {
    /// The collection's name: `configmaps`, `gizmos.example.com`.
    pub(crate) fn group_resource(&self) -> String {
        if self.group.is_empty() { self.plural.clone() } else { format!("{}.{}", self.plural, self.group) }
    }

    /// The collection in which its objects are stored: another type may show the same.
    pub(crate) fn collection(&self) -> String {
        if self.group == crate::event::GROUP { self.plural.clone() } else { self.group_resource() }
    }

    /// What a field of a stored object is called where it is shown.
    pub(crate) fn shown_as<'a>(&self, field: &'a str) -> &'a str {
        if self.group == crate::event::GROUP { crate::event::name_in_its_group(field) } else { field }
    }

    /// The `apiVersion` of its objects.
    pub(crate) fn api_version(&self) -> String {
        if self.group.is_empty() { self.version.clone() } else { format!("{}/{}", self.group, self.version) }
    }

    /// Whether it has a subresource.
    pub(crate) fn has_subresource(&self, name: &str) -> bool {
        self.subresources.iter().any(|subresource| subresource == name)
    }

    /// Whether its objects' status is written apart from the rest.
    pub(crate) fn has_status(&self) -> bool {
        self.has_subresource("status")
    }

    /// Whether it is a built-in type of this name.
    pub(crate) fn is_built_in(&self, plural: &str) -> bool {
        self.custom.is_none() && self.plural == plural
    }

    /// Whether an update of an object that is not there creates it.
    pub(crate) fn creates_on_update(&self) -> bool {
        let types = ["clusterroles", "events", "leases", "limitranges", "rolebindings", "roles", "services"];
        types.iter().any(|plural| self.is_built_in(plural))
    }

    /// Whether an update must say which version it replaces.
    pub(crate) fn needs_version(&self) -> bool {
        let types = ["customresourcedefinitions", "leases", "validatingwebhookconfigurations"];
        self.custom.is_some() || types.iter().any(|plural| self.is_built_in(plural))
    }

    /// The storage key of one of its objects.
    pub(crate) fn key(&self, namespace: &str, name: &str) -> String {
        if self.namespaced { format!("{namespace}/{name}") } else { name.to_owned() }
    }

    /// What the storage keys in a namespace (or of all) begin with.
    pub(crate) fn prefix(&self, namespace: &str) -> String {
        if self.namespaced && !namespace.is_empty() { format!("{namespace}/") } else { String::new() }
    }

    /// A stored object in this version, with the defaults that its schema has now.
    pub(crate) fn in_version(&self, object: &Value) -> Value {
        let mut object = object.clone();
        if let Some(custom) = &self.custom {
            object["apiVersion"] = self.api_version().into();
            schema::complete(custom, &mut object);
        }
        object
    }
}
