//! Document edits: kind, apiVersion, items and discovery, for the faults of kinds.

use bytes::Bytes;
use http::request::Parts;
use serde_json::{Value, json};

use crate::fault::{RequestFacts, json_body};
use crate::faults::rewrite;

/// The last of the items says that it is something else.
pub(super) fn relic(list: &mut Value) {
    if let Some(item) = list["items"].as_array_mut().and_then(|items| items.last_mut()) {
        item["kind"] = "Relic".into();
    }
}

/// What is older than a second is no longer there.
pub(super) fn older_is_gone(object: &mut Value) {
    let created =
        object["metadata"]["creationTimestamp"].as_str().and_then(|at| at.parse::<jiff::Timestamp>().ok());
    if created.is_some_and(|at| at.as_second() + 1 < jiff::Timestamp::now().as_second()) {
        *object =
            json!({"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure", "code": 404});
    }
}

/// A list of a namespace is asked for as one of all.
pub(in crate::faults) fn list_everywhere(parts: &mut Parts, _: &mut Bytes) {
    let path = parts.uri.path().to_owned();
    let Some((root, rest)) = path.split_once("/namespaces/") else { return };
    let plural = rest.split_once('/').map_or(rest, |(_, plural)| plural);
    rewrite::go_to(parts, &format!("{root}/{plural}"));
}

/// What is left of a list of all are the items of namespaces whose names begin like the one that was asked for.
pub(in crate::faults) fn of_namespaces_like_this(asked: &RequestFacts, list: &mut Value) {
    let namespace = asked.path.split('/').skip_while(|part| *part != "namespaces").nth(1).unwrap_or_default();
    let like =
        |item: &Value| item["metadata"]["namespace"].as_str().is_some_and(|own| own.starts_with(namespace));
    if let Some(items) = list["items"].as_array_mut() {
        items.retain(like);
    }
}

pub(super) fn core(document: &mut Value) {
    if document["kind"] == "Status" {
        return;
    }
    let version = document["apiVersion"].as_str().unwrap_or_default();
    let other =
        version.split_once('/').map_or_else(|| format!("core/{version}"), |(_, version)| version.to_owned());
    document["apiVersion"] = other.into();
}

pub(super) fn storage_version(document: &mut Value) {
    let version = document["apiVersion"].as_str().map(|version| format!("{version}beta1"));
    if let Some(version) = version.filter(|_| document["kind"] != "Status") {
        document["apiVersion"] = version.into();
    }
}

/// An item with its name at the top, and without metadata.
pub(super) fn flat(item: &mut Value) {
    item["name"] = item["metadata"]["name"].take();
    if let Some(fields) = item.as_object_mut() {
        fields.shift_remove("metadata");
    }
}

/// Each item is a document of its own.
pub(super) fn one_each(_: &RequestFacts, text: &str) -> String {
    let list: Value = serde_json::from_str(text).unwrap_or_default();
    let items: Vec<_> = list["items"].as_array().into_iter().flatten().map(Value::to_string).collect();
    items.join("\n")
}

/// Who says that it is a Status is taken for whatever is stored there.
pub(super) fn status_is_anything(parts: &mut Parts, body: &mut Bytes) {
    let (version, kind) = rewrite::type_of(parts.uri.path());
    json_body(parts, body, |object| {
        if object["kind"] == "Status" {
            object["kind"] = kind.into();
            object["apiVersion"] = version.into();
        }
    });
}

/// Who does not say what it is, is what scenarios create.
pub(super) fn kind_of_the_path(parts: &mut Parts, body: &mut Bytes) {
    json_body(parts, body, |object| {
        if object["kind"].is_null() {
            object["kind"] = "Gadgets".into();
        }
    });
}

pub(super) fn plural(list: &mut Value) {
    let kind =
        list["kind"].as_str().and_then(|kind| kind.strip_suffix("List")).map(|kind| format!("{kind}s"));
    if let Some(kind) = kind {
        list["kind"] = kind.into();
    }
}

pub(super) fn no_version_of_nothing(list: &mut Value) {
    if let (true, Some(metadata)) = (list["items"] == json!([]), list["metadata"].as_object_mut()) {
        metadata.shift_remove("resourceVersion");
    }
}

/// What is discovered does not say something of its resources.
pub(super) fn forget(found: &mut Value, field: &str) {
    for resource in found.get_mut("resources").and_then(Value::as_array_mut).into_iter().flatten() {
        if let Some(fields) = resource.as_object_mut() {
            fields.shift_remove(field);
        }
    }
}

const KINDS: &str = "x-kubernetes-group-version-kind";

/// Changes every schema that is published.
pub(super) fn schemas(document: &mut Value, edit: fn(&mut Value)) {
    for place in ["/definitions", "/components/schemas"] {
        let schemas = document.pointer_mut(place).and_then(Value::as_object_mut);
        schemas.into_iter().flatten().for_each(|(_, schema)| edit(schema));
    }
}

pub(super) fn items_of_config_maps(schema: &mut Value) {
    if schema[KINDS][0]["kind"] == "ConfigMap" {
        schema["properties"]["items"] = json!({"type": "array"});
    }
}

pub(super) fn of_the_core_alone(schema: &mut Value) {
    if let (true, Some(kinds)) = (schema[KINDS][0]["kind"] == "WatchEvent", schema[KINDS].as_array_mut()) {
        kinds.truncate(1);
    }
}

pub(super) fn version_in_small_letters(definition: &mut Value) {
    let name = definition.pointer_mut("/spec/versions/0/name");
    if let Some(name) = name {
        *name = name.as_str().unwrap_or_default().to_lowercase().replace('_', "-").into();
    }
}
