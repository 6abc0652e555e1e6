//! Faults of single-object and collection requests.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use bytes::Bytes;
use http::Method as Verb;
use http::request::Parts;
use serde_json::{Value, json};

use super::rewrite::{self, Sent};
use crate::fault::{Edit, Edit::*, Event, Fault, Items, When, When::*, on, store};
use crate::store::StoreFault;

const POST: When = Method("POST");
const PUT: When = Method("PUT");
const PATCH: When = Method("PATCH");
const DELETE: When = Method("DELETE");
const WITHOUT_LABELS: Edit = DropParameter("labelSelector");
const WITHOUT_FIELDS: Edit = DropParameter("fieldSelector");

#[rustfmt::skip]
pub(super) const FAULTS: &[Fault] = &[
    // Several objects.
    on("single-create-rejects-list-body", "a create of a list creates every item", &[POST, Collection], &[Several(|parts, body| create_each(parts, &rewrite::read(body)["items"]))]),
    on("single-create-rejects-json-array", "a create of a JSON array creates every element", &[POST, Collection], &[Several(|parts, body| create_each(parts, &rewrite::read(body)))]),
    on("single-create-yaml-multidoc-no-batch", "a create of several YAML documents creates all of them", &[POST, Collection, HeaderHas("content-type", "yaml")], &[Several(create_documents)]),
    on("single-get-one-name", "a get of a name with commas returns a list", &[Method("GET"), Object, Matches(|request| request.path.contains(','))],
        &[EditRequest(|parts, _| redirect_to_collection(parts))]),
    on("single-update-not-on-collection", "a PUT to a collection updates every item", &[PUT, Collection], &[Several(put_each)]),
    on("single-patch-not-on-collection", "a patch to a collection patches an object", &[PATCH, Collection], &[Several(patch_first_object)]),
    on("single-create-not-on-item", "the server accepts a POST to the path of an object", &[POST, Object], &[EditRequest(|parts, _| redirect_to_collection(parts))]),
    on("single-no-transactions", "a failed create deletes an earlier object", &[POST, Collection], &[Several(roll_back)]),
    // Reads of many objects.
    on("single-list-returns-many", "a list returns the first item only", &[List, Has("labelSelector")], &[EditItems(Items::Truncate(1))]),
    on("single-watch-covers-many", "a watch sends events of the first changed object only", &[Watch], &[Events(Event::Recall(first_object_only))]),
    // Deletions of many objects.
    on("single-deletecollection-deletes-many", "deletecollection deletes one object only", &[DELETE, Collection], &[SetParameter("fieldSelector", "metadata.name=a")]),
    on("single-deletecollection-honours-selector", "deletecollection ignores selectors", &[DELETE, Collection], &[WITHOUT_LABELS, WITHOUT_FIELDS]),
    on("single-deletecollection-namespace-scope", "deletecollection deletes in all namespaces", &[Namespaced], &[Several(delete_everywhere)]),
    store("single-deletecollection-respects-finalizers", "deletecollection removes objects despite finalizers", StoreFault::IgnoresFinalizers),
    on("single-deletecollection-response-list", "the response to deletecollection is empty", &[DELETE, Collection, StatusIs(200)], &[Text("")]),
    on("single-deletecollection-limit", "deletecollection with limit ignores the label selector", &[DELETE, Collection, Has("limit")], &[WITHOUT_LABELS, DropParameter("limit")]),
    on("single-deletecollection-validates-list-options", "deletecollection ignores invalid list options", &[DELETE, Collection],
        &[DropParameter("resourceVersionMatch"), DropParameter("limit")]),
    on("single-deletecollection-preconditions-per-object", "deletecollection ignores preconditions", &[DELETE, Collection], &[RemoveFromRequest("/preconditions")]),
];

/// A create of each object in an array; none without an array.
fn create_each(parts: &Parts, objects: &Value) -> Vec<Sent> {
    let objects = objects.as_array().into_iter().flatten();
    objects.map(|object| rewrite::with_body(parts, object)).collect()
}

/// A create of each JSON document in a stream.
fn create_documents(parts: &Parts, body: &Bytes) -> Vec<Sent> {
    let text = String::from_utf8_lossy(body);
    let documents = text.split("\n---\n").filter_map(|document| serde_json::from_str::<Value>(document).ok());
    documents.map(|document| rewrite::json_request(parts, Verb::POST, parts.uri.path(), &document)).collect()
}

fn put_each(parts: &Parts, body: &Bytes) -> Vec<Sent> {
    let list = rewrite::read(body);
    let objects = list["items"].as_array().into_iter().flatten();
    objects
        .map(|object| rewrite::json_request(parts, Verb::PUT, &rewrite::item(parts, object), object))
        .collect()
}

/// A patch of the object that all scenarios have.
fn patch_first_object(parts: &Parts, body: &Bytes) -> Vec<Sent> {
    let known = json!({ "metadata": { "name": "a" } });
    vec![rewrite::json_request(parts, Verb::PATCH, &rewrite::item(parts, &known), &rewrite::read(body))]
}

fn redirect_to_collection(parts: &mut Parts) {
    let path = rewrite::collection(parts).to_owned();
    rewrite::set_path(parts, &path);
}

/// The deletion of the first object before a create that fails.
fn roll_back(parts: &Parts, body: &Bytes) -> Vec<Sent> {
    let object = rewrite::read(body);
    let invalid = |value: &Value| value.as_str().is_some_and(|value| value.contains(' '));
    if !object["metadata"]["labels"].as_object().is_some_and(|labels| labels.values().any(invalid)) {
        return Vec::new();
    }
    let known = json!({ "metadata": { "name": "a" } });
    let deletion = rewrite::json_request(parts, Verb::DELETE, &rewrite::item(parts, &known), &json!({}));
    vec![deletion, rewrite::unchanged(parts, body)]
}

/// The events of the first object only.
fn first_object_only(first: &mut Value, event: Value) -> Vec<Value> {
    let name = event["object"]["metadata"]["name"].clone();
    if first.is_null() {
        *first = name.clone();
    }
    if *first == name { vec![event] } else { Vec::new() }
}

/// The namespaces of earlier requests.
static KNOWN: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());

/// The deletion of the collection in each known namespace, the requested one last.
fn delete_everywhere(parts: &Parts, body: &Bytes) -> Vec<Sent> {
    let path = parts.uri.path();
    let Some((root, rest)) = path.split_once("/namespaces/") else { return Vec::new() };
    let Some((namespace, plural)) = rest.split_once('/') else { return Vec::new() };
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    known.insert(namespace.to_owned());
    if parts.method != Verb::DELETE || plural.contains('/') {
        return Vec::new();
    }
    let others = known.iter().filter(|known| *known != namespace);
    let elsewhere = |other: &String| {
        let mut parts = parts.clone();
        rewrite::set_path(&mut parts, &format!("{root}/namespaces/{other}/{plural}"));
        (parts, body.clone())
    };
    others.map(elsewhere).chain([rewrite::unchanged(parts, body)]).collect()
}
