//! Invariant checks of `apiVersion`, kind and metadata in every response.

use harness::invariant::{CheckResult, ExchangeCheck, ensure};
use harness::invariants;

use crate::error_response::lists_paths;
use crate::object_responses;
use crate::prelude::*;
use crate::response_objects::{self, is_text};

/// The invariant checks, and scenarios with exchanges for each of them.
pub(super) fn rows() -> Vec<Row> {
    [table(RULES, Kinds::All, object_responses::keep), invariants(RULES)].concat()
}

#[rustfmt::skip]
const RULES: &[(&str, ExchangeCheck)] = &[
    ("kinds-json-identified-by-kind-and-apiversion", has_kind_and_version),
    ("kinds-apiversion-is-group-slash-version",      has_the_form_of_a_version),
    ("kinds-kind-present",                           has_a_kind),
    ("kinds-apiversion-present",                     has_the_version_of_its_path),
    ("kinds-watch-object-has-kind",                  has_events_with_kind),
    ("kinds-objects-have-common-metadata",           has_metadata),
    ("kinds-list-kind-name-suffix",                  has_a_list_kind),
    ("kinds-kind-list-not-served",                   is_not_of_kind_list),
    ("kinds-list-metadata-is-listmeta",              has_the_metadata_of_a_list),
    ("kinds-list-resourceversion-present",           has_a_version),
    ("kinds-simple-kinds-limited-metadata",          rejects_without_object_metadata),
    ("kinds-status-kind-resourceversion",            rejects_with_metadata),
];

/// Fields that only the metadata of objects has.
const OF_OBJECTS: [&str; 12] = [
    "name",
    "generateName",
    "namespace",
    "uid",
    "generation",
    "creationTimestamp",
    "deletionTimestamp",
    "labels",
    "annotations",
    "ownerReferences",
    "finalizers",
    "managedFields",
];

/// The document of a response about a resource: an object, a list, a Status; no watch.
///
/// A server may return a 5xx, or its list of paths for an unserved group, without kind and apiVersion.
fn document(exchange: &Exchange) -> Option<&Value> {
    response_objects::plain(&exchange.request).filter(|_| exchange.request.parameter("watch").is_none())?;
    let typed = exchange.status() < 500 && !lists_paths(exchange);
    exchange.json().filter(|json| json.is_object() && typed)
}

fn has_kind_and_version(exchange: &Exchange) -> CheckResult {
    let document = document(exchange)?;
    let typed = is_text(&document["kind"]) && is_text(&document["apiVersion"]);
    Some(ensure(typed, "a document with kind and apiVersion", || brief(document)))
}

fn brief(document: &Value) -> String {
    format!("kind {}, apiVersion {}", document["kind"], document["apiVersion"])
}

/// The list or the object of a response, and the `apiVersion` of its path.
fn typed(exchange: &Exchange) -> Option<(&str, &Value)> {
    let (place, document) =
        response_objects::object(exchange).or_else(|| response_objects::list(exchange))?;
    Some((place.api_version, document))
}

fn has_a_kind(exchange: &Exchange) -> CheckResult {
    let (_, document) = typed(exchange)?;
    Some(ensure(is_text(&document["kind"]), "a kind", || brief(document)))
}

fn has_the_version_of_its_path(exchange: &Exchange) -> CheckResult {
    let (version, document) = typed(exchange)?;
    let same = document["apiVersion"] == version;
    Some(ensure(same, format!("apiVersion {version:?}, as in the path"), || brief(document)))
}

/// `VERSION` in the core group, else `GROUP/VERSION`.
fn has_the_form_of_a_version(exchange: &Exchange) -> CheckResult {
    let (version, document) = typed(exchange)?;
    let group = |version: &str| version.split_once('/').map(|(group, _)| group.to_owned());
    let right = document["apiVersion"].as_str().is_some_and(|own| group(own) == group(version));
    let expected = group(version).map_or("VERSION alone".to_owned(), |group| format!("{group}/VERSION"));
    Some(ensure(right, format!("{expected} as apiVersion"), || brief(document)))
}

fn has_events_with_kind(exchange: &Exchange) -> CheckResult {
    let objects = response_objects::events(exchange);
    let wrong = objects.iter().find(|object| !is_text(&object["kind"]) || !is_text(&object["apiVersion"]));
    let actual = || wrong.map(|object| brief(object)).unwrap_or_default();
    (!objects.is_empty())
        .then(|| ensure(wrong.is_none(), "events of objects with kind and apiVersion", actual))
}

fn has_metadata(exchange: &Exchange) -> CheckResult {
    let present = |object: &Value| object["metadata"].is_object();
    let actual = |object: &Value| format!("metadata: {}", object["metadata"]);
    response_objects::each(exchange, "metadata in every object", present, actual)
}

/// A successful response is one JSON object.
pub(super) fn is_one_document(exchange: &Exchange) -> CheckResult {
    response_objects::plain(&exchange.request).filter(|_| exchange.request.parameter("watch").is_none())?;
    let one = exchange.json().is_some_and(Value::is_object);
    exchange.succeeded().then(|| ensure(one, "one JSON object", || exchange.brief()))
}

fn has_a_list_kind(exchange: &Exchange) -> CheckResult {
    let (_, list) = response_objects::list(exchange)?;
    let called = list["kind"].as_str().is_some_and(|kind| kind.ends_with("List"));
    Some(ensure(called, "a kind that ends in List", || brief(list)))
}

fn is_not_of_kind_list(exchange: &Exchange) -> CheckResult {
    let (_, list) = response_objects::list(exchange)?;
    Some(ensure(list["kind"] != "List", "a kind other than List", || brief(list)))
}

/// Whether the metadata has no field that only objects have. Unknown fields are legal.
fn of_no_object(document: &Value) -> bool {
    OF_OBJECTS.iter().all(|field| document["metadata"][*field].is_null())
}

fn has_the_metadata_of_a_list(exchange: &Exchange) -> CheckResult {
    let (_, list) = response_objects::list(exchange)?;
    let right = list["metadata"].is_object() && of_no_object(list);
    Some(ensure(right, "metadata without fields of objects", || list["metadata"].to_string()))
}

fn has_a_version(exchange: &Exchange) -> CheckResult {
    let (_, list) = response_objects::stored_list(exchange)?;
    let version = &list["metadata"]["resourceVersion"];
    Some(ensure(is_text(version), "a resourceVersion of the list", || version.to_string()))
}

fn rejects_without_object_metadata(exchange: &Exchange) -> CheckResult {
    let status = response_objects::refusal(exchange)?;
    let actual = || status["metadata"].to_string();
    Some(ensure(of_no_object(status), "a Status with metadata without fields of objects", actual))
}

fn rejects_with_metadata(exchange: &Exchange) -> CheckResult {
    let metadata = response_objects::refusal(exchange)?.get("metadata")?;
    let version = metadata.get("resourceVersion").is_none_or(Value::is_string);
    let right = metadata.is_object() && version;
    Some(ensure(right, "a Status whose metadata is an object", || metadata.to_string()))
}
