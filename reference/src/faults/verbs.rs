//! Faults of HTTP methods and API verbs.

use bytes::Bytes;
use http::Method as Verb;
use http::header::{CONTENT_TYPE, HeaderValue};
use http::request::Parts;
use serde_json::{Value, json};

use super::patch::{self, JSON_PATCH, MERGE, PATCH, STRATEGIC};
use super::rewrite::{self, Sent};
use crate::fault::{Edit, Edit::*, Event, Fault, When, When::*, json_body, on, store};
use crate::store::StoreFault;

const GET: When = Method("GET");
const POST: When = Method("POST");
const PUT: When = Method("PUT");
const DELETE: When = Method("DELETE");
/// Fixtures of scenarios, not their subjects.
const SUBJECTS: When = Not(&Any(&[Plural("namespaces"), Plural("customresourcedefinitions")]));
const AS_MERGE: &str = "application/merge-patch+json";
const UNSUPPORTED: &[Edit] = &[Reject(415, "UnsupportedMediaType", "415: Unsupported Media Type")];
/// A merge patch instead of a PUT.
const AS_PATCH: Edit = EditRequest(|parts, _| rewrite::make_merge_patch(parts));
const PLAIN_JSON: When =
    Matches(|request| request.headers.get(CONTENT_TYPE).is_some_and(|media| media == "application/json"));

