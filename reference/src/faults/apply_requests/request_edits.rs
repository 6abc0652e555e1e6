//! Edits of apply requests, for the faults of apply requests.

use std::sync::atomic::{AtomicUsize, Ordering};

use bytes::Bytes;
use http::Method;
use http::header::{CONTENT_LENGTH, CONTENT_TYPE, HeaderValue};
use http::request::Parts;
use serde_json::{Value, json};

use super::rewrite::{self, Sent};
use crate::fault::json_body;

/// Replaces the body.
fn write(parts: &mut Parts, body: &mut Bytes, text: impl Into<Bytes>) {
    parts.headers.remove(CONTENT_LENGTH);
    *body = text.into();
}

/// Invalid YAML and JSON.
const UNREADABLE: &str = "%";

fn is_json(body: &Bytes) -> bool {
    serde_json::from_slice::<Value>(body).is_ok()
}

pub(super) fn break_yaml(parts: &mut Parts, body: &mut Bytes) {
    if !is_json(body) {
        write(parts, body, UNREADABLE);
    }
}

pub(super) fn break_json(parts: &mut Parts, body: &mut Bytes) {
    if is_json(body) {
        write(parts, body, UNREADABLE);
    }
}

pub(super) fn encode_as_latin_1(parts: &mut Parts, body: &mut Bytes) {
    let text: String = body.iter().map(|byte| char::from(*byte)).collect();
    write(parts, body, text);
}

/// Sets an annotation to a new value each time.
pub(super) fn touch(body: &mut Value) {
    static TIMES: AtomicUsize = AtomicUsize::new(0);
    let times = TIMES.fetch_add(1, Ordering::Relaxed);
    if !body.is_object() {
        return;
    }
    body["metadata"]["annotations"]["touched"] = times.to_string().into();
}

/// The apply without the possibly invalid size, then the apply.
pub(super) fn apply_valid_part_first(parts: &Parts, body: &Bytes) -> Vec<Sent> {
    let mut object = rewrite::read(body);
    if let Some(spec) = object["spec"].as_object_mut() {
        spec.shift_remove("size");
    }
    vec![rewrite::with_body(parts, &object), rewrite::unchanged(parts, body)]
}

/// Replaces values of the wrong type by empty ones.
pub(super) fn fix_types(body: &mut Value) {
    for map in ["/data", "/metadata/annotations"] {
        body.pointer_mut(map).filter(|map| !map.is_object()).into_iter().for_each(|map| *map = json!({}));
    }
    for text in ["/data/value", "/spec/value", "/spec/template/metadata/annotations/value"] {
        body.pointer_mut(text)
            .filter(|text| !text.is_string())
            .into_iter()
            .for_each(|text| *text = json!(""));
    }
}

/// Replaces the apply by one of a config map.
pub(super) fn replace_by_config_map(parts: &mut Parts, body: &mut Bytes) {
    let name = parts.uri.path().rsplit('/').next().unwrap_or_default();
    let object = json!({
        "apiVersion": "v1", "kind": "ConfigMap", "metadata": { "name": name }, "data": { "garbage": "yes" },
    });
    write(parts, body, object.to_string());
}

/// Sets the missing kind and apiVersion from the path.
pub(super) fn fill_in_type(parts: &mut Parts, body: &mut Bytes) {
    let (version, kind) = rewrite::type_of(rewrite::collection(parts));
    json_body(parts, body, |body| {
        for (field, value) in [("apiVersion", version), ("kind", kind)] {
            if body[field].is_null() {
                body[field] = value.into();
            }
        }
    });
}

/// Removes all texts if the body has no metadata.
pub(super) fn empty_without_metadata(parts: &mut Parts, body: &mut Bytes) {
    if rewrite::read(body)["metadata"].is_null() {
        parts.headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/merge-patch+json"));
        write(parts, body, r#"{"data":null,"metadata":{"annotations":null}}"#);
    }
}

pub(super) fn reject_nameless(body: &mut Value) {
    if body["metadata"]["name"].is_null() {
        *body = Value::Null;
    }
}

/// Turns a body without a name into a create with a generated name.
pub(super) fn generate_missing_name(parts: &mut Parts, body: &mut Bytes) {
    let mut object = rewrite::read(body);
    if object["metadata"]["name"].is_null() {
        object["metadata"]["generateName"] = "made-up-".into();
        let collection = rewrite::collection(parts).to_owned();
        (*parts, *body) = rewrite::json_request(parts, Method::POST, &collection, &object);
    }
}

pub(super) fn drop_empty_entries(body: &mut Value) {
    if body["metadata"]["managedFields"] == json!([]) {
        rewrite::remove_metadata_field(body, "managedFields");
    }
}

pub(super) fn replace_uid(body: &mut Value) {
    if body["metadata"]["uid"].is_string() {
        body["metadata"]["uid"] = "00000000-0000-4000-8000-000000000000".into();
    }
}
