//! The template of a population: a `ConfigMap`, or the object in a file.

use bytes::Bytes;
use harness::{RUN_LABEL, TestError};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::padding::{self, PADDING};
use crate::scan::Collection;
use crate::stamp::ANNOTATION;

/// The maximum length of a label's value and of a namespace's name, in bytes: names and stamps of a run are shorter.
const LONGEST_NAME: usize = 63;

/// One object in this number has the label of lists with a selector.
pub(crate) const ONE_IN: usize = 10;

/// The label of lists with a selector.
pub(crate) const PART: &str = "kube-assay/part";

/// The template of a population.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Template {
    object: Value,
    /// The resource in the names of series; known after discovery.
    pub resource: String,
    size: usize,
}

/// The names of an object.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Named<'a> {
    pub(crate) run: &'a str,
    pub(crate) namespace: &'a str,
    pub(crate) name: &'a str,
    /// Decides whether it has the label.
    pub(crate) index: usize,
}

/// Whether the object with this index has the label of lists with a selector.
pub(crate) fn is_labelled(index: usize) -> bool {
    index.is_multiple_of(ONE_IN)
}

impl Template {
    /// A `ConfigMap`.
    pub fn config_map() -> Self {
        let object = json!({ "apiVersion": "v1", "kind": "ConfigMap", "data": { "payload": "" } });
        Self { object, resource: "configmaps".to_owned(), size: 0 }
    }

    /// Reads an object in JSON.
    pub fn read(text: &str) -> Result<Self, String> {
        let object: Value = serde_json::from_str(text).map_err(|why| format!("it is no JSON ({why})"))?;
        let has = |name: &str| object[name].as_str().is_some_and(|text| !text.is_empty());
        if !has("apiVersion") || !has("kind") {
            return Err("it is no object with an apiVersion and a kind".to_owned());
        }
        if !(object["metadata"].is_object() || object["metadata"].is_null()) {
            return Err("its metadata is no object".to_owned());
        }
        let mut object = object;
        forget_the_server(&mut object["metadata"]);
        Ok(Self { object, resource: String::new(), size: 0 })
    }

    /// The object before its names, stamp and padding.
    pub fn as_json(&self) -> &Value {
        &self.object
    }

    /// Pads the object to about this size.
    pub fn sized(mut self, bytes: usize) -> Self {
        self.size = bytes;
        self
    }

    /// The approximate size of an object, in bytes.
    pub(crate) fn size(&self) -> usize {
        self.size
    }

    /// The path of the discovery document with the resource.
    pub(crate) fn discovery(&self) -> String {
        let version = self.version();
        if version.contains('/') { format!("/apis/{version}") } else { format!("/api/{version}") }
    }

    /// The path of the collection in a namespace.
    pub(crate) fn collection(&self, namespace: &str) -> String {
        format!("{}/namespaces/{namespace}/{}", self.discovery(), self.resource)
    }

    /// What all its objects in a namespace have in common.
    pub(crate) fn collection_in(&self, namespace: &str) -> Collection {
        Collection {
            api_version: self.version().to_owned(),
            kind: self.kind().to_owned(),
            namespace: namespace.to_owned(),
        }
    }

    /// Finds the resource's name in a discovery document.
    pub(crate) fn resolve(&mut self, resources: &Value) -> Result<(), TestError> {
        let (kind, version) = (self.kind(), self.version());
        let refuse = |why: &str| TestError::new(format!("create objects of kind {kind} in {version}"), why);
        let all = resources["resources"].as_array().into_iter().flatten();
        let plain = |name: &Value| name.as_str().is_some_and(|name| !name.contains('/'));
        let found = all.clone().find(|one| one["kind"] == kind && plain(&one["name"]));
        let found = found.ok_or_else(|| {
            refuse("the server has no such kind").hint("correct apiVersion and kind of the template")
        })?;
        if found["namespaced"] != true {
            let why = "it does not live in namespaces";
            return Err(refuse(why).hint("use a kind that does: a run works in namespaces of its own"));
        }
        self.resource = found["name"].as_str().unwrap_or_default().to_owned();
        Ok(())
    }

    /// An object, with the text of the stamp of its write, and with the version that the write is to replace.
    pub(crate) fn object(&self, named: Named<'_>, stamp: Option<&str>, version: Option<u64>) -> Bytes {
        let mut object = self.object.clone();
        let metadata = part(&mut object, "metadata");
        metadata.insert("name".to_owned(), named.name.into());
        metadata.insert("namespace".to_owned(), named.namespace.into());
        if let Some(version) = version {
            metadata.insert("resourceVersion".to_owned(), version.to_string().into());
        }
        let labels = part_of(metadata, "labels");
        labels.insert(RUN_LABEL.to_owned(), named.run.into());
        if is_labelled(named.index) {
            labels.insert(PART.to_owned(), "tenth".into());
        }
        if let Some(stamp) = stamp {
            part_of(metadata, "annotations").insert(ANNOTATION.to_owned(), stamp.into());
        }
        self.pad(&mut object);
        Bytes::from(object.to_string())
    }

