//! Document edits: kind, apiVersion, items and discovery, for the faults of kinds.

use bytes::Bytes;
use http::request::Parts;
use serde_json::{Value, json};

use crate::fault::{RequestFacts, json_body};
use crate::faults::rewrite;

/// Changes the kind of the last item.
pub(super) fn change_last_kind(list: &mut Value) {
    if let Some(item) = list["items"].as_array_mut().and_then(|items| items.last_mut()) {
        item["kind"] = "Relic".into();
    }
}

/// Removes objects older than a second.
pub(super) fn remove_old_objects(object: &mut Value) {
    let created =
        object["metadata"]["creationTimestamp"].as_str().and_then(|at| at.parse::<jiff::Timestamp>().ok());
    if created.is_some_and(|at| at.as_second() + 1 < jiff::Timestamp::now().as_second()) {
        *object =
            json!({"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure", "code": 404});
    }
}

/// Replaces a list in a namespace by one of all namespaces.
pub(in crate::faults) fn list_all_namespaces(parts: &mut Parts, _: &mut Bytes) {
    let path = parts.uri.path().to_owned();
    let Some((root, rest)) = path.split_once("/namespaces/") else { return };
    let plural = rest.split_once('/').map_or(rest, |(_, plural)| plural);
    rewrite::set_path(parts, &format!("{root}/{plural}"));
}

/// Keeps the items of namespaces with the requested prefix.
pub(in crate::faults) fn keep_similar_namespaces(request: &RequestFacts, list: &mut Value) {
    let namespace =
        request.path.split('/').skip_while(|part| *part != "namespaces").nth(1).unwrap_or_default();
    let like =
        |item: &Value| item["metadata"]["namespace"].as_str().is_some_and(|own| own.starts_with(namespace));
    if let Some(items) = list["items"].as_array_mut() {
        items.retain(like);
    }
}

pub(super) fn misname_group(document: &mut Value) {
    if document["kind"] == "Status" {
        return;
    }
    let version = document["apiVersion"].as_str().unwrap_or_default();
    let other =
        version.split_once('/').map_or_else(|| format!("core/{version}"), |(_, version)| version.to_owned());
    document["apiVersion"] = other.into();
}

pub(super) fn misname_version(document: &mut Value) {
    let version = document["apiVersion"].as_str().map(|version| format!("{version}beta1"));
    if let Some(version) = version.filter(|_| document["kind"] != "Status") {
        document["apiVersion"] = version.into();
    }
}

/// Moves the name of an item to the top, and removes its metadata.
pub(super) fn flatten_item(item: &mut Value) {
    item["name"] = item["metadata"]["name"].take();
    if let Some(fields) = item.as_object_mut() {
        fields.shift_remove("metadata");
    }
}

/// One document per item.
pub(super) fn one_document_per_item(_: &RequestFacts, text: &str) -> String {
    let list: Value = serde_json::from_str(text).unwrap_or_default();
    let items: Vec<_> = list["items"].as_array().into_iter().flatten().map(Value::to_string).collect();
    items.join("\n")
}

/// Gives a body of kind Status the type of the path.
pub(super) fn accept_status_kind(parts: &mut Parts, body: &mut Bytes) {
    let (version, kind) = rewrite::type_of(parts.uri.path());
    json_body(parts, body, |object| {
        if object["kind"] == "Status" {
            object["kind"] = kind.into();
            object["apiVersion"] = version.into();
        }
    });
}

/// Gives a body without a kind the kind of scenarios.
pub(super) fn default_kind(parts: &mut Parts, body: &mut Bytes) {
    json_body(parts, body, |object| {
        if object["kind"].is_null() {
            object["kind"] = "Gadgets".into();
        }
    });
}

pub(super) fn pluralize_kind(list: &mut Value) {
    let kind =
        list["kind"].as_str().and_then(|kind| kind.strip_suffix("List")).map(|kind| format!("{kind}s"));
    if let Some(kind) = kind {
        list["kind"] = kind.into();
    }
}

pub(super) fn remove_version_if_empty(list: &mut Value) {
    if let (true, Some(metadata)) = (list["items"] == json!([]), list["metadata"].as_object_mut()) {
        metadata.shift_remove("resourceVersion");
    }
}

/// Removes a field of all discovered resources.
pub(super) fn remove_field(document: &mut Value, field: &str) {
    for resource in document.get_mut("resources").and_then(Value::as_array_mut).into_iter().flatten() {
        if let Some(fields) = resource.as_object_mut() {
            fields.shift_remove(field);
        }
    }
}

const KINDS: &str = "x-kubernetes-group-version-kind";

/// Edits every published schema.
pub(super) fn schemas(document: &mut Value, edit: fn(&mut Value)) {
    for place in ["/definitions", "/components/schemas"] {
        let schemas = document.pointer_mut(place).and_then(Value::as_object_mut);
        schemas.into_iter().flatten().for_each(|(_, schema)| edit(schema));
    }
}

pub(super) fn add_items_to_config_map(schema: &mut Value) {
    if schema[KINDS][0]["kind"] == "ConfigMap" {
        schema["properties"]["items"] = json!({"type": "array"});
    }
}

pub(super) fn core_group_only(schema: &mut Value) {
    if let (true, Some(kinds)) = (schema[KINDS][0]["kind"] == "WatchEvent", schema[KINDS].as_array_mut()) {
        kinds.truncate(1);
    }
}

pub(super) fn lowercase_version(definition: &mut Value) {
    let name = definition.pointer_mut("/spec/versions/0/name");
    if let Some(name) = name {
        *name = name.as_str().unwrap_or_default().to_lowercase().replace('_', "-").into();
    }
}
