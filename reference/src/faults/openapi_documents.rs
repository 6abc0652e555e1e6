//! Faults of the `OpenAPI` documents: their content, forms and URLs.

use std::collections::BTreeMap;
use std::sync::Mutex;

use bytes::Bytes;
use serde_json::{Value, json};

use crate::fault::{Edit::*, Fault, When, When::*, on};

const WHOLE: When = Path("/openapi/v2");
const INDEX: When = Path("/openapi/v3");
const DESCRIPTIONS: When = PathPrefix("/openapi/v3/");
const ALL: When = PathPrefix("/openapi/");
const PROTOBUF: When = HeaderHas("accept", "proto-openapi");
/// The suffix of the groups of runs.
const OWN: &str = ".kube-assay.dev";

#[rustfmt::skip]
pub(super) const FAULTS: &[Fault] = &[
    // Forms.
    on("openapi-v2-document", "the document has no field swagger", &[WHOLE], &[Remove("/swagger")]),
    on("openapi-v2-protobuf", "the message has no paths", &[WHOLE, PROTOBUF], &[EditBytes(|_| Bytes::from_static(b"\x0a\x032.0"))]),
    on("openapi-v3-protobuf", "the message is the JSON text", &[DESCRIPTIONS, PROTOBUF],
        &[SetRequestHeader("accept", "application/json"), Header("content-type", "application/com.github.proto-openapi.spec.v3.v1.0+protobuf")]),
    on("openapi-default-json", "clients that accept everything get Protobuf", &[WHOLE, Any(&[NoHeader("accept"), HeaderHas("accept", "*/*")])],
        &[SetRequestHeader("accept", "application/com.github.proto-openapi.spec.v2@v1.0+protobuf")]),
    // The list and its URLs.
    on("openapi-v3-index", "the URLs are absolute", &[INDEX], &[EditJson(|list| each_url(list, |url| format!("https://kubernetes.default.svc{url}")))]),
    on("openapi-v3-group-versions", "the list omits the groups of custom resources", &[INDEX], &[EditJson(omit_custom_groups)]),
    on("openapi-v3-document", "each URL also describes another group", &[DESCRIPTIONS], &[EditJson(|document| add_list(document, "/apis/apps.example.com/v1/things"))]),
    on("openapi-v3-immutable", "clients must not cache descriptions", &[DESCRIPTIONS], &[Header("cache-control", "no-cache, private")]),
    on("openapi-v3-obsolete-url", "any hash is right", &[DESCRIPTIONS], &[DropParameter("hash")]),
    on("openapi-v3-url-follows-content", "the hash never changes", &[PathPrefix("/openapi/v3")], &[DropParameter("hash"), EditJson(|list| each_url(list, constant_hash))]),
    // Custom types.
    on("openapi-crd-published", "the schemas of custom types have no properties", &[ALL], &[EditJson(remove_properties)]),
    on("openapi-crd-removed", "paths of deleted types stay", &[WHOLE], &[EditJson(keep_paths)]),
    // Agreement.
    on("openapi-operations-of-discovery", "there are no PATCH operations", &[ALL], &[EditJson(|document| each_path(document, |path| drop(path.as_object_mut().map(|path| path.shift_remove("patch")))))]),
    on("openapi-only-served-operations", "there are operations of a type that the server does not serve", &[ALL], &[EditJson(|document| add_list(document, "/api/v1/ghosts"))]),
    on("openapi-kinds-of-discovery", "the operations have the kind of the list", &[ALL], &[EditJson(|document| each_path(document, pluralize_kinds))]),
    on("openapi-v2-paths-as-v3", "OpenAPI v2 omits a group", &[WHOLE], &[EditJson(|document| retain_paths(document, |path| !path.starts_with("/apis/batch/")))]),
];

/// Edits the URLs of the list.
fn each_url(list: &mut Value, edit: fn(&str) -> String) {
    let entries = list.get_mut("paths").and_then(Value::as_object_mut).into_iter().flatten();
    for (_, entry) in entries {
        if let Some(url) = entry["serverRelativeURL"].as_str().map(edit) {
            entry["serverRelativeURL"] = url.into();
        }
    }
}

fn constant_hash(url: &str) -> String {
    format!("{}?hash=0", url.split('?').next().unwrap_or_default())
}

fn retain_paths(document: &mut Value, keep: fn(&str) -> bool) {
    if let Some(paths) = document.get_mut("paths").and_then(Value::as_object_mut) {
        paths.retain(|path, _| keep(path));
    }
}

fn omit_custom_groups(list: &mut Value) {
    retain_paths(list, |path| !path.contains(OWN));
}

fn each_path(document: &mut Value, edit: fn(&mut Value)) {
    let paths = document.get_mut("paths").and_then(Value::as_object_mut).into_iter().flatten();
    paths.for_each(|(_, path)| edit(path));
}

/// Adds an operation.
fn add_list(document: &mut Value, path: &str) {
    if let Some(paths) = document.get_mut("paths").and_then(Value::as_object_mut) {
        paths.insert(path.to_owned(), json!({ "get": { "x-kubernetes-action": "list", "responses": {} } }));
    }
}

fn pluralize_kinds(path: &mut Value) {
    for (_, operation) in path.as_object_mut().into_iter().flatten() {
        if let Some(Value::String(kind)) = operation.pointer_mut("/x-kubernetes-group-version-kind/kind") {
            kind.push_str("List");
        }
    }
}

/// Removes the properties of the schemas of custom types.
fn remove_properties(document: &mut Value) {
    for place in ["/definitions", "/components/schemas"] {
        let schemas = document.pointer_mut(place).and_then(Value::as_object_mut).into_iter().flatten();
        for (_, schema) in schemas {
            let group = &schema["x-kubernetes-group-version-kind"][0]["group"];
            if group.as_str().is_some_and(|group| group.ends_with(OWN)) {
                schema["properties"] = json!({});
            }
        }
    }
}

/// All paths of custom types that a document has ever had.
static KNOWN_PATHS: Mutex<BTreeMap<String, Value>> = Mutex::new(BTreeMap::new());

fn keep_paths(document: &mut Value) {
    let Some(paths) = document.get_mut("paths").and_then(Value::as_object_mut) else { return };
    let Ok(mut known) = KNOWN_PATHS.lock() else { return };
    let custom = paths.iter().filter(|(path, _)| path.contains(OWN));
    known.extend(custom.map(|(path, item)| (path.clone(), item.clone())));
    for (path, item) in known.iter().filter(|(path, _)| !paths.contains_key(*path)).collect::<Vec<_>>() {
        paths.insert(path.clone(), item.clone());
    }
}
