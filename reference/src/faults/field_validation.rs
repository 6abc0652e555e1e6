//! Faults of field validation: unknown, duplicate, missing and mistyped fields.

use bytes::Bytes;
use http::header::CONTENT_LENGTH;
use http::request::Parts;
use serde_json::{Map, Value, json};

use super::patch::{JSON_PATCH, MERGE, PATCH, STRATEGIC, each};
use crate::fault::{Edit, Edit::*, Fault, When, When::*, json_body, on};

const LEVEL: &str = "fieldValidation";
const LEVELS: [&str; 4] = ["", "Ignore", "Warn", "Strict"];
const POST: When = Method("POST");
const PUT: When = Method("PUT");
const IGNORE: When = Is(LEVEL, "Ignore");
const WARN: When = Is(LEVEL, "Warn");
const STRICT: When = Is(LEVEL, "Strict");
const TO_IGNORE: Edit = SetParameter(LEVEL, "Ignore");
const TO_WARN: Edit = SetParameter(LEVEL, "Warn");
/// The unknown field of scenarios.
const UNKNOWN_FIELD: Edit = Set("/assayUnknown", "1");
const GET_OBJECT: &[When] = &[Method("GET"), Object];
const RESERIALIZED: Edit = EditRequest(reserialize);
const NUMBERS: Edit = EditRequest(|parts, body| json_body(parts, body, as_numbers));
const TEXTS: Edit = EditRequest(|parts, body| json_body(parts, body, as_texts));

