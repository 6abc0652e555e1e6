//! Faults of object validation and its error messages.

use bytes::Bytes;
use http::request::Parts;
use serde_json::{Value, json};

use super::rewrite;
use super::status_object::each_cause;
use crate::fault::{Edit, Edit::*, Fault, When, When::*, json_body, on};

const POST: When = Method("POST");
const PUT: When = Method("PUT");
const INVALID: &[When] = &[Resource, StatusIs(422)];

/// Edits the body of a request.
macro_rules! edit_request {
    ($edit:expr) => {
        EditRequest(|parts: &mut Parts, body: &mut Bytes| json_body(parts, body, $edit))
    };
}

const VALUE_REQUIRED: Edit = edit_request!(require_value);
/// Fixtures of scenarios, not their subjects.
const FIXTURES: When = Any(&[Plural("namespaces"), Plural("customresourcedefinitions")]);

#[rustfmt::skip]
pub(super) const FAULTS: &[Fault] = &[
    on("validation-optional-unset-on-post", "the server rejects a POST without an optional field", &[POST, Not(&FIXTURES)], &[VALUE_REQUIRED]),
    on("validation-optional-unset-on-put", "the server rejects a PUT without an optional field", &[PUT, Not(&FIXTURES)], &[VALUE_REQUIRED]),
    on("validation-required-unset-on-post", "the server fills in missing required fields", &[POST], &[edit_request!(fill_in_required)]),
    on("validation-required-unset-on-put", "a PUT keeps fields that it omits", &[PUT, Object], &[EditRequest(|parts, _| rewrite::make_merge_patch(parts))]),
    on("validation-required-empty-string-core", "the server accepts an empty required string", &[POST, Plural("pods")], &[edit_request!(name_container)]),
    on("validation-default-only-if-valid-input", "the server replaces an unknown value by the default", &[POST], &[edit_request!(drop_unknown_values)]),
    on("validation-field-path-reference", "the server accepts any fieldPath", &[POST, Plural("pods")], &[edit_request!(fix_field_path)]),
    on("validation-on-receipt", "the server drops invalid labels", &[Not(&Method("GET"))], &[edit_request!(remove_invalid_labels)]),
    on("validation-failure-reason-invalid", "the server returns 400 BadRequest instead of 422 Invalid", INVALID, &[Fail(400, "BadRequest", "invalid")]),
    on("validation-reports-all-errors", "the server reports only the first error", INVALID, &[EditJson(keep_first_cause)]),
    on("validation-precise", "the field of a cause ends at its first dot", INVALID, &[EditJson(|status| each_cause(status, shorten_field))]),
    on("validation-tells-what-is-allowed", "the error message omits the supported values", INVALID, &[EditJson(|status| each_cause(status, |cause| cause["message"] = "unsupported".into()))]),
    on("validation-message-must", "the error message says \"should\" instead of \"must\"", INVALID, &[ReplaceText("must be greater", "should be greater")]),
    on("validation-message-must-not", "the error message says \"cannot\" instead of \"must not\"", INVALID, &[ReplaceText("must not", "cannot")]),
    on("validation-message-may-not", "the error message says \"must not be\" instead of \"may not be\"", INVALID, &[ReplaceText("may not be", "must not be")]),
    on("validation-message-literals-single-quoted", "the error message has literals without quotes", INVALID, &[ReplaceText("'Exists'", "Exists")]),
    on("validation-message-fields-backquoted", "the error message has fields without backquotes", INVALID, &[ReplaceText("`operator`", "operator")]),
    on("validation-message-inequalities-in-words", "the error message has inequalities as symbols", INVALID, &[ReplaceText("greater than or equal to", ">=")]),
    on("validation-message-inclusive-ranges", "the error message has an exclusive range", INVALID, &[ReplaceText("between 1 and 65535, inclusive", "less than 65536")]),
    on("validation-string-length-checked", "the server truncates long strings", &[POST], &[edit_request!(truncate_labels)]),
    on("validation-numbers-bounded", "the server accepts port 0", &[POST, Plural("services")], &[edit_request!(fix_port)]),
    on("validation-list-uniqueness-checked", "the server drops duplicate list items", &[POST], &[edit_request!(remove_duplicates)]),
    on("validation-map-keys-checked", "the server accepts any map key", &[POST, Plural("configmaps")], &[edit_request!(fix_keys)]),
];

