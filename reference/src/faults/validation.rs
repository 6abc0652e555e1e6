//! Faults of object validation and its error messages.

use bytes::Bytes;
use http::request::Parts;
use serde_json::{Value, json};

use super::rewrite;
use super::status_object::each_cause;
use crate::fault::{Edit, Edit::*, Fault, When, When::*, json_body, on};

const POST: When = Method("POST");
const PUT: When = Method("PUT");
const INVALID: &[When] = &[Resource, Answered(422)];

/// Changes the body of a request.
macro_rules! sent_as {
    ($edit:expr) => {
        EditRequest(|parts: &mut Parts, body: &mut Bytes| json_body(parts, body, $edit))
    };
}

const VALUE_REQUIRED: Edit = sent_as!(no_value_is_wrong);
/// Namespaces and definitions are created for a scenario, and not what it asks about.
const ARRANGED: When = Any(&[Of("namespaces"), Of("customresourcedefinitions")]);

#[rustfmt::skip]
pub(super) const FAULTS: &[Fault] = &[
    on("validation-optional-unset-on-post", "the server rejects a POST without an optional field", &[POST, Not(&ARRANGED)], &[VALUE_REQUIRED]),
    on("validation-optional-unset-on-put", "the server rejects a PUT without an optional field", &[PUT, Not(&ARRANGED)], &[VALUE_REQUIRED]),
    on("validation-required-unset-on-post", "the server fills in missing required fields", &[POST], &[sent_as!(completed)]),
    on("validation-required-unset-on-put", "a PUT keeps fields that it omits", &[PUT, Object], &[EditRequest(|parts, _| rewrite::as_patch(parts))]),
    on("validation-required-empty-string-core", "the server accepts an empty required string", &[POST, Of("pods")], &[sent_as!(named)]),
    on("validation-default-only-if-valid-input", "the server replaces an unknown value by the default", &[POST], &[sent_as!(without_unknown)]),
    on("validation-field-path-reference", "the server accepts any fieldPath", &[POST, Of("pods")], &[sent_as!(of_the_name)]),
    on("validation-on-receipt", "the server drops invalid labels", &[Not(&Method("GET"))], &[sent_as!(without_bad_labels)]),
    on("validation-failure-reason-invalid", "the server returns 400 BadRequest instead of 422 Invalid", INVALID, &[Fail(400, "BadRequest", "invalid")]),
    on("validation-reports-all-errors", "the server reports only the first error", INVALID, &[EditJson(first_cause)]),
    on("validation-precise", "the field of a cause ends at its first dot", INVALID, &[EditJson(|status| each_cause(status, at_the_top))]),
    on("validation-tells-what-is-allowed", "the error message omits the supported values", INVALID, &[EditJson(|status| each_cause(status, |cause| cause["message"] = "unsupported".into()))]),
    on("validation-message-must", "the error message says \"should\" instead of \"must\"", INVALID, &[ReplaceText("must be greater", "should be greater")]),
    on("validation-message-must-not", "the error message says \"cannot\" instead of \"must not\"", INVALID, &[ReplaceText("must not", "cannot")]),
    on("validation-message-may-not", "the error message says \"must not be\" instead of \"may not be\"", INVALID, &[ReplaceText("may not be", "must not be")]),
    on("validation-message-literals-single-quoted", "the error message has literals without quotes", INVALID, &[ReplaceText("'Exists'", "Exists")]),
    on("validation-message-fields-backquoted", "the error message has fields without backquotes", INVALID, &[ReplaceText("`operator`", "operator")]),
    on("validation-message-inequalities-in-words", "the error message has inequalities as symbols", INVALID, &[ReplaceText("greater than or equal to", ">=")]),
    on("validation-message-inclusive-ranges", "the error message has an exclusive range", INVALID, &[ReplaceText("between 1 and 65535, inclusive", "less than 65536")]),
    on("validation-string-length-checked", "the server truncates long strings", &[POST], &[sent_as!(shortened)]),
    on("validation-numbers-bounded", "the server accepts port 0", &[POST, Of("services")], &[sent_as!(from_one)]),
    on("validation-list-uniqueness-checked", "the server drops duplicate list items", &[POST], &[sent_as!(once)]),
    on("validation-map-keys-checked", "the server accepts any map key", &[POST, Of("configmaps")], &[sent_as!(with_other_keys)]),
];

fn completed(object: &mut Value) {
    if object["kind"] == "Deployment" && object["spec"]["selector"].is_null() {
        let labels = object["spec"]["template"]["metadata"]["labels"].clone();
        object["spec"]["selector"] = json!({ "matchLabels": labels });
    }
    if object["kind"] == "Vessels" && object["spec"]["size"].is_null() {
        object["spec"]["size"] = 1.into();
    }
}

fn named(pod: &mut Value) {
    let name = pod.pointer_mut("/spec/containers/0/name");
    if let Some(name) = name.filter(|name| **name == "") {
        *name = "unnamed".into();
    }
}

/// What scenarios write for something that is not known.
const UNKNOWN: &str = "Nope";

fn without_unknown(object: &mut Value) {
    for (place, field) in [("/spec/strategy", "type"), ("/spec/style", "finish")] {
        let fields = object.pointer_mut(place).and_then(Value::as_object_mut);
        if let Some(fields) = fields.filter(|fields| fields.get(field).is_some_and(|value| value == UNKNOWN))
        {
            fields.shift_remove(field);
        }
    }
}

fn of_the_name(pod: &mut Value) {
    if let Some(path) = pod.pointer_mut("/spec/containers/0/env/0/valueFrom/fieldRef/fieldPath") {
        *path = "metadata.name".into();
    }
}

fn without_bad_labels(object: &mut Value) {
    if let Some(labels) = object.pointer_mut("/metadata/labels").and_then(Value::as_object_mut) {
        labels.retain(|_, value| !value.as_str().is_some_and(|text| text.contains(' ')));
    }
}

fn first_cause(status: &mut Value) {
    if let Some(causes) = status.pointer_mut("/details/causes").and_then(Value::as_array_mut) {
        causes.truncate(1);
    }
}

fn at_the_top(cause: &mut Value) {
    let top = cause["field"].as_str().and_then(|field| field.split('.').next()).map(str::to_owned);
    cause["field"] = top.into();
}

fn shortened(object: &mut Value) {
    let labels = object.pointer_mut("/metadata/labels").and_then(Value::as_object_mut);
    for text in labels.into_iter().flat_map(serde_json::Map::values_mut) {
        if let Some(short) = text.as_str().and_then(|long| long.get(..63)) {
            *text = short.into();
        }
    }
}

fn from_one(service: &mut Value) {
    let port = service.pointer_mut("/spec/ports/0/port");
    if let Some(port) = port.filter(|port| **port == 0) {
        *port = 1.into();
    }
}

fn once(object: &mut Value) {
    for list in ["/spec/ports", "/spec/template/spec/containers"] {
        if let Some(list) = object.pointer_mut(list).and_then(Value::as_array_mut) {
            list.dedup();
        }
    }
}

fn with_other_keys(object: &mut Value) {
    if let Some(data) = object["data"].as_object_mut() {
        *data = std::mem::take(data).into_iter().map(|(key, text)| (key.replace(' ', "-"), text)).collect();
    }
}

/// Nothing can read an object without the value that scenarios write.
fn no_value_is_wrong(object: &mut Value) {
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
