//! Faults of serialization: encodings, null values, times and quantities.

use bytes::Bytes;
use http::header::CONTENT_LENGTH;
use http::request::Parts;
use serde_json::Value;

use crate::fault::{Edit::*, Fault, When, When::*, json_body, on};

const GET: When = Method("GET");
const POST: When = Method("POST");
/// Requests that do not accept JSON.
const NOT_JSON: When = Not(&HeaderHas("accept", "json"));
const PROTOBUF: &str = "application/vnd.kubernetes.protobuf";

#[rustfmt::skip]
pub(super) const FAULTS: &[Fault] = &[
    on("serialization-json-preferred", "the server labels the response as YAML without Accept", &[POST, Collection, NOT_JSON], &[Header("content-type", "application/yaml")]),
    on("serialization-default-output-json", "the server labels the response as protobuf if the client accepts any type", &[GET, Object, HeaderHas("accept", "*/*")], &[Header("content-type", PROTOBUF)]),
    on("serialization-default-input-json", "the server returns 415 for a body without Content-Type", &[POST, NoHeader("content-type")], &[Reject(415, "UnsupportedMediaType", "no Content-Type")]),
    // Values.
    on("serialization-unset-optional-omitted", "unset lists are null", &[GET, Object], &[Set("/metadata/finalizers", "null")]),
    on("serialization-unset-distinct-from-zero", "the server drops zero values", &[POST], &[EditRequest(|parts, body| json_body(parts, body, remove_zeros))]),
    on("serialization-null-treated-as-unset", "the server returns null fields", &[GET, Object, Plural("configmaps")], &[EditJson(|object| object["data"] = object["data"].take())]),
    on("serialization-int64-exact", "the server rounds large integers to doubles", &[GET, Object], &[ReplaceText("9007199254740993", "9007199254740992")]),
    on("serialization-unicode-exact", "the server escapes strings as HTML", &[GET, Object],
        &[ReplaceText("&", "&amp;"), ReplaceText("\\u0026", "&amp;")]),
    // Encodings.
    on("serialization-yaml-in-out", "YAML numbers become strings, and a YAML create returns 200", &[POST, HeaderHas("content-type", "yaml")],
        &[EditRequest(quote_scalars), Status(200)]),
    on("serialization-protobuf-in-out", "the server labels JSON as protobuf", &[GET, Object, HeaderHas("accept", PROTOBUF)], &[SetRequestHeader("accept", "*/*"), Header("content-type", PROTOBUF)]),
    on("serialization-accept-preference-order", "the server reads only the first media type in Accept", &[GET, HeaderHas("accept", "protobuf, application/json")],
        &[Reject(406, "NotAcceptable", "not acceptable")]),
    // Times.
    on("serialization-dates-rfc3339", "times are numbers of milliseconds", &[GET, Object], &[Set("/metadata/creationTimestamp", "1577836800000")]),
    on("serialization-time-input-normalised", "the server drops time zone offsets", &[GET, Object, Plural("leases")], &[Set("/spec/renewTime", "\"2020-01-01T02:00:00.000000Z\"")]),
    on("serialization-time-invalid-refused", "the server drops invalid times", &[POST, Plural("leases")], &[EditRequest(|parts, body| json_body(parts, body, remove_invalid_times))]),
    // Quantities.
    on("serialization-quantity-canonical", "quantities lose their unit", &[GET, Object, Plural("resourcequotas")], &[Set("/spec/hard/memory", "\"1024\"")]),
    on("serialization-quantity-number-accepted", "numeric quantities stay numbers", &[GET, Object, Plural("resourcequotas")], &[Set("/spec/hard/pods", "5")]),
    on("serialization-quantity-invalid-refused", "the server drops invalid quantities", &[POST, Plural("resourcequotas")], &[EditRequest(|parts, body| json_body(parts, body, fix_invalid_quantities))]),
];

fn remove_zeros(object: &mut Value) {
    if let Some(spec) = object["spec"].as_object_mut() {
        spec.retain(|_, value| *value != 0);
    }
}

/// Quotes the scenarios' numbers and booleans in YAML.
fn quote_scalars(parts: &mut Parts, body: &mut Bytes) {
    let mut text = String::from_utf8_lossy(body).into_owned();
    for value in ["5", "0", "true", "false"] {
        text = text.replace(&format!(":{value},"), &format!(":\"{value}\","));
        text = text.replace(&format!(": {value}\n"), &format!(": \"{value}\"\n"));
    }
    parts.headers.remove(CONTENT_LENGTH);
    *body = text.into();
}

fn remove_invalid_times(lease: &mut Value) {
    if lease["spec"]["renewTime"] == "yesterday" {
        lease["spec"]["renewTime"] = Value::Null;
    }
}

fn fix_invalid_quantities(quota: &mut Value) {
    if quota["spec"]["hard"]["cpu"] == "ten" {
        quota["spec"]["hard"]["cpu"] = "0".into();
    }
}
