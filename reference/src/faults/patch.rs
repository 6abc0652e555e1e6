//! Faults of patches: JSON patch, merge patch and strategic merge patch.

use bytes::Bytes;
use http::Method as HttpMethod;
use http::header::{CONTENT_LENGTH, CONTENT_TYPE, HeaderValue};
use http::request::Parts;
use serde_json::{Map, Value, json};

use crate::fault::{Edit, Edit::*, Fault, When, When::*, json_body, on, store};
use crate::store::StoreFlaw;

const AS_MERGE: &str = "application/merge-patch+json";
const AS_JSON_PATCH: &str = "application/json-patch+json";
const AS_STRATEGIC: &str = "application/strategic-merge-patch+json";
const VERSION: &str = "/metadata/resourceVersion";
pub(super) const PATCH: When = Method("PATCH");
pub(super) const MERGE: When = HeaderHas("content-type", AS_MERGE);
pub(super) const JSON_PATCH: When = HeaderHas("content-type", AS_JSON_PATCH);
pub(super) const STRATEGIC: When = HeaderHas("content-type", AS_STRATEGIC);
const UNSUPPORTED: &[Edit] = &[Refuse(415, "UnsupportedMediaType", "415: Unsupported Media Type")];
const PLAIN_JSON: When =
    Asks(|asked| asked.headers.get(CONTENT_TYPE).is_some_and(|media| media == "application/json"));