fn fill_in_required(object: &mut Value) {
    if object["kind"] == "Deployment" && object["spec"]["selector"].is_null() {
        let labels = object["spec"]["template"]["metadata"]["labels"].clone();
        object["spec"]["selector"] = json!({ "matchLabels": labels });
    }
    if object["kind"] == "Vessels" && object["spec"]["size"].is_null() {
        object["spec"]["size"] = 1.into();
    }
}

fn name_container(pod: &mut Value) {
    let name = pod.pointer_mut("/spec/containers/0/name");
    if let Some(name) = name.filter(|name| **name == "") {
        *name = "unnamed".into();
    }
}

/// The scenarios' unknown value.
const UNKNOWN: &str = "Nope";

fn drop_unknown_values(object: &mut Value) {
    for (place, field) in [("/spec/strategy", "type"), ("/spec/style", "finish")] {
        let fields = object.pointer_mut(place).and_then(Value::as_object_mut);
        if let Some(fields) = fields.filter(|fields| fields.get(field).is_some_and(|value| value == UNKNOWN))
        {
            fields.shift_remove(field);
        }
    }
}

fn fix_field_path(pod: &mut Value) {
    if let Some(path) = pod.pointer_mut("/spec/containers/0/env/0/valueFrom/fieldRef/fieldPath") {
        *path = "metadata.name".into();
    }
}

fn remove_invalid_labels(object: &mut Value) {
    if let Some(labels) = object.pointer_mut("/metadata/labels").and_then(Value::as_object_mut) {
        labels.retain(|_, value| !value.as_str().is_some_and(|text| text.contains(' ')));
    }
}

fn keep_first_cause(status: &mut Value) {
    if let Some(causes) = status.pointer_mut("/details/causes").and_then(Value::as_array_mut) {
        causes.truncate(1);
    }
}

fn shorten_field(cause: &mut Value) {
    let top = cause["field"].as_str().and_then(|field| field.split('.').next()).map(str::to_owned);
    cause["field"] = top.into();
}

fn truncate_labels(object: &mut Value) {
    let labels = object.pointer_mut("/metadata/labels").and_then(Value::as_object_mut);
    for text in labels.into_iter().flat_map(serde_json::Map::values_mut) {
        if let Some(short) = text.as_str().and_then(|long| long.get(..63)) {
            *text = short.into();
        }
    }
}

fn fix_port(service: &mut Value) {
    let port = service.pointer_mut("/spec/ports/0/port");
    if let Some(port) = port.filter(|port| **port == 0) {
        *port = 1.into();
    }
}

fn remove_duplicates(object: &mut Value) {
    for list in ["/spec/ports", "/spec/template/spec/containers"] {
        if let Some(list) = object.pointer_mut(list).and_then(Value::as_array_mut) {
            list.dedup();
        }
    }
}

fn fix_keys(object: &mut Value) {
    if let Some(data) = object["data"].as_object_mut() {
        *data = std::mem::take(data).into_iter().map(|(key, text)| (key.replace(' ', "-"), text)).collect();
    }
}

/// Breaks objects without the scenarios' value.
fn require_value(object: &mut Value) {
    let values = [
        "/data/value",
        "/spec/value",
        "/spec/template/metadata/annotations/value",
        "/rules/0/resourceNames/0",
    ];
    if values.iter().all(|value| object.pointer(value).is_none()) {
        object["metadata"]["labels"] = 5.into();
    }
}
