//! An object as the server showed it, and a page of a list.

use std::sync::Arc;

use serde_json::Value;

use crate::resource_under_test::VALUES;

/// An API object: JSON, with names for what scenarios ask about.
#[derive(Debug, Clone)]
pub struct Object {
    json: Value,
    /// Where it holds its value, if it is of a type of the user's.
    value_at: Option<Arc<str>>,
}

/// Objects are what they say.
impl PartialEq for Object {
    fn eq(&self, other: &Self) -> bool {
        self.json == other.json
    }
}

impl Object {
    /// Takes the JSON as it came.
    pub fn new(json: Value) -> Self {
        Self { json, value_at: None }
    }

    /// One that holds its value there.
    pub fn valued_at(self, value_at: Option<Arc<str>>) -> Self {
        Self { value_at, ..self }
    }

    /// The JSON as it came.
    pub fn json(&self) -> &Value {
        &self.json
    }

    /// A string within `metadata`, or the empty string.
    pub fn metadata(&self, field: &str) -> &str {
        self.json["metadata"][field].as_str().unwrap_or_default()
    }

    /// `metadata.name`.
    pub fn name(&self) -> &str {
        self.metadata("name")
    }

    /// `metadata.namespace`.
    pub fn namespace(&self) -> &str {
        self.metadata("namespace")
    }

    /// `metadata.resourceVersion`: opaque.
    pub fn version(&self) -> &str {
        self.metadata("resourceVersion")
    }

    /// The one value that scenarios write into an object of any shape: see `Collection::body`.
    pub fn value(&self) -> &str {
        let at = |pointer: &str| self.json.pointer(pointer).and_then(Value::as_str);
        let value = match &self.value_at {
            Some(pointer) => at(pointer),
            None => VALUES.into_iter().find_map(at),
        };
        value.unwrap_or_default()
    }

    /// What objects say, untyped, in the order of their namespaces and names.
    pub fn contents<'a>(objects: impl IntoIterator<Item = &'a Self>) -> Vec<Value> {
        let mut objects: Vec<_> = objects.into_iter().collect();
        objects.sort_by_key(|object| (object.namespace(), object.name()));
        objects.into_iter().map(Self::untyped).collect()
    }

    /// The object without the fields that a list of a built-in type leaves out of its items.
    pub fn untyped(&self) -> Value {
        let mut json = self.json.clone();
        if let Some(fields) = json.as_object_mut() {
            fields.shift_remove("kind");
            fields.shift_remove("apiVersion");
        }
        json
    }
}

/// Where the whole of Kubernetes runs, controllers put `ConfigMaps` of these names into every namespace, ours too:
/// those of Kubernetes itself, of `OpenShift` and of Istio.
pub const PUBLISHED: [&str; 3] = ["kube-root-ca.crt", "openshift-service-ca.crt", "istio-ca-root-cert"];

/// Whether an object in a namespace of ours is not ours.
pub fn foreign(name: &str) -> bool {
    PUBLISHED.contains(&name)
}

/// One response to a list.
#[derive(Debug, Clone, PartialEq)]
pub struct Page {
    /// `metadata.resourceVersion`: opaque.
    pub version: String,
    /// `metadata.continue`, if it is there and not empty.
    pub token: Option<String>,
    /// `metadata.remainingItemCount`, if it is there.
    pub remaining: Option<i64>,
    /// `metadata.shardInfo.selector`, if it is there.
    pub shards: Option<String>,
    /// The items.
    pub items: Vec<Object>,
    /// The position of the exchange.
    pub index: usize,
}

impl Page {
    /// Items that hold their value there.
    pub(crate) fn valued_at(mut self, value_at: Option<&Arc<str>>) -> Self {
        self.items = self.items.into_iter().map(|item| item.valued_at(value_at.cloned())).collect();
        self
    }

    /// Reads a list; `None` if the JSON is none.
    pub fn read(json: &Value, index: usize) -> Option<Self> {
        let metadata = json.get("metadata")?;
        let items = json.get("items")?.as_array()?;
        let token = metadata["continue"].as_str().filter(|token| !token.is_empty());
        Some(Self {
            version: metadata["resourceVersion"].as_str().unwrap_or_default().to_owned(),
            token: token.map(str::to_owned),
            remaining: metadata["remainingItemCount"].as_i64(),
            shards: metadata["shardInfo"]["selector"].as_str().map(str::to_owned),
            items: items.iter().cloned().map(Object::new).collect(),
            index,
        })
    }

    /// The items' names, in order.
    pub fn names(&self) -> Vec<&str> {
        self.items.iter().map(Object::name).collect()
    }

    /// The names of the items that scenarios created, in order.
    pub fn own_names(&self) -> Vec<&str> {
        self.names().into_iter().filter(|name| !foreign(name)).collect()
    }

    /// The items that scenarios created, in order.
    pub fn own_items(&self) -> Vec<&Object> {
        self.items.iter().filter(|item| !foreign(item.name())).collect()
    }

    /// The item of that name.
    pub fn item(&self, name: &str) -> Option<&Object> {
        self.items.iter().find(|item| item.name() == name)
    }
}