#[rustfmt::skip]
pub(super) const FAULTS: &[Fault] = &[
    on("patch-changes-existing-object", "the answer holds only what a patch can be about", &[PATCH], &[EditJson(only_texts)]),
    // On what a patch depends.
    on("patch-without-rv-is-unconditional", "every patch is one of the first version", &[MERGE], &[SetInRequest(VERSION, "\"1\"")]),
    on("patch-conditional-on-rv-stale-409", "the version in a merge patch is ignored", &[MERGE], &[RemoveFromRequest(VERSION)]),
    on("patch-conditional-on-rv-current-ok", "a version in a patch is always outdated", &[MERGE], &[EditRequest(of_an_old_version)]),
    on("patch-conditional-smp-rv", "the version in a strategic merge patch is ignored", &[STRATEGIC], &[RemoveFromRequest(VERSION)]),
    // Its form.
    on("patch-type-chosen-by-content-type", "the form is guessed from the first character", &[PATCH], &[EditRequest(guess_form)]),
    on("patch-content-type-parameters", "a media type with a parameter is not known", &[PATCH, HeaderHas("content-type", ";")], UNSUPPORTED),
    on("patch-unsupported-content-type-415", "JSON is taken for a merge patch", &[PATCH, PLAIN_JSON], &[SetRequestHeader("content-type", AS_MERGE)]),
    on("patch-type-json-accepted", "JSON patches are not known", &[JSON_PATCH], UNSUPPORTED),
    on("patch-type-merge-accepted", "merge patches are not known", &[MERGE], UNSUPPORTED),
    on("patch-type-strategic-accepted", "strategic merge patches are not known", &[STRATEGIC], UNSUPPORTED),
    on("patch-type-strategic-custom-415", "of custom types a strategic merge patch is a merge patch", &[STRATEGIC, Custom],
        &[SetRequestHeader("content-type", AS_MERGE)]),
    on("patch-type-cbor-apply", "CBOR breaks the server", &[HeaderHas("content-type", "apply-patch+cbor")],
        &[Refuse(500, "InternalError", "unexpected byte")]),
    // What is not there.
    on("patch-json-absent-404", "a JSON patch of nothing creates", &[JSON_PATCH], &[EditRequest(create_instead)]),
    on("patch-merge-absent-404", "a merge patch of nothing creates", &[MERGE], &[EditRequest(create_instead)]),
    on("patch-strategic-absent-404", "a strategic merge patch of nothing creates", &[STRATEGIC], &[EditRequest(create_instead)]),
    // JSON patches.
    on("patch-json-sequence", "operations are sorted by their names", &[JSON_PATCH], &[EditRequest(sorted)]),
    on("patch-json-add-array-value", "of an array the first element is added", &[JSON_PATCH], &[EditRequest(|parts, body| each(parts, body, flattened))]),
    on("patch-json-add-append", "a dash is the index 0", &[JSON_PATCH], &[EditRequest(|parts, body| each(parts, body, to_the_front))]),
    on("patch-json-remove", "what is removed becomes empty", &[JSON_PATCH], &[EditRequest(|parts, body| each(parts, body, emptied))]),
    on("patch-json-move", "what is moved stays", &[JSON_PATCH], &[EditRequest(|parts, body| each(parts, body, copied))]),
    on("patch-json-pointer-escapes", "paths are split at escaped slashes", &[JSON_PATCH], &[EditRequest(|parts, body| each(parts, body, unescaped))]),
    on("patch-json-copy-to-annotation", "a copy is of a value of the past", &[JSON_PATCH], &[EditRequest(|parts, body| each(parts, body, of_the_past))]),
    on("patch-json-test-success", "tests of texts fail", &[JSON_PATCH], &[EditRequest(|parts, body| each(parts, body, other_text))]),
    on("patch-json-test-failure-rejected", "tests are ignored", &[JSON_PATCH], &[EditRequest(without_tests)]),
    on("patch-json-test-failure-atomic", "what stands before a test is stored", &[JSON_PATCH],
        &[EditRequest(until_the_test), Fail(422, "Invalid", "the server rejected our request due to an error in our request")]),
    on("patch-json-test-on-resourceversion", "tests do not see the version", &[JSON_PATCH], &[EditRequest(|parts, body| each(parts, body, hidden))]),
    on("patch-json-test-counter", "tests are ignored", &[JSON_PATCH], &[EditRequest(without_tests)]),
    on("patch-json-missing-path-422", "what is impossible is left out", &[JSON_PATCH, Answered(422)], &[Status(200)]),
    on("patch-json-malformed-400", "what is no list of operations breaks the server", &[JSON_PATCH, Answered(400)],
        &[Fail(500, "InternalError", "cannot read the patch")]),
    on("patch-json-too-many-ops-413", "a long patch breaks the server", &[JSON_PATCH, Answered(413)], &[Fail(500, "InternalError", "out of memory")]),
    on("patch-unaffected-by-unrelated-changes", "of many patches some are refused", &[PATCH, Every(3)],
        &[Refuse(409, "Conflict", "the object has been modified")]),
    // Merge patches.
    on("patch-merge-combines", "a map takes the place of the one that was there", &[MERGE],
        &[EditRequest(replacing), SetRequestHeader("content-type", AS_STRATEGIC)]),
    on("patch-merge-null-deletes", "null is ignored", &[MERGE], &[EditRequest(|parts, body| json_body(parts, body, without_nulls))]),
    on("patch-merge-replaces-lists", "elements are added to lists", &[MERGE], &[EditRequest(|parts, body| json_body(parts, body, with_the_first_finalizer))]),
    on("patch-merge-malformed-400", "what is no object empties the one that is there", &[MERGE], &[EditRequest(emptying)]),
    // Strategic merge patches.
    on("patch-strategic-merges-list-by-key", "lists are replaced", &[STRATEGIC], &[SetRequestHeader("content-type", AS_MERGE)]),
    on("patch-strategic-delete-directive", "elements are not deleted", &[STRATEGIC], &[EditRequest(|parts, body| json_body(parts, body, |json| forget(json, "delete")))]),
    on("patch-strategic-replace-directive", "nothing is replaced", &[STRATEGIC], &[EditRequest(|parts, body| json_body(parts, body, |json| forget(json, "replace")))]),
    on("patch-strategic-bad-format-400", "what is no object breaks the server", &[STRATEGIC, Answered(400)],
        &[Fail(500, "InternalError", "cannot read the patch")]),
    // What becomes of the object.
    on("patch-name-change-400", "an object is renamed", &[MERGE], &[RemoveFromRequest("/metadata/name"), Set("/metadata/name", "\"other\"")]),
    on("patch-namespace-change-400", "an object moves to another namespace", &[MERGE],
        &[RemoveFromRequest("/metadata/namespace"), Set("/metadata/namespace", "\"other\"")]),
    on("patch-uid-change-rejected", "an object gets another uid", &[MERGE],
        &[RemoveFromRequest("/metadata/uid"), Set("/metadata/uid", "\"00000000-0000-4000-8000-000000000000\"")]),
    on("patch-invalid-result-422", "labels are not checked", &[MERGE],
        &[RemoveFromRequest("/metadata/labels/bad key!"), Set("/metadata/labels/bad key!", "\"v\"")]),
    store("patch-noop-keeps-rv", "every patch counts as a change", StoreFlaw::BumpsWithoutChange),
    store("patch-bumps-rv", "a changed object keeps its version", StoreFlaw::KeepsVersion),
    on("patch-force-only-for-apply", "force is ignored", &[MERGE], &[DropParameter("force")]),
    // Who may.
    on("patch-authorized-as-patch", "who may update may patch", &[PATCH, HeaderHas("impersonate-user", "updater")],
        &[DropRequestHeader("impersonate-user"), DropRequestHeader("impersonate-group")]),
];

pub(super) fn only_texts(object: &mut Value) {
    if object["kind"] != "Status" {
        let metadata = json!({ "annotations": object["metadata"]["annotations"] });
        *object = json!({ "data": object["data"], "metadata": metadata });
    }
}

