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
/// What scenarios call a field that no type has.
const KEPT: Edit = Set("/assayUnknown", "1");
const GOT: &[When] = &[Method("GET"), Object];
const RESOLVED: Edit = EditRequest(reread);
const NUMBERS: Edit = EditRequest(|parts, body| json_body(parts, body, as_numbers));
const TEXTS: Edit = EditRequest(|parts, body| json_body(parts, body, as_texts));

#[rustfmt::skip]
pub(super) const FAULTS: &[Fault] = &[
    // Types.
    on("fieldval-type-number-as-text", "a text is taken for the number that it may mean", &[POST], &[NUMBERS]),
    on("fieldval-type-array-required", "a text becomes a list", &[POST], &[EditRequest(|parts, body| json_body(parts, body, as_list))]),
    on("fieldval-type-array-element", "elements that are no texts are left out", &[POST], &[EditRequest(|parts, body| json_body(parts, body, only_texts))]),
    on("fieldval-type-checked-on-put", "a number in an update becomes a text", &[PUT], &[TEXTS]),
    on("fieldval-type-checked-on-patch", "a number in a patch becomes a text", &[PATCH], &[TEXTS, EditRequest(|parts, body| each(parts, body, as_text))]),
    on("fieldval-type-checked-at-every-level", "Ignore lets other types pass", &[IGNORE], &[TEXTS]),
    // What must be there.
    on("fieldval-optional-omitted-ok", "config maps must have data", &[POST, Of("configmaps")], &[EditRequest(|parts, body| json_body(parts, body, no_data_is_wrong))]),
    on("fieldval-required-missing-error", "what is missing is made up", &[POST], &[EditRequest(|parts, body| json_body(parts, body, completed))]),
    on("fieldval-required-missing-on-put", "an update is a merge", &[PUT, Custom],
        &[SetMethod("PATCH"), SetRequestHeader("content-type", "application/merge-patch+json")]),
    // What nobody knows.
    on("fieldval-unknown-dropped-post", "a create keeps unknown fields", &[POST, Answered(201)], &[KEPT]),
    on("fieldval-unknown-dropped-put", "what is stored keeps unknown fields", GOT, &[KEPT]),
    on("fieldval-unknown-dropped-patch", "a patch keeps unknown fields", &[PATCH, Answered(200)], &[KEPT]),
    on("fieldval-unknown-means-not-in-schema", "metadata keeps unknown fields", GOT, &[Set("/metadata/assayUnknown", "1")]),
    on("fieldval-names-case-sensitive", "names in another case are known", &[POST], &[EditRequest(|parts, body| json_body(parts, body, in_lower_case))]),
    on("fieldval-preserve-unknown-kept", "all unknown fields are dropped", &[POST, Custom], &[RemoveFromRequest("/spec/any")]),
    on("fieldval-preserve-unknown-not-reported", "Strict refuses what the schema lets in", &[POST, Custom, STRICT],
        &[Refuse(400, "BadRequest", "strict decoding error: unknown field \"spec.any\"")]),
    on("fieldval-preserve-unknown-metadata-still-checked", "metadata is not checked", &[POST, Custom], &[RemoveFromRequest("/metadata/assayUnknown")]),
    on("fieldval-embedded-metadata-checked", "only the outer metadata is checked", &[POST, Custom], &[RemoveFromRequest("/spec/template/metadata/assayUnknown")]),
    on("fieldval-cr-pruned-by-schema", "custom objects are not checked", &[Custom], &[TO_IGNORE]),
    on("fieldval-duplicate-dropped", "duplicates break the server", &[POST, Answered(400)],
        &[EditRequest(broken_by_duplicates), Fail(500, "InternalError", "duplicate key")]),
    // The levels.
    on("fieldval-levels-accepted", "there is no level Warn", &[WARN], &[Refuse(422, "Invalid", "fieldValidation: Unsupported value: \"Warn\"")]),
    on("fieldval-unknown-level-422", "an unknown level is ignored", &[], &[EditParameter(LEVEL, |level| LEVELS.contains(&level).then(|| level.to_owned()))]),
    on("fieldval-default-is-warn", "the level is Ignore unless another is asked for", &[Lacks(LEVEL)], &[TO_IGNORE]),
    on("fieldval-applies-to-post-put-patch", "patches are not checked", &[PATCH], &[TO_IGNORE]),
    on("fieldval-set-by-query-parameter", "the server has one level", &[Mentions(LEVEL)], &[DropParameter(LEVEL)]),
    on("fieldval-ignored-on-get-and-delete", "a read with a level is refused", &[Method("GET"), Has(LEVEL)],
        &[Refuse(400, "BadRequest", "fieldValidation is for writes")]),
    on("fieldval-ignore-succeeds-unknown", "Ignore keeps unknown fields", &[IGNORE, Answered(201)], &[KEPT]),
    on("fieldval-ignore-succeeds-duplicate", "duplicates are refused at every level", &[IGNORE], &[EditRequest(broken_by_duplicates)]),
    on("fieldval-ignore-is-silent", "Ignore warns", &[IGNORE], &[TO_WARN]),
    on("fieldval-warn-succeeds", "Warn refuses", &[WARN], &[SetParameter(LEVEL, "Strict")]),
    // Warnings.
    on("fieldval-warn-header-unknown", "a warning names no field", &[WARN], &[Header("warning", r#"299 - "an unknown field was dropped""#)]),
    on("fieldval-warn-header-duplicate", "nobody is told of duplicates", &[WARN], &[WithoutHeader("warning")]),
    on("fieldval-warn-one-item-per-field", "one warning names all fields", &[WARN],
        &[Header("warning", r#"299 - "unknown fields assayFirst, assaySecond, assayThird""#)]),
    on("fieldval-warn-header-format", "a warning is a bare text", &[WARN], &[Header("warning", "unknown fields assayUnknown and odd")]),
    on("fieldval-warn-nested-path", "a path ends at the list", &[WARN], &[Header("warning", r#"299 - "unknown field \"spec.template.spec.containers\"""#)]),
    // Strict.
    on("fieldval-strict-post-unknown-400", "a strict create warns", &[POST, STRICT], &[TO_WARN]),
    on("fieldval-strict-post-duplicate-400", "of duplicates in a create one is taken unnoticed", &[POST], &[RESOLVED]),
    on("fieldval-strict-put-unknown-400", "a strict update warns", &[PUT, STRICT], &[TO_WARN]),
    on("fieldval-strict-put-duplicate-400", "of duplicates in an update one is taken unnoticed", &[PUT], &[RESOLVED, EditRequest(super::update::patch_without_version)]),
    on("fieldval-strict-jsonpatch-unknown", "the result of a JSON patch is not checked", &[JSON_PATCH], &[TO_IGNORE]),
    on("fieldval-strict-jsonpatch-op-member", "members of operations are not looked at", &[JSON_PATCH], &[EditRequest(|parts, body| each(parts, body, only_members))]),
    on("fieldval-strict-mergepatch-unknown", "merge patches are not checked", &[MERGE], &[TO_IGNORE]),
    on("fieldval-strict-mergepatch-duplicate", "of duplicates in a merge patch one is taken unnoticed", &[MERGE], &[RESOLVED]),
    on("fieldval-strict-smp-unknown", "strategic merge patches are not checked", &[STRATEGIC], &[TO_IGNORE]),
    on("fieldval-strict-message-lists-all", "only the first field is named", &[STRICT, Answered(400)], &[EditJson(first_only)]),
    on("fieldval-strict-rejects-before-storing", "what is refused is stored", &[STRICT],
        &[TO_WARN, Fail(400, "BadRequest", "strict decoding error: unknown field \"assayUnknown\"")]),
    on("fieldval-strict-valid-passes-clean", "a strict update of what was read is refused", &[PUT, STRICT],
        &[Refuse(400, "BadRequest", "strict decoding error: unknown field \"metadata.managedFields\"")]),
    on("fieldval-fatal-error-hides-strict-errors", "Warn lets other types pass", &[WARN], &[NUMBERS]),
    on("fieldval-yaml-bodies-checked", "of duplicates in YAML one is taken unnoticed", &[POST, HeaderHas("content-type", "yaml")], &[EditRequest(resolved)]),
    on("fieldval-subresources-checked", "a status is not checked", &[Subresource("status")], &[TO_IGNORE]),
    on("fieldval-parameter-published-in-openapi", "the parameter is not published", &[Below("/openapi")], &[ReplaceText("fieldValidation", "fieldChecks")]),
];

/// What scenarios give as numbers in texts.
fn as_numbers(object: &mut Value) {
    for field in ["/spec/replicas", "/spec/size"] {
        if let Some(number) = object.pointer_mut(field).filter(|number| number.is_string()) {
            *number = 2.into();
        }
    }
}

/// The maps that hold texts only.
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

fn no_data_is_wrong(object: &mut Value) {
    if object.get("data").is_none() {
        object["data"] = 5.into();
    }
}

fn completed(object: &mut Value) {
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

/// What scenarios send as a duplicate, and what is left of it.
const TWICE: (&str, &str) = (r#""assay-twice":"1","assay-twice":"2""#, r#""assay-twice":"2""#);

/// A body is read and written again: of duplicates the last is left.
pub(super) fn reread(parts: &mut Parts, body: &mut Bytes) {
    if let Ok(json) = serde_json::from_slice::<Value>(body) {
        parts.headers.remove(CONTENT_LENGTH);
        *body = json.to_string().into();
    }
}

fn broken_by_duplicates(parts: &mut Parts, body: &mut Bytes) {
    if String::from_utf8_lossy(body).contains(TWICE.0) {
        parts.headers.remove(CONTENT_LENGTH);
        *body = Bytes::from_static(b"{");
    }
}

pub(super) fn resolved(parts: &mut Parts, body: &mut Bytes) {
    parts.headers.remove(CONTENT_LENGTH);
    *body = String::from_utf8_lossy(body).replace(TWICE.0, TWICE.1).into();
}

fn only_members(operation: &mut Value) {
    if let Some(members) = operation.as_object_mut() {
        members.retain(|name, _| ["op", "path", "from", "value"].contains(&name.as_str()));
    }
}

fn first_only(status: &mut Value) {
    if let Some(message) = status["message"].as_str() {
        status["message"] = message.split(", ").next().unwrap_or_default().into();
    }
}
