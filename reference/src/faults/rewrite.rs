//! Request rewrites: another body, path or method, for faults of writes.

use bytes::Bytes;
use http::header::{CONTENT_LENGTH, CONTENT_TYPE, HeaderValue};
use http::request::Parts;
use http::{HeaderMap, Method};
use serde_json::Value;

use crate::fault::json_body;

/// A request, as it goes on to the server.
pub(super) type Sent = (Parts, Bytes);

/// The body as JSON; null if it is none.
pub(super) fn read(body: &Bytes) -> Value {
    serde_json::from_slice(body).unwrap_or_default()
}

/// The request as it came.
pub(super) fn unchanged(parts: &Parts, body: &Bytes) -> Sent {
    (parts.clone(), body.clone())
}

/// The same request with another body.
pub(super) fn with_body(parts: &Parts, body: &Value) -> Sent {
    let mut parts = parts.clone();
    parts.headers.remove(CONTENT_LENGTH);
    (parts, Bytes::from(body.to_string()))
}

/// A request for a path, with a method of its own and a body of JSON.
pub(super) fn instead(parts: &Parts, method: Method, path: &str, body: &Value) -> Sent {
    let mut parts = parts.clone();
    say_json(&mut parts.headers, method == Method::PATCH);
    parts.method = method;
    parts.uri = path.parse().unwrap_or(parts.uri);
    with_body(&parts, body)
}

fn say_json(headers: &mut HeaderMap, patch: bool) {
    let media = if patch { "application/merge-patch+json" } else { "application/json" };
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(media));
}

/// The path of an object in the collection that a request is about.
pub(super) fn item(parts: &Parts, object: &Value) -> String {
    format!("{}/{}", parts.uri.path(), object["metadata"]["name"].as_str().unwrap_or_default())
}

/// The path of the collection that a request's object is in.
pub(super) fn collection(parts: &Parts) -> &str {
    parts.uri.path().rsplit_once('/').map_or("", |(collection, _)| collection)
}

/// Goes on at another path, with the parameters as they are.
pub(super) fn go_to(parts: &mut Parts, path: &str) {
    let query = parts.uri.query().map(|query| format!("?{query}")).unwrap_or_default();
    if let Ok(uri) = format!("{path}{query}").parse() {
        parts.uri = uri;
    }
}

/// Makes a merge patch of a PUT.
pub(super) fn as_patch(parts: &mut Parts) {
    parts.method = Method::PATCH;
    say_json(&mut parts.headers, true);
}

/// Whether a body names a version to write at.
pub(super) fn names_version(object: &Value) -> bool {
    object["metadata"]["resourceVersion"].as_str().is_some_and(|version| !version.is_empty())
}

/// Takes a field away from the metadata of a body.
pub(super) fn without(object: &mut Value, field: &str) {
    // A body may be a list: a JSON patch.
    if let Some(metadata) = object.get_mut("metadata").and_then(Value::as_object_mut) {
        metadata.shift_remove(field);
    }
}

/// The version after the one that a response shows.
pub(super) fn one_more(shown: &mut Value) {
    let version =
        shown["metadata"]["resourceVersion"].as_str().and_then(|version| version.parse::<u64>().ok());
    if let Some(version) = version {
        shown["metadata"]["resourceVersion"] = (version + 1).to_string().into();
    }
}

/// Takes away a version that no object can have had: one that is no number, or one of the future.
pub(super) fn forgive_version(object: &mut Value) {
    let version = object["metadata"]["resourceVersion"].as_str().unwrap_or_default();
    if version.parse::<u64>().is_ok_and(|version| version < OF_THE_FUTURE) {
        return;
    }
    without(object, "resourceVersion");
}

/// No server gets so far while a scenario asks.
pub(super) const OF_THE_FUTURE: u64 = 1_000_000;

/// Whatever version a body names, it is that of the path.
pub(super) fn of_the_version(parts: &mut Parts, body: &mut Bytes) {
    let (version, _) = type_of_request(parts);
    json_body(parts, body, |object| object["apiVersion"] = version.into());
}

/// Whatever kind a body names, it is that of the path.
pub(super) fn of_the_kind(parts: &mut Parts, body: &mut Bytes) {
    let (_, kind) = type_of_request(parts);
    json_body(parts, body, |object| object["kind"] = kind.into());
}

/// A collection is posted to, an object is patched.
fn type_of_request(parts: &Parts) -> (String, String) {
    type_of(if parts.method == Method::POST { parts.uri.path() } else { collection(parts) })
}

/// The version and the kind that belong to the path of a collection.
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
        // The kinds that scenarios define are called like their plurals.
        plural => plural.chars().take(1).flat_map(char::to_uppercase).chain(plural.chars().skip(1)).collect(),
    };
    (version, kind)
}