pub(super) fn of_an_old_version(parts: &mut Parts, body: &mut Bytes) {
    json_body(parts, body, |patch| {
        if let Some(version) = patch.pointer_mut(VERSION) {
            *version = "1".into();
        }
    });
}

fn guess_form(parts: &mut Parts, body: &mut Bytes) {
    let form = if body.starts_with(b"[") { AS_JSON_PATCH } else { AS_MERGE };
    parts.headers.insert(CONTENT_TYPE, HeaderValue::from_static(form));
}

/// A create of what the patch tells of the object.
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

/// Changes the list of operations.
pub(super) fn list(parts: &mut Parts, body: &mut Bytes, edit: impl FnOnce(&mut Vec<Value>)) {
    json_body(parts, body, |patch| {
        if let Some(operations) = patch.as_array_mut() {
            edit(operations);
        }
    });
}

/// Changes every operation.
pub(super) fn each(parts: &mut Parts, body: &mut Bytes, edit: fn(&mut Value)) {
    list(parts, body, |operations| operations.iter_mut().filter(|one| one.is_object()).for_each(edit));
}

fn is_test(operation: &Value) -> bool {
    operation["op"] == "test"
}

fn sorted(parts: &mut Parts, body: &mut Bytes) {
    let name = |operation: &Value| operation["op"].as_str().unwrap_or_default().to_owned();
    list(parts, body, |operations| operations.sort_by_key(name));
}

pub(super) fn without_tests(parts: &mut Parts, body: &mut Bytes) {
    list(parts, body, |operations| operations.retain(|operation| !is_test(operation)));
}

fn until_the_test(parts: &mut Parts, body: &mut Bytes) {
    list(parts, body, |operations| {
        let test = operations.iter().position(is_test);
        operations.truncate(test.unwrap_or(operations.len()));
    });
}

fn flattened(operation: &mut Value) {
    if let Some(first) = operation["value"].get(0).cloned() {
        operation["value"] = first;
    }
}

pub(super) fn to_the_front(operation: &mut Value) {
    let path = operation["path"].as_str().and_then(|path| path.strip_suffix("/-"));
    if let Some(array) = path {
        operation["path"] = format!("{array}/0").into();
    }
}

fn emptied(operation: &mut Value) {
    if operation["op"] == "remove" {
        operation["op"] = "replace".into();
        operation["value"] = "".into();
    }
}

pub(super) fn copied(operation: &mut Value) {
    if operation["op"] == "move" {
        operation["op"] = "copy".into();
    }
}

fn unescaped(operation: &mut Value) {
    if let Some(path) = operation["path"].as_str() {
        operation["path"] = path.replace("~1", "/").into();
    }
}

/// What scenarios begin with.
fn of_the_past(operation: &mut Value) {
    if operation["op"] == "copy" {
        operation["op"] = "add".into();
        operation["value"] = "v".into();
    }
}

fn other_text(operation: &mut Value) {
    if let Some(text) = operation["value"].as_str().filter(|_| is_test(operation)) {
        operation["value"] = format!("another than {text}").into();
    }
}

fn hidden(operation: &mut Value) {
    if is_test(operation) && operation["path"] == VERSION {
        operation["path"] = "/metadata/hidden".into();
    }
}

/// The maps of a patch, with the directive to replace what is there.
pub(super) fn replacing(parts: &mut Parts, body: &mut Bytes) {
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

pub(super) fn emptying(parts: &mut Parts, body: &mut Bytes) {
    if !serde_json::from_slice::<Value>(body).is_ok_and(|patch| patch.is_object()) {
        parts.headers.remove(CONTENT_LENGTH);
        *body = Bytes::from_static(br#"{"data":null,"metadata":{"annotations":null}}"#);
    }
}

/// Leaves out a directive.
pub(super) fn forget(patch: &mut Value, directive: &str) {
    match patch {
        Value::Array(items) => {
            items.retain(|item| *item != json!({ "$patch": directive }));
            for item in items {
                forget(item, directive);
            }
        }
        Value::Object(fields) => {
            if fields.get("$patch").is_some_and(|found| found == directive) {
                fields.shift_remove("$patch");
            }
            fields.values_mut().for_each(|field| forget(field, directive));
        }
        _ => {}
    }
}

/// The finalizer that scenarios begin with is kept beside others.
pub(super) fn with_the_first_finalizer(patch: &mut Value) {
    let first = Value::from("kube-assay.dev/hold");
    let finalizers = patch.pointer_mut("/metadata/finalizers").and_then(Value::as_array_mut);
    if let Some(finalizers) = finalizers.filter(|list| !list.is_empty() && !list.contains(&first)) {
        finalizers.insert(0, first);
    }
}
