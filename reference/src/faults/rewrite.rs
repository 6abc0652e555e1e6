//! Request rewrites: another body, path or method, for faults of writes.

use bytes::Bytes;
use http::header::{CONTENT_LENGTH, CONTENT_TYPE, HeaderValue};
use http::request::Parts;
use http::{HeaderMap, Method};
use serde_json::Value;

use crate::fault::json_body;

/// A request to the server.
pub(super) type Sent = (Parts, Bytes);

/// The body as JSON: null for other bodies.
pub(super) fn read(body: &Bytes) -> Value {
    serde_json::from_slice(body).unwrap_or_default()
}

/// The original request.
pub(super) fn unchanged(parts: &Parts, body: &Bytes) -> Sent {
    (parts.clone(), body.clone())
}

/// The request with another body.
pub(super) fn with_body(parts: &Parts, body: &Value) -> Sent {
    let mut parts = parts.clone();
    parts.headers.remove(CONTENT_LENGTH);
    (parts, Bytes::from(body.to_string()))
}

/// A request with another method, path and JSON body.
pub(super) fn json_request(parts: &Parts, method: Method, path: &str, body: &Value) -> Sent {
    let mut parts = parts.clone();
    set_json_media_type(&mut parts.headers, method == Method::PATCH);
    parts.method = method;
    parts.uri = path.parse().unwrap_or(parts.uri);
    with_body(&parts, body)
}

fn set_json_media_type(headers: &mut HeaderMap, patch: bool) {
    let media = if patch { "application/merge-patch+json" } else { "application/json" };
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(media));
}

/// The path of an object in the collection of a request.
pub(super) fn item(parts: &Parts, object: &Value) -> String {
    format!("{}/{}", parts.uri.path(), object["metadata"]["name"].as_str().unwrap_or_default())
}

/// The collection of a request's object.
pub(super) fn collection(parts: &Parts) -> &str {
    parts.uri.path().rsplit_once('/').map_or("", |(collection, _)| collection)
}

/// Replaces the path, and keeps the parameters.
pub(super) fn set_path(parts: &mut Parts, path: &str) {
    let query = parts.uri.query().map(|query| format!("?{query}")).unwrap_or_default();
    if let Ok(uri) = format!("{path}{query}").parse() {
        parts.uri = uri;
    }
}

/// Turns a PUT into a merge patch.
pub(super) fn make_merge_patch(parts: &mut Parts) {
    parts.method = Method::PATCH;
    set_json_media_type(&mut parts.headers, true);
}

/// Whether a body has a resourceVersion.
pub(super) fn has_version(object: &Value) -> bool {
    object["metadata"]["resourceVersion"].as_str().is_some_and(|version| !version.is_empty())
}

/// Removes a metadata field of a body.
pub(super) fn remove_metadata_field(object: &mut Value, field: &str) {
    // A JSON patch is a list, without metadata.
    if let Some(metadata) = object.get_mut("metadata").and_then(Value::as_object_mut) {
        metadata.shift_remove(field);
    }
}

/// Increments the version in a response.
pub(super) fn increment_version(object: &mut Value) {
    let version =
        object["metadata"]["resourceVersion"].as_str().and_then(|version| version.parse::<u64>().ok());
    if let Some(version) = version {
        object["metadata"]["resourceVersion"] = (version + 1).to_string().into();
    }
}

/// Removes a version that no object had: a version that is not a number, or a future one.
pub(super) fn drop_impossible_version(object: &mut Value) {
    let version = object["metadata"]["resourceVersion"].as_str().unwrap_or_default();
    if version.parse::<u64>().is_ok_and(|version| version < FUTURE_VERSION) {
        return;
    }
    remove_metadata_field(object, "resourceVersion");
}

/// No server reaches this version during a scenario.
pub(super) const FUTURE_VERSION: u64 = 1_000_000;

/// Sets the apiVersion of a body to that of the path.
pub(super) fn set_path_version(parts: &mut Parts, body: &mut Bytes) {
    let (version, _) = type_of_request(parts);
    json_body(parts, body, |object| object["apiVersion"] = version.into());
}

/// Sets the kind of a body to that of the path.
pub(super) fn set_path_kind(parts: &mut Parts, body: &mut Bytes) {
    let (_, kind) = type_of_request(parts);
    json_body(parts, body, |object| object["kind"] = kind.into());
}

/// A POST has the path of a collection, a PATCH that of an object.
fn type_of_request(parts: &Parts) -> (String, String) {
    type_of(if parts.method == Method::POST { parts.uri.path() } else { collection(parts) })
}

/// The apiVersion and kind of a collection's path.
pub(super) fn type_of(path: &str) -> (String, String) {
    let path = path.trim_start_matches('/');
    let version = match path.split('/').collect::<Vec<_>>()[..] {
        ["apis", group, version, ..] => format!("{group}/{version}"),
        [_, version, ..] => version.to_owned(),
        _ => String::new(),
    };
    let kind = match path.rsplit('/').next().unwrap_or_default() {
        "configmaps" => "ConfigMap".to_owned(),
        "secrets" => "Secret".to_owned(),
        "deployments" => "Deployment".to_owned(),
        "clusterroles" => "ClusterRole".to_owned(),
        // The scenarios' custom kinds have the names of their plurals.
        plural => plural.chars().take(1).flat_map(char::to_uppercase).chain(plural.chars().skip(1)).collect(),
    };
    (version, kind)
}

/// Edits the published schema of a kind.
pub(super) fn edit_schema(document: &mut Value, kind: &str, edit: impl Fn(&mut Value)) {
    for place in ["/definitions", "/components/schemas"] {
        let schemas = document.pointer_mut(place).and_then(Value::as_object_mut).into_iter().flatten();
        let named = schemas.filter(|(name, _)| name.rsplit('.').next() == Some(kind));
        named.for_each(|(_, schema)| edit(schema));
    }
}