    /// The minimum length of the padding of every object, in bytes: with the longest names and the longest stamp.
    pub(crate) fn least_padding(&self) -> u64 {
        let longest = "x".repeat(LONGEST_NAME);
        let named = Named { run: &longest, namespace: &longest, name: &longest, index: 0 };
        let unpadded = Self { size: 0, ..self.clone() }.object(named, Some(&longest), None);
        self.size.saturating_sub(unpadded.len()) as u64
    }

    /// The body of an apply: with a field of the manager, or with the field that all managers share.
    pub(crate) fn applied(&self, named: Named<'_>, annotation: &str, value: &str) -> Bytes {
        let applied = json!({
            "apiVersion": self.object["apiVersion"],
            "kind": self.object["kind"],
            "metadata": {
                "name": named.name,
                "namespace": named.namespace,
                "annotations": { annotation: value },
            },
        });
        Bytes::from(applied.to_string())
    }

    fn version(&self) -> &str {
        self.object["apiVersion"].as_str().unwrap_or_default()
    }

    fn kind(&self) -> &str {
        self.object["kind"].as_str().unwrap_or_default()
    }

    fn pad(&self, object: &mut Value) {
        let missing = self.size.saturating_sub(object.to_string().len());
        if missing == 0 {
            return;
        }
        let filler = padding::filler(missing);
        if padding::is_in_data(self.version(), self.kind()) {
            part(object, "data").insert("payload".to_owned(), filler.into());
        } else {
            part_of(part(object, "metadata"), "annotations").insert(PADDING.to_owned(), filler.into());
        }
    }
}

/// Removes what a server, or an earlier run, has written into the metadata of an object: a template may be one that was
/// read from a server.
fn forget_the_server(metadata: &mut Value) {
    const OF_SERVER: [&str; 7] = [
        "uid",
        "resourceVersion",
        "generation",
        "creationTimestamp",
        "deletionTimestamp",
        "managedFields",
        "selfLink",
    ];
    let own = [("annotations", ANNOTATION), ("annotations", PADDING), ("labels", PART)];
    let Some(metadata) = metadata.as_object_mut() else { return };
    metadata.retain(|field, _| !OF_SERVER.contains(&field.as_str()));
    for (map, name) in own {
        if let Some(fields) = metadata.get_mut(map).and_then(Value::as_object_mut) {
            fields.remove(name);
        }
    }
}

fn part<'a>(object: &'a mut Value, name: &str) -> &'a mut Map<String, Value> {
    if !object.is_object() {
        *object = json!({});
    }
    match object {
        Value::Object(fields) => part_of(fields, name),
        _ => unreachable!("it was made one"),
    }
}

fn part_of<'a>(fields: &'a mut Map<String, Value>, name: &str) -> &'a mut Map<String, Value> {
    let entry = fields.entry(name).or_insert_with(|| json!({}));
    if !entry.is_object() {
        *entry = json!({});
    }
    match entry {
        Value::Object(fields) => fields,
        _ => unreachable!("it was made one"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMED: Named<'_> = Named { run: "r", namespace: "n", name: "o1", index: 1 };

    #[test]
    fn an_object_is_named_labelled_stamped_and_as_large_as_it_is_to_be() {
        for size in [0, 1_024, 100_000] {
            let template = Template::config_map().sized(size);
            let object = template.object(NAMED, Some("0.7"), Some(9));
            let read: Value = serde_json::from_slice(&object).unwrap();
            assert_eq!(read["metadata"]["annotations"][ANNOTATION], "0.7");
            assert_eq!(read["metadata"]["labels"][RUN_LABEL], "r");
            assert_eq!(read["metadata"]["resourceVersion"], "9");
            assert!(size == 0 || object.len().abs_diff(size) < 64, "{}", object.len());
            let payload = read["data"]["payload"].as_str().unwrap().len() as u64;
            let least = template.least_padding();
            assert!(least <= payload && payload < least + 512, "{least} {payload}");
        }
    }

    #[test]
    fn discovery_has_the_resource_of_a_kind() {
        let text = r#"{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"labels":5}}"#;
        let mut template = Template::read(text).unwrap();
        let resources = json!({ "resources": [
            { "name": "deployments/status", "kind": "Deployment", "namespaced": true },
            { "name": "deployments", "kind": "Deployment", "namespaced": true },
        ] });
        template.resolve(&resources).unwrap();
        assert_eq!(template.collection("n"), "/apis/apps/v1/namespaces/n/deployments");
        assert!(template.object(NAMED, None, None).len() > 10);
        assert!(template.resolve(&json!({})).is_err());
    }

    #[test]
    fn a_template_forgets_the_server_that_it_was_read_from() {
        let metadata = json!({
            "uid": "u", "resourceVersion": "7", "name": "a", "finalizers": ["example.com/a"],
            "annotations": { ANNOTATION: "0.1", "a": "b" },
            "labels": { PART: "tenth" },
        });
        let object = json!({ "apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata });
        let template = Template::read(&object.to_string()).unwrap();
        let expected = json!({ "name": "a", "finalizers": ["example.com/a"], "annotations": { "a": "b" }, "labels": {} });
        assert_eq!(template.as_json()["metadata"], expected);
    }

    #[test]
    fn what_is_no_template_is_refused() {
        for text in ["", "[]", "{}", r#"{"kind":"A"}"#, r#"{"apiVersion":"v1","kind":"A","metadata":3}"#] {
            assert!(Template::read(text).is_err(), "{text}");
        }
    }
}