#[rustfmt::skip]
pub(super) const FAULTS: &[Fault] = &[
    // Types.
    on("fieldval-type-number-as-text", "the server converts a string into a number", &[POST], &[NUMBERS]),
    on("fieldval-type-array-required", "the server converts a string into a list", &[POST], &[EditRequest(|parts, body| json_body(parts, body, as_list))]),
    on("fieldval-type-array-element", "the server drops list items that are not strings", &[POST], &[EditRequest(|parts, body| json_body(parts, body, only_texts))]),
    on("fieldval-type-checked-on-put", "the server converts a number in a PUT into a string", &[PUT], &[TEXTS]),
    on("fieldval-type-checked-on-patch", "the server converts a number in a patch into a string", &[PATCH], &[TEXTS, EditRequest(|parts, body| each(parts, body, as_text))]),
    on("fieldval-type-checked-at-every-level", "fieldValidation=Ignore accepts values of the wrong type", &[IGNORE], &[TEXTS]),
    // Required fields.
    on("fieldval-optional-omitted-ok", "the server requires data in ConfigMaps", &[POST, Plural("configmaps")], &[EditRequest(|parts, body| json_body(parts, body, require_data))]),
    on("fieldval-required-missing-error", "the server fills in missing required fields", &[POST], &[EditRequest(|parts, body| json_body(parts, body, fill_in_required))]),
    on("fieldval-required-missing-on-put", "the server treats a PUT of a custom resource as a merge patch", &[PUT, Custom],
        &[SetMethod("PATCH"), SetRequestHeader("content-type", "application/merge-patch+json")]),
    // Unknown fields.
    on("fieldval-unknown-dropped-post", "a create keeps unknown fields", &[POST, StatusIs(201)], &[UNKNOWN_FIELD]),
    on("fieldval-unknown-dropped-put", "a GET shows unknown fields of a PUT", GET_OBJECT, &[UNKNOWN_FIELD]),
    on("fieldval-unknown-dropped-patch", "a patch keeps unknown fields", &[PATCH, StatusIs(200)], &[UNKNOWN_FIELD]),
    on("fieldval-unknown-means-not-in-schema", "metadata keeps unknown fields", GET_OBJECT, &[Set("/metadata/assayUnknown", "1")]),
    on("fieldval-names-case-sensitive", "field names are case-insensitive", &[POST], &[EditRequest(|parts, body| json_body(parts, body, in_lower_case))]),
    on("fieldval-preserve-unknown-kept", "the server drops fields below preserve-unknown-fields", &[POST, Custom], &[RemoveFromRequest("/spec/any")]),
    on("fieldval-preserve-unknown-not-reported", "Strict rejects fields below preserve-unknown-fields", &[POST, Custom, STRICT],
        &[Reject(400, "BadRequest", "strict decoding error: unknown field \"spec.any\"")]),
    on("fieldval-preserve-unknown-metadata-still-checked", "the server does not validate metadata of custom resources", &[POST, Custom], &[RemoveFromRequest("/metadata/assayUnknown")]),
    on("fieldval-embedded-metadata-checked", "the server does not validate embedded metadata", &[POST, Custom], &[RemoveFromRequest("/spec/template/metadata/assayUnknown")]),
    on("fieldval-cr-pruned-by-schema", "the server does not validate fields of custom resources", &[Custom], &[TO_IGNORE]),
    on("fieldval-duplicate-dropped", "the server returns 500 for duplicate fields", &[POST, StatusIs(400)],
        &[EditRequest(reject_duplicates), Fail(500, "InternalError", "duplicate key")]),
    // The levels.
    on("fieldval-levels-accepted", "the server rejects fieldValidation=Warn", &[WARN], &[Reject(422, "Invalid", "fieldValidation: Unsupported value: \"Warn\"")]),
    on("fieldval-unknown-level-422", "the server ignores an unknown fieldValidation", &[], &[EditParameter(LEVEL, |level| LEVELS.contains(&level).then(|| level.to_owned()))]),
    on("fieldval-default-is-warn", "fieldValidation defaults to Ignore", &[Lacks(LEVEL)], &[TO_IGNORE]),
    on("fieldval-applies-to-post-put-patch", "the server does not validate fields in patches", &[PATCH], &[TO_IGNORE]),
    on("fieldval-set-by-query-parameter", "the server ignores fieldValidation", &[Present(LEVEL)], &[DropParameter(LEVEL)]),
    on("fieldval-ignored-on-get-and-delete", "the server rejects fieldValidation on a GET", &[Method("GET"), Has(LEVEL)],
        &[Reject(400, "BadRequest", "fieldValidation is for writes")]),
    on("fieldval-ignore-succeeds-unknown", "fieldValidation=Ignore keeps unknown fields", &[IGNORE, StatusIs(201)], &[UNKNOWN_FIELD]),
    on("fieldval-ignore-succeeds-duplicate", "fieldValidation=Ignore rejects duplicate fields", &[IGNORE], &[EditRequest(reject_duplicates)]),
    on("fieldval-ignore-is-silent", "fieldValidation=Ignore sends warnings", &[IGNORE], &[TO_WARN]),
    on("fieldval-warn-succeeds", "fieldValidation=Warn rejects unknown fields", &[WARN], &[SetParameter(LEVEL, "Strict")]),
    // Warnings.
    on("fieldval-warn-header-unknown", "a warning names no field", &[WARN], &[Header("warning", r#"299 - "an unknown field was dropped""#)]),
    on("fieldval-warn-header-duplicate", "the server sends no warning about duplicate fields", &[WARN], &[WithoutHeader("warning")]),
    on("fieldval-warn-one-item-per-field", "one warning names all fields", &[WARN],
        &[Header("warning", r#"299 - "unknown fields assayFirst, assaySecond, assayThird""#)]),
    on("fieldval-warn-header-format", "the Warning header is plain text without code", &[WARN], &[Header("warning", "unknown fields assayUnknown and odd")]),
    on("fieldval-warn-nested-path", "the field path in a warning ends at the list", &[WARN], &[Header("warning", r#"299 - "unknown field \"spec.template.spec.containers\"""#)]),
    // Strict.
    on("fieldval-strict-post-unknown-400", "a strict create only warns", &[POST, STRICT], &[TO_WARN]),
    on("fieldval-strict-post-duplicate-400", "a strict create accepts duplicate fields silently", &[POST], &[RESERIALIZED]),
    on("fieldval-strict-put-unknown-400", "a strict update only warns", &[PUT, STRICT], &[TO_WARN]),
    on("fieldval-strict-put-duplicate-400", "a strict update accepts duplicate fields silently", &[PUT], &[RESERIALIZED, EditRequest(super::update::patch_without_version)]),
    on("fieldval-strict-jsonpatch-unknown", "the server does not validate the result of a JSON patch", &[JSON_PATCH], &[TO_IGNORE]),
    on("fieldval-strict-jsonpatch-op-member", "the server accepts unknown members in JSON patch operations", &[JSON_PATCH], &[EditRequest(|parts, body| each(parts, body, drop_unknown_members))]),
    on("fieldval-strict-mergepatch-unknown", "the server does not validate fields in merge patches", &[MERGE], &[TO_IGNORE]),
    on("fieldval-strict-mergepatch-duplicate", "a merge patch accepts duplicate fields silently", &[MERGE], &[RESERIALIZED]),
    on("fieldval-strict-smp-unknown", "the server does not validate fields in strategic merge patches", &[STRATEGIC], &[TO_IGNORE]),
    on("fieldval-strict-message-lists-all", "the error message names only the first field", &[STRICT, StatusIs(400)], &[EditJson(keep_first_message)]),
    on("fieldval-strict-rejects-before-storing", "the server stores an object that it rejects with 400", &[STRICT],
        &[TO_WARN, Fail(400, "BadRequest", "strict decoding error: unknown field \"assayUnknown\"")]),
    on("fieldval-strict-valid-passes-clean", "a strict PUT of an unchanged object fails", &[PUT, STRICT],
        &[Reject(400, "BadRequest", "strict decoding error: unknown field \"metadata.managedFields\"")]),
    on("fieldval-fatal-error-hides-strict-errors", "fieldValidation=Warn accepts values of the wrong type", &[WARN], &[NUMBERS]),
    on("fieldval-yaml-bodies-checked", "the server accepts duplicate YAML fields silently", &[POST, HeaderHas("content-type", "yaml")], &[EditRequest(resolve_duplicates)]),
    on("fieldval-subresources-checked", "the server does not validate fields in the status", &[Subresource("status")], &[TO_IGNORE]),
    on("fieldval-parameter-published-in-openapi", "the OpenAPI document lacks the fieldValidation parameter", &[PathPrefix("/openapi")], &[ReplaceText("fieldValidation", "fieldChecks")]),
];

/// Converts the scenarios' numbers in strings.
fn as_numbers(object: &mut Value) {
    for field in ["/spec/replicas", "/spec/size"] {
        if let Some(number) = object.pointer_mut(field).filter(|number| number.is_string()) {
            *number = 2.into();
        }
    }
}

/// Converts the numbers in string maps.
fn as_texts(object: &mut Value) {
    for map in ["/data", "/metadata/annotations"] {
        let map = object.pointer_mut(map).and_then(Value::as_object_mut);
        for value in map.into_iter().flat_map(Map::values_mut) {
            text(value);
        }
    }
}

fn as_text(operation: &mut Value) {
    if let Some(value) = operation.get_mut("value") {
        text(value);
    }
}

fn text(value: &mut Value) {
    if value.is_number() {
        *value = value.to_string().into();
    }
}

fn as_list(object: &mut Value) {
    if let Some(finalizers) = object.pointer_mut("/metadata/finalizers").filter(|list| list.is_string()) {
        *finalizers = json!([*finalizers]);
    }
}

fn only_texts(object: &mut Value) {
    let finalizers = object.pointer_mut("/metadata/finalizers").and_then(Value::as_array_mut);
    if let Some(finalizers) = finalizers {
        finalizers.retain(Value::is_string);
    }
}

fn require_data(object: &mut Value) {
    if object.get("data").is_none() {
        object["data"] = 5.into();
    }
}

fn fill_in_required(object: &mut Value) {
    if let Some(pod) = object.pointer_mut("/spec/template/spec").filter(|pod| pod.get("containers").is_none())
    {
        pod["containers"] = json!([{ "name": "a", "image": "a" }]);
    }
    if object["spec"].get("any").is_some() && object["spec"].get("size").is_none() {
        object["spec"]["size"] = 1.into();
    }
}

fn in_lower_case(object: &mut Value) {
    let Some(metadata) = object.get_mut("metadata").and_then(Value::as_object_mut) else { return };
    if let Some(labels) = metadata.shift_remove("Labels") {
        metadata.insert("labels".to_owned(), labels);
    }
}

/// A duplicate key of scenarios, and the same without the first.
const DUPLICATE: (&str, &str) = (r#""assay-twice":"1","assay-twice":"2""#, r#""assay-twice":"2""#);

/// Parses and serializes a body: the last of duplicate keys remains.
pub(super) fn reserialize(parts: &mut Parts, body: &mut Bytes) {
    if let Ok(json) = serde_json::from_slice::<Value>(body) {
        parts.headers.remove(CONTENT_LENGTH);
        *body = json.to_string().into();
    }
}

fn reject_duplicates(parts: &mut Parts, body: &mut Bytes) {
    if String::from_utf8_lossy(body).contains(DUPLICATE.0) {
        parts.headers.remove(CONTENT_LENGTH);
        *body = Bytes::from_static(b"{");
    }
}

pub(super) fn resolve_duplicates(parts: &mut Parts, body: &mut Bytes) {
    parts.headers.remove(CONTENT_LENGTH);
    *body = String::from_utf8_lossy(body).replace(DUPLICATE.0, DUPLICATE.1).into();
}

fn drop_unknown_members(operation: &mut Value) {
    if let Some(members) = operation.as_object_mut() {
        members.retain(|name, _| ["op", "path", "from", "value"].contains(&name.as_str()));
    }
}

fn keep_first_message(status: &mut Value) {
    if let Some(message) = status["message"].as_str() {
        status["message"] = message.split(", ").next().unwrap_or_default().into();
    }
}
