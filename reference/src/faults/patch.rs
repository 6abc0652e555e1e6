//! Faults of patches: JSON patch, merge patch and strategic merge patch.

use bytes::Bytes;
use http::Method as HttpMethod;
use http::header::{CONTENT_LENGTH, CONTENT_TYPE, HeaderValue};
use http::request::Parts;
use serde_json::{Map, Value, json};

use crate::fault::{Edit, Edit::*, Fault, When, When::*, json_body, on, store};
use crate::store::StoreFault;

const AS_MERGE: &str = "application/merge-patch+json";
const AS_JSON_PATCH: &str = "application/json-patch+json";
const AS_STRATEGIC: &str = "application/strategic-merge-patch+json";
const VERSION: &str = "/metadata/resourceVersion";
pub(super) const PATCH: When = Method("PATCH");
pub(super) const MERGE: When = HeaderHas("content-type", AS_MERGE);
pub(super) const JSON_PATCH: When = HeaderHas("content-type", AS_JSON_PATCH);
pub(super) const STRATEGIC: When = HeaderHas("content-type", AS_STRATEGIC);
const UNSUPPORTED: &[Edit] = &[Reject(415, "UnsupportedMediaType", "415: Unsupported Media Type")];
const PLAIN_JSON: When =
    Matches(|request| request.headers.get(CONTENT_TYPE).is_some_and(|media| media == "application/json"));