#[rustfmt::skip]
pub(super) const FAULTS: &[Fault] = &[
    // Whole objects.
    on("verbs-put-clears-omitted-fields", "the server merges a PUT with the stored object", &[PUT, Object], &[AS_PATCH]),
    on("verbs-put-refuses-partial-object", "the server fills in a partial PUT from the stored object", &[PUT, Object], &[AS_PATCH]),
    on("verbs-read-modify-write-works", "the server rejects server-set fields in a PUT", &[PUT, Object], &[EditRequest(reject_system_fields)]),
    on("verbs-put-updates", "the server does not store a PUT", &[PUT, Object], &[SetParameter("dryRun", "All")]),
    on("verbs-put-may-create", "a PUT of a missing object returns 500", &[PUT, Object, Any(&[StatusIs(404), StatusIs(201)])], &[Fail(500, "InternalError", "nothing there")]),
    on("verbs-put-name-must-match-url", "the name in the body overrides that in the path", &[PUT, Object], &[EditRequest(super::update::redirect_to_body_name)]),
    // Reads and creates.
    on("verbs-get-collection", "the server sends a list as a bare array", &[List], &[EditJson(|list| *list = list["items"].take())]),
    on("verbs-post-creates", "a created object has no creationTimestamp", &[POST, Collection, SUBJECTS, StatusIs(201)], &[Remove("/metadata/creationTimestamp")]),
    on("verbs-get-element", "a get returns a list with one item", &[GET, Object, StatusIs(200)],
        &[EditJson(|object| *object = json!({ "kind": "List", "apiVersion": "v1", "metadata": {}, "items": [object.take()] }))]),
    // Deletion.
    on("verbs-delete-element", "a delete also removes objects with the same name prefix", &[DELETE, Object], &[Several(delete_by_prefix)]),
    on("verbs-delete-twice-404", "a delete of a missing object returns 200", &[DELETE, Object, StatusIs(404)], &[Status(200)]),
    on("verbs-delete-accepts-grace-period", "the server rejects DeleteOptions in the body", &[DELETE, HeaderHas("content-type", "json")],
        &[Reject(400, "BadRequest", "no kind \"DeleteOptions\" is registered")]),
    on("verbs-delete-kind-default-grace", "every Pod gets a grace period of 30 seconds", &[DELETE, Plural("pods"), Lacks("gracePeriodSeconds")], &[SetParameter("gracePeriodSeconds", "30")]),
    on("verbs-delete-kinds-differ-in-default-grace", "a delete does not remove ConfigMaps", &[DELETE, Plural("configmaps")], &[SetParameter("dryRun", "All")]),
    on("verbs-delete-user-grace-overrides", "the server ignores gracePeriodSeconds other than 0", &[DELETE, Plural("pods")], &[EditParameter("gracePeriodSeconds", |given| (given == "0").then(|| given.to_owned()))]),
    on("verbs-delete-zero-grace-is-now", "the server ignores gracePeriodSeconds", &[DELETE, Plural("pods")], &[DropParameter("gracePeriodSeconds"), RemoveFromRequest("/gracePeriodSeconds")]),
    on("verbs-delete-collection", "deletecollection ignores selectors", &[DELETE, Collection], &[DropParameter("labelSelector"), DropParameter("fieldSelector")]),
    // Watches.
    on("verbs-watch-streams-changes", "a watch sends ADDED events only", &[Watch], &[Events(Event::Drop("MODIFIED")), Events(Event::Drop("DELETED"))]),
    on("verbs-watch-response-starts-at-once", "the response headers of a watch arrive after 8 seconds", &[Watch], &[Delay(8_000)]),
    on("verbs-watch-query-parameter", "the server reads any value of watch as true", &[Has("watch")], &[SetParameter("watch", "true")]),
    // Discovery.
    on("verbs-discovery-verbs-true", "the server returns 405 for a patch though discovery lists it", &[PATCH, Object], &[Reject(405, "MethodNotAllowed", "the server does not allow this method on the requested resource")]),
    on("verbs-patch-types-advertised", "the OpenAPI document allows any media type for patches", &[PathPrefix("/openapi/")], &[EditJson(allow_any_media_type)]),
    // Fields of a patch.
    on("verbs-patch-modifies-selected-fields", "a merge patch clears fields that it omits", &[MERGE, Object], &[EditRequest(clear_other_fields)]),
    on("verbs-patch-content-type-decides", "the server confuses merge patch and strategic merge patch", &[Any(&[STRATEGIC, MERGE])], &[EditRequest(swap_list_strategies)]),
    on("verbs-patch-unknown-content-type", "the server treats a patch of application/json as a merge patch", &[PATCH, PLAIN_JSON], &[SetRequestHeader("content-type", AS_MERGE)]),
    on("verbs-patch-missing-object-404", "a merge patch of a missing object creates it", &[MERGE], &[EditRequest(patch::create_instead)]),
    on("verbs-patch-result-validated", "a patch with an invalid result returns 200", &[PATCH, StatusIs(422)], &[Status(200)]),
    store("verbs-patch-empty-is-noop", "an empty patch increases the resourceVersion", StoreFault::BumpsWithoutChange),
    on("verbs-apply-patch-type", "the server treats an apply as a merge patch", &[HeaderHas("content-type", "apply-patch+yaml")], &[SetRequestHeader("content-type", AS_MERGE)]),
    // JSON patches.
    on("verbs-json-patch-supported", "the server returns 415 for JSON patches", &[JSON_PATCH], UNSUPPORTED),
    on("verbs-json-patch-operations", "the server ignores copy operations", &[JSON_PATCH],
        &[EditRequest(|parts, body| patch::list(parts, body, |operations| operations.retain(|operation| operation["op"] != "copy")))]),
    on("verbs-json-patch-pointer-escapes", "the server does not unescape JSON pointers", &[JSON_PATCH], &[EditRequest(|parts, body| patch::each(parts, body, escape_twice))]),
    on("verbs-json-patch-test-failure", "the server ignores test operations", &[JSON_PATCH], &[EditRequest(patch::without_tests)]),
    on("verbs-json-patch-atomic", "the server stores the operations before a failure", &[JSON_PATCH], &[Several(one_by_one)]),
    on("verbs-json-patch-malformed", "the server treats a malformed JSON patch as a merge patch", &[JSON_PATCH], &[EditRequest(merge_unless_list)]),
    // Merge patches.
    on("verbs-merge-patch-supported", "a merge patch replaces maps", &[MERGE],
        &[EditRequest(patch::replace_maps), SetRequestHeader("content-type", "application/strategic-merge-patch+json")]),
    on("verbs-merge-patch-null-removes", "the server ignores null in merge patches", &[MERGE], &[EditRequest(|parts, body| json_body(parts, body, patch::without_nulls))]),
    on("verbs-merge-patch-arrays-replaced", "a merge patch adds items to lists", &[MERGE], &[EditRequest(|parts, body| json_body(parts, body, patch::keep_first_finalizer))]),
    on("verbs-merge-patch-malformed", "a merge patch that is not an object empties the stored object", &[MERGE], &[EditRequest(patch::empty_if_not_object)]),
    // Strategic merge patches.
    on("verbs-strategic-merge-supported", "the server returns 415 for strategic merge patches", &[STRATEGIC], UNSUPPORTED),
    on("verbs-strategic-merge-lists-by-key", "a strategic merge patch replaces lists", &[STRATEGIC], &[SetRequestHeader("content-type", AS_MERGE)]),
    on("verbs-strategic-merge-delete-directive", "the server ignores the delete directive", &[STRATEGIC], &[EditRequest(|parts, body| json_body(parts, body, |json| patch::remove_directive(json, "delete")))]),
    on("verbs-strategic-merge-replace-directive", "the server ignores the replace directive", &[STRATEGIC], &[EditRequest(|parts, body| json_body(parts, body, |json| patch::remove_directive(json, "replace")))]),
    on("verbs-strategic-merge-atomic-lists", "a strategic merge patch merges atomic lists", &[STRATEGIC, Plural("deployments")], &[EditRequest(|parts, body| json_body(parts, body, add_arguments))]),
    on("verbs-strategic-merge-primitive-lists", "a strategic merge patch replaces lists of primitives", &[STRATEGIC], &[SetRequestHeader("content-type", AS_MERGE)]),
    on("verbs-strategic-merge-null-removes", "a strategic merge patch with null stores an empty string", &[STRATEGIC], &[EditRequest(|parts, body| json_body(parts, body, nulls_to_empty))]),
    on("verbs-strategic-merge-not-for-custom-resources", "the server applies strategic merge patches of custom resources as merge patches", &[STRATEGIC, Custom],
        &[SetRequestHeader("content-type", AS_MERGE)]),
];

