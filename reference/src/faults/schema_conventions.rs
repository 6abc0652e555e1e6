//! Faults of schema conventions: names and types in the published documents.

use bytes::Bytes;
use http::request::Parts;
use serde_json::{Value, json};

use super::rewrite::edit_schema;
use crate::fault::{Edit::*, Fault, When, When::*, json_body, on};

const PUBLISHED: When = PathPrefix("/openapi/");
const POST: When = Method("POST");

#[rustfmt::skip]
pub(super) const FAULTS: &[Fault] = &[
    // Types.
    on("schema-conventions-no-maps-of-subobjects", "the published ports of a Service are a map of objects", &[PUBLISHED],
        &[EditJson(|document| publish(document, "ServiceSpec", "ports", &json!({"type": "object", "additionalProperties": {"type": "object"}})))]),
    on("schema-conventions-pure-maps-are-flat", "the published data of a ConfigMap is a map of any values", &[PUBLISHED],
        &[EditJson(|document| publish(document, "ConfigMap", "data", &json!({"type": "object", "additionalProperties": {}})))]),
    on("schema-conventions-no-floats", "a published field is a double", &[PUBLISHED],
        &[EditJson(|document| publish(document, "DeploymentSpec", "surge", &json!({"type": "number", "format": "double"})))]),
    on("schema-conventions-no-unsigned-integers", "a published field is an unsigned integer", &[PUBLISHED],
        &[EditJson(|document| publish(document, "DeploymentSpec", "surge", &json!({"type": "integer", "format": "uint64"})))]),
    on("schema-conventions-integer-formats", "a published integer has no format", &[PUBLISHED],
        &[EditJson(|document| publish(document, "DeploymentSpec", "replicas", &json!({"type": "integer"})))]),
    on("schema-conventions-enums-are-strings", "a published enumeration has integers", &[PUBLISHED],
        &[EditJson(|document| publish(document, "PodSpec", "restartPolicy", &json!({"type": "integer", "format": "int32", "enum": [0, 1]})))]),
    on("schema-conventions-constants-camelcase", "a published enumeration has the value round-robin", &[PUBLISHED],
        &[EditJson(|document| publish(document, "ServiceSpec", "type", &json!({"type": "string", "enum": ["ClusterIP", "round-robin"]})))]),
    on("schema-conventions-durations-in-seconds", "the published timeoutSeconds is a string", &[PUBLISHED],
        &[EditJson(|document| publish(document, "ClientIPConfig", "timeoutSeconds", &json!({"type": "string"})))]),
    on("schema-conventions-quantity-is-string", "the published Quantity is an object", &[PUBLISHED],
        &[EditJson(|document| edit_schema(document, "Quantity", |schema| *schema = json!({"type": "object"})))]),
    // References.
    on("schema-conventions-object-reference-shape", "the published ObjectReference has a selfLink", &[PUBLISHED],
        &[EditJson(|document| publish(document, "ObjectReference", "selfLink", &json!({"type": "string"})))]),
    on("schema-conventions-reference-by-name", "the published secretName is an object", &[PUBLISHED],
        &[EditJson(|document| publish(document, "SecretVolumeSource", "secretName", &json!({"type": "object"})))]),
    on("schema-conventions-reference-object-named-ref", "a published field target is a reference object", &[PUBLISHED],
        &[EditJson(|document| rename(document, "PersistentVolumeClaimSpec", "dataSourceRef", "target"))]),
    on("schema-conventions-name-and-ref-suffix", "the published fieldRef is a string", &[PUBLISHED],
        &[EditJson(|document| publish(document, "EnvVarSource", "fieldRef", &json!({"type": "string"})))]),
    on("schema-conventions-ownerreferences-same-namespace", "the published OwnerReference has a namespace", &[PUBLISHED],
        &[EditJson(|document| publish(document, "OwnerReference", "namespace", &json!({"type": "string"})))]),
    // Names.
    on("schema-conventions-json-names-camelcase", "a published field is called NodeName", &[PUBLISHED],
        &[EditJson(|document| publish(document, "PodSpec", "NodeName", &json!({"type": "string"})))]),
    on("schema-conventions-no-underscore-dash", "a published field is called node_name", &[PUBLISHED],
        &[EditJson(|document| publish(document, "PodSpec", "node_name", &json!({"type": "string"})))]),
    on("schema-conventions-no-controller-kinds", "discovery lists the kind JobController", &[Path("/apis/batch/v1")],
        &[ReplaceText("\"kind\":\"Job\"", "\"kind\":\"JobController\"")]),
    on("schema-conventions-time-field-names", "a published time is called updatedStamp", &[PUBLISHED],
        &[EditJson(|document| publish(document, "PodStatus", "updatedStamp", &json!({"type": "string", "format": "date-time"})))]),
    on("schema-conventions-time-names-are-times", "the published startTime is a string without format", &[PUBLISHED],
        &[EditJson(|document| publish(document, "PodStatus", "startTime", &json!({"type": "string"})))]),
    on("schema-conventions-seconds-suffix", "a published field is called pollInterval", &[PUBLISHED],
        &[EditJson(|document| publish(document, "Probe", "pollInterval", &json!({"type": "integer", "format": "int32"})))]),
    on("schema-conventions-period-over-interval", "a published field is called probeIntervalSeconds", &[PUBLISHED],
        &[EditJson(|document| publish(document, "Probe", "probeIntervalSeconds", &json!({"type": "integer", "format": "int32"})))]),
    on("schema-conventions-timeout-seconds", "the published timeout of a probe has no unit in its name", &[PUBLISHED],
        &[EditJson(|document| rename(document, "Probe", "timeoutSeconds", "limit"))]),
    on("schema-conventions-deadline-seconds", "the published deadline of a Pod has no unit in its name", &[PUBLISHED],
        &[EditJson(|document| rename(document, "PodSpec", "activeDeadlineSeconds", "activeDeadline"))]),
    on("schema-conventions-acronym-case", "a published field is called podIp", &[PUBLISHED],
        &[EditJson(|document| publish(document, "PodStatus", "podIp", &json!({"type": "string"})))]),
    on("schema-conventions-boolean-names", "a published boolean is called isReady", &[PUBLISHED],
        &[EditJson(|document| publish(document, "PodStatus", "isReady", &json!({"type": "boolean"})))]),
    // Required fields, unions and lists.
    on("schema-conventions-required-published", "no published field is required", &[PUBLISHED],
        &[EditJson(|document| edit_schema(document, "Container", |schema| schema["required"] = json!([])))]),
    on("schema-conventions-union-members-optional", "the published emptyDir of a Volume is required", &[PUBLISHED],
        &[EditJson(|document| edit_schema(document, "Volume", |schema| schema["required"] = json!(["name", "emptyDir"])))]),
    on("schema-conventions-union-at-most-one", "the server drops the second type of a volume", &[POST, Plural("pods")],
        &[EditRequest(|parts, body| json_body(parts, body, use_one_volume_type))]),
    on("schema-conventions-constants-case-sensitive", "the server accepts the values of enumerations in any case", &[POST],
        &[EditRequest(correct_case)]),
    on("schema-conventions-named-lists-have-name-key", "the published containers have no merge key", &[PUBLISHED],
        &[EditJson(|document| publish(document, "PodSpec", "containers", &json!({"type": "array", "items": {"type": "object"}, "x-kubernetes-list-type": "atomic"})))]),
    on("schema-conventions-list-types-declared", "a published list has no list type", &[PUBLISHED],
        &[EditJson(|document| publish(document, "PodSpec", "hosts", &json!({"type": "array", "items": {"type": "string"}})))]),
    on("schema-conventions-list-map-keys-required", "the key of a published list map is no field of its items", &[PUBLISHED],
        &[EditJson(|document| publish(document, "PodSpec", "hosts", &json!({"type": "array", "items": {"type": "object", "properties": {}},
            "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"]})))]),
];