#[rustfmt::skip]
pub(super) const FAULTS: &[Fault] = &[
    on("patch-changes-existing-object", "the response to a patch lacks all fields but data and annotations", &[PATCH], &[EditJson(only_texts)]),
    // Preconditions.
    on("patch-without-rv-is-unconditional", "the server adds an old resourceVersion to every merge patch", &[MERGE], &[SetInRequest(VERSION, "\"1\"")]),
    on("patch-conditional-on-rv-stale-409", "the server ignores the resourceVersion in a merge patch", &[MERGE], &[RemoveFromRequest(VERSION)]),
    on("patch-conditional-on-rv-current-ok", "the server returns 409 for a patch at the current resourceVersion", &[MERGE], &[EditRequest(outdate_version)]),
    on("patch-conditional-smp-rv", "the server ignores the resourceVersion in a strategic merge patch", &[STRATEGIC], &[RemoveFromRequest(VERSION)]),
    // Media types.
    on("patch-type-chosen-by-content-type", "the server guesses the patch type from the body", &[PATCH], &[EditRequest(guess_media_type)]),
    on("patch-content-type-parameters", "the server returns 415 for a media type with a parameter", &[PATCH, HeaderHas("content-type", ";")], UNSUPPORTED),
    on("patch-unsupported-content-type-415", "the server treats a patch of application/json as a merge patch", &[PATCH, PLAIN_JSON], &[SetRequestHeader("content-type", AS_MERGE)]),
    on("patch-type-json-accepted", "the server returns 415 for JSON patches", &[JSON_PATCH], UNSUPPORTED),
    on("patch-type-merge-accepted", "the server returns 415 for merge patches", &[MERGE], UNSUPPORTED),
    on("patch-type-strategic-accepted", "the server returns 415 for strategic merge patches", &[STRATEGIC], UNSUPPORTED),
    on("patch-type-strategic-custom-415", "the server applies strategic merge patches of custom resources as merge patches", &[STRATEGIC, Custom],
        &[SetRequestHeader("content-type", AS_MERGE)]),
    on("patch-type-cbor-apply", "the server returns 500 for a CBOR apply", &[HeaderHas("content-type", "apply-patch+cbor")],
        &[Reject(500, "InternalError", "unexpected byte")]),
    // Missing objects.
    on("patch-json-absent-404", "a JSON patch of a missing object creates it", &[JSON_PATCH], &[EditRequest(create_instead)]),
    on("patch-merge-absent-404", "a merge patch of a missing object creates it", &[MERGE], &[EditRequest(create_instead)]),
    on("patch-strategic-absent-404", "a strategic merge patch of a missing object creates it", &[STRATEGIC], &[EditRequest(create_instead)]),
    // JSON patches.
    on("patch-json-sequence", "the server sorts JSON patch operations by name", &[JSON_PATCH], &[EditRequest(sort_operations)]),
    on("patch-json-add-array-value", "a JSON patch add of an array adds its first element only", &[JSON_PATCH], &[EditRequest(|parts, body| each(parts, body, unwrap_value))]),
    on("patch-json-add-append", "the server reads the index \"-\" as 0", &[JSON_PATCH], &[EditRequest(|parts, body| each(parts, body, insert_at_front))]),
    on("patch-json-remove", "a JSON patch remove leaves an empty value", &[JSON_PATCH], &[EditRequest(|parts, body| each(parts, body, replace_by_empty))]),
    on("patch-json-move", "a JSON patch move leaves the source", &[JSON_PATCH], &[EditRequest(|parts, body| each(parts, body, copy_instead_of_move))]),
    on("patch-json-pointer-escapes", "the server splits JSON pointers at escaped slashes", &[JSON_PATCH], &[EditRequest(|parts, body| each(parts, body, unescape_pointer))]),
    on("patch-json-copy-to-annotation", "a JSON patch copy reads an outdated value", &[JSON_PATCH], &[EditRequest(|parts, body| each(parts, body, add_old_value))]),
    on("patch-json-test-success", "the test of a string always fails", &[JSON_PATCH], &[EditRequest(|parts, body| each(parts, body, expect_other_text))]),
    on("patch-json-test-failure-rejected", "the server ignores test operations", &[JSON_PATCH], &[EditRequest(without_tests)]),
    on("patch-json-test-failure-atomic", "the server stores the operations before a failed test", &[JSON_PATCH],
        &[EditRequest(truncate_at_test), Fail(422, "Invalid", "the server rejected our request due to an error in our request")]),
    on("patch-json-test-on-resourceversion", "test operations cannot read resourceVersion", &[JSON_PATCH], &[EditRequest(|parts, body| each(parts, body, hide_version))]),
    on("patch-json-test-counter", "the server ignores test operations", &[JSON_PATCH], &[EditRequest(without_tests)]),
    on("patch-json-missing-path-422", "the server returns 200 for a JSON patch that it cannot apply", &[JSON_PATCH, StatusIs(422)], &[Status(200)]),
    on("patch-json-malformed-400", "the server returns 500 for a malformed JSON patch", &[JSON_PATCH, StatusIs(400)],
        &[Fail(500, "InternalError", "cannot read the patch")]),
    on("patch-json-too-many-ops-413", "the server returns 500 for a JSON patch with too many operations", &[JSON_PATCH, StatusIs(413)], &[Fail(500, "InternalError", "out of memory")]),
    on("patch-unaffected-by-unrelated-changes", "the server returns 409 for every third patch", &[PATCH, Every(3)],
        &[Reject(409, "Conflict", "the object has been modified")]),
    // Merge patches.
    on("patch-merge-combines", "a merge patch replaces maps", &[MERGE],
        &[EditRequest(replace_maps), SetRequestHeader("content-type", AS_STRATEGIC)]),
    on("patch-merge-null-deletes", "the server ignores null in merge patches", &[MERGE], &[EditRequest(|parts, body| json_body(parts, body, without_nulls))]),
    on("patch-merge-replaces-lists", "a merge patch adds items to lists", &[MERGE], &[EditRequest(|parts, body| json_body(parts, body, keep_first_finalizer))]),
    on("patch-merge-malformed-400", "a merge patch that is not an object empties the stored object", &[MERGE], &[EditRequest(empty_if_not_object)]),
    // Strategic merge patches.
    on("patch-strategic-merges-list-by-key", "a strategic merge patch replaces lists", &[STRATEGIC], &[SetRequestHeader("content-type", AS_MERGE)]),
    on("patch-strategic-delete-directive", "the server ignores the delete directive", &[STRATEGIC], &[EditRequest(|parts, body| json_body(parts, body, |json| remove_directive(json, "delete")))]),
    on("patch-strategic-replace-directive", "the server ignores the replace directive", &[STRATEGIC], &[EditRequest(|parts, body| json_body(parts, body, |json| remove_directive(json, "replace")))]),
    on("patch-strategic-bad-format-400", "the server returns 500 for a malformed strategic merge patch", &[STRATEGIC, StatusIs(400)],
        &[Fail(500, "InternalError", "cannot read the patch")]),
    // The resulting object.
    on("patch-name-change-400", "the server accepts a patch that changes the name", &[MERGE], &[RemoveFromRequest("/metadata/name"), Set("/metadata/name", "\"other\"")]),
    on("patch-namespace-change-400", "the server accepts a patch that changes the namespace", &[MERGE],
        &[RemoveFromRequest("/metadata/namespace"), Set("/metadata/namespace", "\"other\"")]),
    on("patch-uid-change-rejected", "the server accepts a patch that changes the uid", &[MERGE],
        &[RemoveFromRequest("/metadata/uid"), Set("/metadata/uid", "\"00000000-0000-4000-8000-000000000000\"")]),
    on("patch-invalid-result-422", "the server accepts a patch with invalid labels", &[MERGE],
        &[RemoveFromRequest("/metadata/labels/bad key!"), Set("/metadata/labels/bad key!", "\"v\"")]),
    store("patch-noop-keeps-rv", "a patch without changes increases the resourceVersion", StoreFault::BumpsWithoutChange),
    store("patch-bumps-rv", "a changed object keeps its resourceVersion", StoreFault::KeepsVersion),
    on("patch-force-only-for-apply", "the server ignores force on a merge patch", &[MERGE], &[DropParameter("force")]),
    // Authorization.
    on("patch-authorized-as-patch", "the server lets a user without patch permission patch", &[PATCH, HeaderHas("impersonate-user", "updater")],
        &[DropRequestHeader("impersonate-user"), DropRequestHeader("impersonate-group")]),
];

