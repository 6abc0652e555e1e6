//! An object as the server returned it, and a page of a list.

use std::sync::Arc;

use bytes::Bytes;
use serde_json::{Map, Value};

use crate::outcome::{Halt, TestError};
use crate::resource_under_test::VALUES;

/// An API object: JSON, with accessors for scenarios.
#[derive(Debug, Clone)]
pub struct Object {
    json: Value,
    /// The JSON pointer to its value, in a type of the user's.
    value_at: Option<Arc<str>>,
    /// The body of its response: the memory for it stays reserved for as long as a scenario keeps the object.
    _body: Bytes,
}

/// Objects with equal JSON are equal.
impl PartialEq for Object {
    fn eq(&self, other: &Self) -> bool {
        self.json == other.json
    }
}

impl Object {
    /// Wraps the JSON as received.
    pub fn new(json: Value) -> Self {
        Self { json, value_at: None, _body: Bytes::new() }
    }

    /// Sets the JSON pointer to its value.
    pub fn valued_at(self, value_at: Option<Arc<str>>) -> Self {
        Self { value_at, ..self }
    }

    /// Sets the body of its response.
    pub(crate) fn of_body(self, body: &Bytes) -> Self {
        Self { _body: body.clone(), ..self }
    }

    /// The JSON as received.
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

    /// The value that scenarios write into objects of every type: see `Collection::body`.
    pub fn value(&self) -> &str {
        let at = |pointer: &str| self.json.pointer(pointer).and_then(Value::as_str);
        let value = match &self.value_at {
            Some(pointer) => at(pointer),
            None => VALUES.into_iter().find_map(at),
        };
        value.unwrap_or_default()
    }

    /// The contents of objects, untyped, ordered by namespace and name.
    pub fn contents<'a>(objects: impl IntoIterator<Item = &'a Self>) -> Vec<Value> {
        let mut objects: Vec<_> = objects.into_iter().collect();
        objects.sort_by_key(|object| (object.namespace(), object.name()));
        objects.into_iter().map(Self::untyped).collect()
    }

    /// The JSON with more fields, for a request: `{"metadata": {"labels": {"a": "b"}}}`. Objects are merged, and other values
    /// replaced. A wrong server may return any type: a test error if a field cannot have the new ones because it is no
    /// object.
    pub fn with(&self, fields: &Value) -> Result<Value, Halt> {
        let mut json = self.json.clone();
        if let Some(fields) = fields.as_object() {
            add(&mut json, "object", fields)
                .map_err(|cause| TestError::new("change an object as the server returned it", cause))?;
        }
        Ok(json)
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

/// The JSON type of a value, with its article: `a number`.
pub fn json_type(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

/// Adds fields to the object at a place. `Err` names the place that has another type.
fn add(object: &mut Value, place: &str, fields: &Map<String, Value>) -> Result<(), String> {
    if object.is_null() {
        *object = Value::Object(Map::new());
    }
    let Value::Object(known) = object else {
        return Err(format!("{place} is {}, not an object", json_type(object)));
    };
    for (name, value) in fields {
        let field = known.entry(name.as_str()).or_insert(Value::Null);
        match value {
            Value::Object(below) => add(field, &format!("{place}.{name}"), below)?,
            other => *field = other.clone(),
        }
    }
    Ok(())
}

/// `ConfigMaps` that controllers put into every namespace: those of Kubernetes, of `OpenShift` and of Istio.
pub const CONTROLLER_CONFIGMAPS: [&str; 3] =
    ["kube-root-ca.crt", "openshift-service-ca.crt", "istio-ca-root-cert"];

/// Whether a controller, not a scenario, creates the `ConfigMap` with this name in a namespace.
pub fn is_controller_configmap(name: &str) -> bool {
    CONTROLLER_CONFIGMAPS.contains(&name)
}

/// The response to a list request.
#[derive(Debug, Clone, PartialEq)]
pub struct Page {
    /// `metadata.resourceVersion`: opaque.
    pub version: String,
    /// `metadata.continue`; `None` if it is absent or empty.
    pub token: Option<String>,
    /// `metadata.remainingItemCount`; `None` if it is absent.
    pub remaining: Option<i64>,
    /// `metadata.shardInfo.selector`; `None` if it is absent.
    pub shards: Option<String>,
    /// The items.
    pub items: Vec<Object>,
    /// The position of its exchange.
    pub index: usize,
}

impl Page {
    /// Sets the body of the response, and the JSON pointer to the value of its items.
    pub(crate) fn of_response(mut self, body: &Bytes, value_at: Option<&Arc<str>>) -> Self {
        let complete = |item: Object| item.of_body(body).valued_at(value_at.cloned());
        self.items = self.items.into_iter().map(complete).collect();
        self
    }

    /// Reads a list; `None` if the JSON is not a list.
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
        self.names().into_iter().filter(|name| !is_controller_configmap(name)).collect()
    }

    /// The items that scenarios created, in order.
    pub fn own_items(&self) -> Vec<&Object> {
        self.items.iter().filter(|item| !is_controller_configmap(item.name())).collect()
    }

    /// The item with this name.
    pub fn item(&self, name: &str) -> Option<&Object> {
        self.items.iter().find(|item| item.name() == name)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn fields_are_added_to_those_of_an_object() {
        let object = json!({ "metadata": { "name": "a", "labels": null }, "data": { "k": "v" } });
        let fields = json!({ "metadata": { "labels": { "l": "x" }, "finalizers": [] }, "data": { "k": 1 } });
        let expected = json!({
            "metadata": { "name": "a", "labels": { "l": "x" }, "finalizers": [] }, "data": { "k": 1 },
        });
        assert_eq!(Object::new(object).with(&fields), Ok(expected));
    }

    #[test]
    fn a_field_of_another_type_is_a_test_error() {
        let fields = json!({ "metadata": { "labels": { "l": "x" } } });
        for (wrong, cause) in [
            (json!([]), "object is an array, not an object"),
            (json!({ "metadata": 1 }), "object.metadata is a number, not an object"),
            (json!({ "metadata": { "labels": "x" } }), "object.metadata.labels is a string, not an object"),
        ] {
            let Err(Halt::Errored(test_error)) = Object::new(wrong).with(&fields) else { panic!("{cause}") };
            assert_eq!(test_error.cause, cause);
        }
    }
}