/// Publishes a field of a kind with this schema.
fn publish(document: &mut Value, kind: &str, field: &str, property: &Value) {
    edit_schema(document, kind, |schema| schema["properties"][field] = property.clone());
}

/// Publishes a field of a kind under another name.
fn rename(document: &mut Value, kind: &str, field: &str, name: &str) {
    edit_schema(document, kind, |schema| {
        if let Some(fields) = schema["properties"].as_object_mut()
            && let Some(property) = fields.shift_remove(field)
        {
            fields.insert(name.to_owned(), property);
        }
    });
}

fn use_one_volume_type(pod: &mut Value) {
    for volume in pod["spec"]["volumes"].as_array_mut().into_iter().flatten() {
        if let Some(types) = volume.as_object_mut().filter(|types| types.contains_key("emptyDir")) {
            types.shift_remove("hostPath");
        }
    }
}

/// Corrects the case of the values that the scenarios send.
fn correct_case(parts: &mut Parts, body: &mut Bytes) {
    json_body(parts, body, |object| {
        for (wrong, right) in [("always", "Always"), ("Red", "red")] {
            replace(object, wrong, right);
        }
    });
}

fn replace(value: &mut Value, wrong: &str, right: &str) {
    match value {
        Value::String(text) if text == wrong => *value = right.into(),
        Value::Object(fields) => fields.values_mut().for_each(|field| replace(field, wrong, right)),
        Value::Array(items) => items.iter_mut().for_each(|item| replace(item, wrong, right)),
        _ => {}
    }
}