pub(super) fn only_texts(object: &mut Value) {
    if object["kind"] != "Status" {
        let metadata = json!({ "annotations": object["metadata"]["annotations"] });
        *object = json!({ "data": object["data"], "metadata": metadata });
    }
}

pub(super) fn outdate_version(parts: &mut Parts, body: &mut Bytes) {
    json_body(parts, body, |patch| {
        if let Some(version) = patch.pointer_mut(VERSION) {
            *version = "1".into();
        }
    });
}

fn guess_media_type(parts: &mut Parts, body: &mut Bytes) {
    let media_type = if body.starts_with(b"[") { AS_JSON_PATCH } else { AS_MERGE };
    parts.headers.insert(CONTENT_TYPE, HeaderValue::from_static(media_type));
}

/// Turns a patch into a create of its fields.
pub(super) fn create_instead(parts: &mut Parts, body: &mut Bytes) {
    json_body(parts, body, |patch| {
        if let Some(operations) = patch.as_array() {
            let field = |operation: &Value| {
                let name = operation["path"].as_str()?.trim_start_matches('/');
                Some((name.to_owned(), operation["value"].clone()))
            };
            *patch = Value::Object(operations.iter().filter_map(field).collect::<Map<_, _>>());
        }
    });
    parts.method = HttpMethod::POST;
    parts.headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    let collection = parts.uri.path().rsplit_once('/').and_then(|(collection, _)| collection.parse().ok());
    parts.uri = collection.unwrap_or_else(|| parts.uri.clone());
}

/// Edits the list of operations.
pub(super) fn list(parts: &mut Parts, body: &mut Bytes, edit: impl FnOnce(&mut Vec<Value>)) {
    json_body(parts, body, |patch| {
        if let Some(operations) = patch.as_array_mut() {
            edit(operations);
        }
    });
}

/// Edits every operation.
pub(super) fn each(parts: &mut Parts, body: &mut Bytes, edit: fn(&mut Value)) {
    list(parts, body, |operations| operations.iter_mut().filter(|one| one.is_object()).for_each(edit));
}

fn is_test(operation: &Value) -> bool {
    operation["op"] == "test"
}

