//! Invariant checks of `apiVersion`, kind and metadata in every response.

use harness::invariant::{CheckResult, ExchangeCheck, kept};
use harness::invariants;

use crate::error_response::lists_paths;
use crate::object_responses;
use crate::prelude::*;
use crate::response_objects::{self, is_text};

/// The invariant checks, and scenarios that see to it that they apply.
pub(super) fn rows() -> Vec<Row> {
    [table(RULES, Kinds::All, every_answer_keeps), invariants(RULES)].concat()
}

#[rustfmt::skip]
const RULES: &[(&str, ExchangeCheck)] = &[
    ("kinds-json-identified-by-kind-and-apiversion", says_what_it_is),
    ("kinds-apiversion-is-group-slash-version",      has_the_form_of_a_version),
    ("kinds-kind-present",                           has_a_kind),
    ("kinds-apiversion-present",                     has_the_version_of_its_path),
    ("kinds-watch-object-has-kind",                  is_told_with_its_kind),
    ("kinds-objects-have-common-metadata",           has_metadata),
    ("kinds-list-kind-name-suffix",                  is_called_a_list),
    ("kinds-kind-list-not-served",                   is_no_list_of_anything),
    ("kinds-list-metadata-is-listmeta",              has_the_metadata_of_a_list),
    ("kinds-list-resourceversion-present",           has_a_version),
    ("kinds-simple-kinds-limited-metadata",          refuses_without_metadata_of_an_object),
    ("kinds-status-kind-resourceversion",            refuses_with_metadata),
];

/// What only the metadata of objects has.
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

async fn every_answer_keeps(cx: Context, rule: ExchangeCheck) -> Checked {
    object_responses::keep(&cx, rule).await
}

/// The document that a request about a resource was answered with: an object, a list, a refusal. No watch.
///
/// A server that could not answer in time says so without kind and apiVersion, and so does one that lists its paths where
/// it does not serve a group.
fn document(exchange: &Exchange) -> Option<&Value> {
    response_objects::plain(&exchange.request).filter(|_| exchange.request.parameter("watch").is_none())?;
    let said = exchange.status() < 500 && !lists_paths(exchange);
    exchange.json().filter(|json| json.is_object() && said)
}

fn says_what_it_is(exchange: &Exchange) -> CheckResult {
    let document = document(exchange)?;
    let said = is_text(&document["kind"]) && is_text(&document["apiVersion"]);
    Some(kept(said, "a document with kind and apiVersion", || brief(document)))
}

/// What a document says of itself.
fn brief(document: &Value) -> String {
    format!("kind {}, apiVersion {}", document["kind"], document["apiVersion"])
}

/// The list or the object that an answer shows, and the group and version of its path.
fn shown_at(exchange: &Exchange) -> Option<(&str, &Value)> {
    let (place, document) =
        response_objects::object(exchange).or_else(|| response_objects::list(exchange))?;
    Some((place.api_version, document))
}

fn has_a_kind(exchange: &Exchange) -> CheckResult {
    let (_, document) = shown_at(exchange)?;
    Some(kept(is_text(&document["kind"]), "a kind", || brief(document)))
}

fn has_the_version_of_its_path(exchange: &Exchange) -> CheckResult {
    let (version, document) = shown_at(exchange)?;
    let same = document["apiVersion"] == version;
    Some(kept(same, format!("apiVersion {version:?}, as in the path"), || brief(document)))
}

/// In the core group a version alone, else group and version.
fn has_the_form_of_a_version(exchange: &Exchange) -> CheckResult {
    let (version, document) = shown_at(exchange)?;
    let group = |version: &str| version.split_once('/').map(|(group, _)| group.to_owned());
    let right = document["apiVersion"].as_str().is_some_and(|said| group(said) == group(version));
    let expected = group(version).map_or("VERSION alone".to_owned(), |group| format!("{group}/VERSION"));
    Some(kept(right, format!("{expected} as apiVersion"), || brief(document)))
}

fn is_told_with_its_kind(exchange: &Exchange) -> CheckResult {
    let objects = response_objects::events(exchange);
    let wrong = objects.iter().find(|object| !is_text(&object["kind"]) || !is_text(&object["apiVersion"]));
    let actual = || wrong.map(|object| brief(object)).unwrap_or_default();
    (!objects.is_empty()).then(|| kept(wrong.is_none(), "events of objects with kind and apiVersion", actual))
}

fn has_metadata(exchange: &Exchange) -> CheckResult {
    let there = |object: &Value| object["metadata"].is_object();
    let told = |object: &Value| format!("metadata: {}", object["metadata"]);
    response_objects::each(exchange, "metadata in every object", there, told)
}

/// What succeeds in the ordinary way is answered with one object, and nothing before or after it.
pub(super) fn is_one_document(exchange: &Exchange) -> CheckResult {
    response_objects::plain(&exchange.request).filter(|_| exchange.request.parameter("watch").is_none())?;
    let one = exchange.json().is_some_and(Value::is_object);
    exchange.succeeded().then(|| kept(one, "one JSON object", || exchange.brief()))
}

fn is_called_a_list(exchange: &Exchange) -> CheckResult {
    let (_, list) = response_objects::list(exchange)?;
    let called = list["kind"].as_str().is_some_and(|kind| kind.ends_with("List"));
    Some(kept(called, "a kind that ends in List", || brief(list)))
}

fn is_no_list_of_anything(exchange: &Exchange) -> CheckResult {
    let (_, list) = response_objects::list(exchange)?;
    Some(kept(list["kind"] != "List", "a kind of the type's own", || brief(list)))
}

/// No field that only objects have. Lists may have more than we know of.
fn of_no_object(document: &Value) -> bool {
    OF_OBJECTS.iter().all(|field| document["metadata"][*field].is_null())
}

fn has_the_metadata_of_a_list(exchange: &Exchange) -> CheckResult {
    let (_, list) = response_objects::list(exchange)?;
    let right = list["metadata"].is_object() && of_no_object(list);
    Some(kept(right, "metadata of a list, not of an object", || list["metadata"].to_string()))
}

fn has_a_version(exchange: &Exchange) -> CheckResult {
    let (_, list) = response_objects::stored_list(exchange)?;
    let version = &list["metadata"]["resourceVersion"];
    Some(kept(is_text(version), "a text as resourceVersion of the list", || version.to_string()))
}

fn refuses_without_metadata_of_an_object(exchange: &Exchange) -> CheckResult {
    let status = response_objects::refusal(exchange)?;
    Some(kept(of_no_object(status), "a Status without metadata of an object", || {
        status["metadata"].to_string()
    }))
}

fn refuses_with_metadata(exchange: &Exchange) -> CheckResult {
    let metadata = response_objects::refusal(exchange)?.get("metadata")?;
    let version = metadata.get("resourceVersion").is_none_or(Value::is_string);
    let right = metadata.is_object() && version;
    Some(kept(right, "a Status whose metadata are an object, perhaps empty", || metadata.to_string()))
}