/// Rejects fields that the server sets.
fn reject_system_fields(parts: &mut Parts, body: &mut Bytes) {
    json_body(parts, body, |object| {
        if object["metadata"]["uid"].is_string() {
            object["kind"] = "KnowsTooMuch".into();
        }
    });
}

/// The scenarios' names have one letter: `ab` begins with `a`.
fn delete_by_prefix(parts: &Parts, body: &Bytes) -> Vec<Sent> {
    let namesake = format!("{}b", parts.uri.path());
    vec![rewrite::json_request(parts, Verb::DELETE, &namesake, &json!({})), rewrite::unchanged(parts, body)]
}

/// The published patches have no media types.
fn allow_any_media_type(document: &mut Value) {
    let paths = document["paths"].as_object_mut().into_iter().flatten();
    for (_, operations) in paths {
        if let Some(patch) = operations.get_mut("patch") {
            patch["consumes"] = json!(["*/*"]);
            patch["requestBody"] = json!({ "content": { "*/*": {} } });
        }
    }
}

/// Strategic merge patches replace lists, other patches merge them.
fn swap_list_strategies(parts: &mut Parts, body: &mut Bytes) {
    let form = parts.headers.get(CONTENT_TYPE).and_then(|form| form.to_str().ok());
    if form.is_some_and(|form| form.contains("strategic")) {
        parts.headers.insert(CONTENT_TYPE, HeaderValue::from_static(AS_MERGE));
    } else {
        json_body(parts, body, patch::keep_first_finalizer);
    }
}

fn clear_other_fields(parts: &mut Parts, body: &mut Bytes) {
    json_body(parts, body, |patch| {
        let empty = [
            ("data", json!({ "value": null })),
            ("spec", json!({ "value": null, "template": { "metadata": { "annotations": null } } })),
            ("rules", json!([])),
        ];
        for (part, empty) in empty {
            if patch["metadata"].is_object() && patch[part].is_null() {
                patch[part] = empty;
            }
        }
    });
}

/// Escapes an escaped pointer again.
fn escape_twice(operation: &mut Value) {
    if let Some(path) = operation["path"].as_str().filter(|path| path.contains('~')) {
        operation["path"] = path.replace('~', "~0").into();
    }
}

/// Sends each operation on its own.
fn one_by_one(parts: &Parts, body: &Bytes) -> Vec<Sent> {
    let operations = rewrite::read(body);
    let operations = operations.as_array().into_iter().flatten();
    operations.map(|operation| rewrite::with_body(parts, &json!([operation]))).collect()
}

fn merge_unless_list(parts: &mut Parts, body: &mut Bytes) {
    if !body.starts_with(b"[") {
        parts.headers.insert(CONTENT_TYPE, HeaderValue::from_static(AS_MERGE));
    }
}

/// The arguments of the object and of the patch.
fn add_arguments(patch: &mut Value) {
    if let Some(arguments) = patch.pointer_mut("/spec/template/spec/containers/0/args") {
        let mut all = vec![json!("a"), json!("b")];
        all.extend(arguments.as_array().cloned().unwrap_or_default());
        *arguments = all.into();
    }
}

fn nulls_to_empty(patch: &mut Value) {
    match patch {
        Value::Null => *patch = "".into(),
        Value::Object(fields) => fields.values_mut().for_each(nulls_to_empty),
        _ => {}
    }
}