fn sort_operations(parts: &mut Parts, body: &mut Bytes) {
    let name = |operation: &Value| operation["op"].as_str().unwrap_or_default().to_owned();
    list(parts, body, |operations| operations.sort_by_key(name));
}

pub(super) fn without_tests(parts: &mut Parts, body: &mut Bytes) {
    list(parts, body, |operations| operations.retain(|operation| !is_test(operation)));
}

fn truncate_at_test(parts: &mut Parts, body: &mut Bytes) {
    list(parts, body, |operations| {
        let test = operations.iter().position(is_test);
        operations.truncate(test.unwrap_or(operations.len()));
    });
}

fn unwrap_value(operation: &mut Value) {
    if let Some(first) = operation["value"].get(0).cloned() {
        operation["value"] = first;
    }
}

pub(super) fn insert_at_front(operation: &mut Value) {
    let path = operation["path"].as_str().and_then(|path| path.strip_suffix("/-"));
    if let Some(array) = path {
        operation["path"] = format!("{array}/0").into();
    }
}

fn replace_by_empty(operation: &mut Value) {
    if operation["op"] == "remove" {
        operation["op"] = "replace".into();
        operation["value"] = "".into();
    }
}

pub(super) fn copy_instead_of_move(operation: &mut Value) {
    if operation["op"] == "move" {
        operation["op"] = "copy".into();
    }
}

fn unescape_pointer(operation: &mut Value) {
    if let Some(path) = operation["path"].as_str() {
        operation["path"] = path.replace("~1", "/").into();
    }
}

/// Adds the scenarios' initial value instead of a copy.
fn add_old_value(operation: &mut Value) {
    if operation["op"] == "copy" {
        operation["op"] = "add".into();
        operation["value"] = "v".into();
    }
}

fn expect_other_text(operation: &mut Value) {
    if let Some(text) = operation["value"].as_str().filter(|_| is_test(operation)) {
        operation["value"] = format!("another than {text}").into();
    }
}

fn hide_version(operation: &mut Value) {
    if is_test(operation) && operation["path"] == VERSION {
        operation["path"] = "/metadata/hidden".into();
    }
}

/// Adds the replace directive to the maps of a patch.
pub(super) fn replace_maps(parts: &mut Parts, body: &mut Bytes) {
    json_body(parts, body, |patch| {
        for map in ["/data", "/metadata/annotations"] {
            if let Some(map) = patch.pointer_mut(map).and_then(Value::as_object_mut) {
                map.insert("$patch".to_owned(), "replace".into());
            }
        }
    });
}

pub(super) fn without_nulls(patch: &mut Value) {
    if let Some(fields) = patch.as_object_mut() {
        fields.retain(|_, value| !value.is_null());
        fields.values_mut().for_each(without_nulls);
    }
}

pub(super) fn empty_if_not_object(parts: &mut Parts, body: &mut Bytes) {
    if !serde_json::from_slice::<Value>(body).is_ok_and(|patch| patch.is_object()) {
        parts.headers.remove(CONTENT_LENGTH);
        *body = Bytes::from_static(br#"{"data":null,"metadata":{"annotations":null}}"#);
    }
}

/// Removes a directive.
pub(super) fn remove_directive(patch: &mut Value, directive: &str) {
    match patch {
        Value::Array(items) => {
            items.retain(|item| *item != json!({ "$patch": directive }));
            for item in items {
                remove_directive(item, directive);
            }
        }
        Value::Object(fields) => {
            if fields.get("$patch").is_some_and(|found| found == directive) {
                fields.shift_remove("$patch");
            }
            fields.values_mut().for_each(|field| remove_directive(field, directive));
        }
        _ => {}
    }
}

/// Keeps the scenarios' first finalizer beside others.
pub(super) fn keep_first_finalizer(patch: &mut Value) {
    let first = Value::from("kube-assay.dev/hold");
    let finalizers = patch.pointer_mut("/metadata/finalizers").and_then(Value::as_array_mut);
    if let Some(finalizers) = finalizers.filter(|list| !list.is_empty() && !list.contains(&first)) {
        finalizers.insert(0, first);
    }
}
