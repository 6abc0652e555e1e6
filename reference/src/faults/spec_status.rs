//! Faults of spec and status: subresource, conditions and defaults.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use bytes::Bytes;
use http::Method as Verb;
use http::request::Parts;
use serde_json::{Value, json};

use super::rewrite::{self, Sent, edit_schema};
use crate::fault::{Edit, Edit::*, Fault, When, When::*, json_body, on, store};
use crate::store::StoreFault;

const PUT: When = Method("PUT");
const POST: When = Method("POST");
const GET: When = Method("GET");
const VERSION: &str = "/metadata/resourceVersion";
const STATUS: When = Subresource("status");
/// Fixtures of scenarios, not their subjects.
const SUBJECTS: When = Not(&Any(&[Plural("namespaces"), DEFINITIONS]));
const DEFINITIONS: When = Plural("customresourcedefinitions");
const PUBLISHED: When = PathPrefix("/openapi/");
const NO_DEFAULTS: &[Edit] =
    &[Remove("/spec/size"), Remove("/spec/sessionAffinity"), EachItem(&Remove("/spec/size"))];

#[rustfmt::skip]
pub(super) const FAULTS: &[Fault] = &[
    // The subresource.
    on("spec-status-status-subresource-changes-status", "a PUT to the status subresource ignores the status", &[PUT, STATUS], &[RemoveFromRequest("/status")]),
    on("spec-status-status-subresource-keeps-spec", "a PUT to the status subresource also writes the spec", &[PUT, STATUS], &[Several(|parts, body| write_both(parts, body, "spec"))]),
    on("spec-status-status-subresource-keeps-metadata", "a PUT to the status subresource also writes metadata", &[PUT, STATUS, Custom],
        &[Several(|parts, body| write_both(parts, body, "metadata"))]),
    on("spec-status-status-endpoint-verbs", "a patch of the status subresource returns 404", &[Method("PATCH"), STATUS], &[Fail(404, "NotFound", "the server could not find the requested resource")]),
    on("spec-status-status-write-uses-optimistic-lock", "the server ignores the resourceVersion in status writes", &[PUT, STATUS],
        &[RemoveFromRequest(VERSION), EditRequest(|parts, _| rewrite::make_merge_patch(parts))]),
    on("spec-status-access-can-differ", "permission to update the object also permits status updates", &[STATUS, HeaderHas("impersonate-user", "kube-assay-main")],
        &[DropRequestHeader("impersonate-user"), DropRequestHeader("impersonate-group")]),
    // Writes to both parts.
    on("spec-status-main-endpoint-keeps-status", "a PUT also writes the status", &[PUT, Object], &[Several(write_status_too)]),
    on("spec-status-post-ignores-status", "a POST also writes the status", &[POST, Collection], &[Several(write_status_too), Status(201)]),
    on("spec-status-put-ignores-status", "a PUT without status clears the status", &[PUT, Object], &[Several(clear_status)]),
    on("spec-status-patch-ignores-status", "a patch also writes the status", &[Method("PATCH"), Object], &[Several(write_status_too)]),
    // The spec.
    on("spec-status-spec-returned-complete", "a get omits empty spec fields", &[GET, Object], &[EditJson(|object| remove_zero_values(&mut object["spec"]))]),
    on("spec-status-spec-persisted", "every second get returns no spec", &[GET, Object, Every(2)], &[Remove("/spec")]),
    on("spec-status-spec-visible-immediately", "a get repeats the first spec that it returned", &[GET, Object, SUBJECTS, StatusIs(200)], &[EditJson(return_first_read)]),
    store("spec-status-put-same-input-idempotent", "a PUT without changes increases the resourceVersion", StoreFault::BumpsWithoutChange),
    // `OpenAPI` and discovery.
    on("spec-status-status-endpoint-provided", "discovery omits the status subresource of Deployments", &[Discovery], &[EditJson(without_status_of_deployments)]),
    on("spec-status-no-other-top-level-fields", "the OpenAPI schema of Deployment has a data field", &[PUBLISHED],
        &[EditJson(|document| edit_schema(document, "Deployment", |schema| schema["properties"]["data"] = json!({"type": "object"})))]),
    on("spec-status-conditions-are-lists", "the OpenAPI schema of Deployment conditions is a map", &[PUBLISHED],
        &[EditJson(|document| edit_schema(document, "DeploymentStatus", |schema| schema["properties"]["conditions"] = json!({"type": "object"})))]),
    on("spec-status-condition-schema-type-status", "the OpenAPI schema of Deployment conditions has no status", &[PUBLISHED],
        &[EditJson(|document| edit_schema(document, "DeploymentCondition", |schema| remove_field(&mut schema["properties"], "status")))]),
    on("spec-status-condition-list-map-key", "the OpenAPI schema of Deployment conditions is atomic", &[PUBLISHED],
        &[EditJson(|document| edit_schema(document, "DeploymentStatus", |schema| schema["properties"]["conditions"] = atomic_conditions()))]),
    on("spec-status-condition-standard-schema", "the OpenAPI schema of Condition does not require a reason", &[PUBLISHED],
        &[EditJson(|document| edit_schema(document, "Condition", |schema| schema["required"] = json!(["type", "status", "message", "lastTransitionTime"])))]),
    on("spec-status-phase-deprecated", "the OpenAPI schema of Deployment status has a phase", &[PUBLISHED],
        &[EditJson(|document| edit_schema(document, "DeploymentStatus", |schema| schema["properties"]["phase"] = json!({"type": "string"})))]),
    // Reviews.
    on("spec-status-rpc-kinds-spec-in-status-out", "the response to an access review has a status only", &[Plural("selfsubjectaccessreviews"), POST],
        &[EditJson(|review| *review = json!({"status": review["status"]}))]),
    on("spec-status-rpc-kinds-create-only", "the server lists access reviews", &[Plural("selfsubjectaccessreviews"), GET],
        &[Respond(200, "application/json", r#"{"kind":"SelfSubjectAccessReviewList","apiVersion":"authorization.k8s.io/v1","metadata":{},"items":[]}"#)]),
    // Conditions.
    on("spec-status-condition-status-values", "the status of a condition is a boolean", &[DEFINITIONS, List], &[EachItem(&EditJson(|item| condition(item, "status", json!(true))))]),
    on("spec-status-condition-type-unique", "a list shows conditions twice", &[DEFINITIONS, List], &[EachItem(&EditJson(repeat_condition))]),
    on("spec-status-condition-optional-fields", "lastTransitionTime is a number of seconds", &[DEFINITIONS, List], &[EachItem(&EditJson(|item| condition(item, "lastTransitionTime", json!(1_790_000_000))))]),
    on("spec-status-condition-reason-camelcase", "the reason of a condition is a sentence", &[DEFINITIONS, List], &[EachItem(&EditJson(|item| condition(item, "reason", json!("There was no conflict."))))]),
    on("spec-status-condition-message-text", "the message of a condition is an object", &[DEFINITIONS, List], &[EachItem(&EditJson(|item| condition(item, "message", json!({"text": "done"}))))]),
    on("spec-status-observed-generation-bounded", "observedGeneration exceeds the generation", &[DEFINITIONS, List], &[EachItem(&Set("/status/observedGeneration", "1000"))]),
    // Defaults.
    on("spec-status-default-visible-on-read", "a get omits defaults", &[GET], NO_DEFAULTS),
    on("spec-status-default-set-by-server", "responses to a get or a create omit defaults", &[Any(&[GET, POST])], NO_DEFAULTS),
    on("spec-status-default-in-create-response", "the response to a create omits defaults", &[POST, Collection], NO_DEFAULTS),
    on("spec-status-default-not-overriding", "the server replaces 0 by the default", &[POST, Collection, Custom], &[EditRequest(|parts, body| json_body(parts, body, |object| if object["spec"]["size"] == 0 { remove_field(&mut object["spec"], "size"); }))]),
    on("spec-status-default-version-specific", "the server sets the defaults of v1 in v2", &[POST, Collection, Matches(|request| request.path.contains("/v2/"))],
        &[ReplaceInPath("/v2/", "/v1/"), EditRequest(convert_to_v1)]),
    on("spec-status-default-after-put", "a PUT keeps fields that it omits", &[PUT, Object], &[EditRequest(|parts, _| rewrite::make_merge_patch(parts))]),
    on("spec-status-default-applied-to-old-objects", "old objects do not show a new default", &[GET, Object, Custom], &[Remove("/spec/added")]),
    // Late initialization and allocation.
    on("spec-status-late-init-field-appears", "a get of a Pod omits nodeName", &[GET, Plural("pods")], &[Remove("/spec/nodeName")]),
    on("spec-status-late-init-respects-user-values", "the server replaces the tolerations of the client", &[POST, Plural("pods"), Collection],
        &[EditRequest(|parts, body| json_body(parts, body, |pod| pod["spec"]["tolerations"] = Value::Null))]),
    on("spec-status-late-init-patch-merge", "a patch of a Pod clears nodeName", &[Method("PATCH"), Plural("pods")], &[SetInRequest("/spec/nodeName", "null")]),
    on("spec-status-allocation-on-create", "the server accepts a second Service with the same cluster IP", &[POST, Plural("services"), StatusIs(422)], &[Status(201)]),
    on("spec-status-deallocation-on-type-change", "an ExternalName Service keeps its cluster IP", &[Plural("services"), Object],
        &[EditJson(|service| if service["spec"]["type"] == "ExternalName" { service["spec"]["clusterIP"] = "10.0.0.9".into(); })]),
];

/// The path of a request's object, without its subresource.
fn object_of<'a>(parts: &'a Parts, body: &Value) -> std::borrow::Cow<'a, str> {
    match parts.uri.path().strip_suffix("/status") {
        Some(path) => path.into(),
        None if parts.method == Verb::POST => rewrite::item(parts, body).into(),
        None => parts.uri.path().into(),
    }
}

/// The write, then a patch of another part.
fn write_both(parts: &Parts, body: &Bytes, part: &str) -> Vec<Sent> {
    let mut sent = rewrite::read(body);
    rewrite::remove_metadata_field(&mut sent, "resourceVersion");
    let patch = json!({ part: sent[part] });
    let main = rewrite::json_request(parts, Verb::PATCH, &object_of(parts, &sent), &patch);
    vec![rewrite::unchanged(parts, body), main]
}

/// The write, then a patch of the status in its body.
fn write_status_too(parts: &Parts, body: &Bytes) -> Vec<Sent> {
    let sent = rewrite::read(body);
    if !sent["status"].is_object() {
        return Vec::new();
    }
    status_patch(parts, body, &sent["status"])
}

fn clear_status(parts: &Parts, body: &Bytes) -> Vec<Sent> {
    if rewrite::read(body)["status"].is_null() { status_patch(parts, body, &Value::Null) } else { Vec::new() }
}

fn status_patch(parts: &Parts, body: &Bytes, status: &Value) -> Vec<Sent> {
    let path = format!("{}/status", object_of(parts, &rewrite::read(body)));
    let status = rewrite::json_request(parts, Verb::PATCH, &path, &json!({ "status": status }));
    vec![rewrite::unchanged(parts, body), status]
}

fn remove_zero_values(value: &mut Value) {
    let is_nothing = |value: &Value| *value == 0 || *value == false || *value == "";
    if let Some(fields) = value.as_object_mut() {
        fields.retain(|_, value| !is_nothing(value));
        fields.values_mut().for_each(remove_zero_values);
    }
}

fn without_status_of_deployments(document: &mut Value) {
    if let Some(resources) = document.get_mut("resources").and_then(Value::as_array_mut) {
        resources.retain(|resource| resource["name"] != "deployments/status");
    }
}

/// An atomic list of conditions.
fn atomic_conditions() -> Value {
    let texts =
        json!({"type": "object", "properties": {"type": {"type": "string"}, "status": {"type": "string"}}});
    json!({"type": "array", "items": texts, "x-kubernetes-list-type": "atomic"})
}

fn remove_field(object: &mut Value, field: &str) {
    if let Some(fields) = object.as_object_mut() {
        fields.shift_remove(field);
    }
}

fn condition(item: &mut Value, field: &str, value: Value) {
    if let Some(condition) = item.pointer_mut("/status/conditions/0") {
        condition[field] = value;
    }
}

fn repeat_condition(item: &mut Value) {
    if let Some(conditions) = item.pointer_mut("/status/conditions").and_then(Value::as_array_mut) {
        conditions.extend(conditions.first().cloned());
    }
}

fn convert_to_v1(parts: &mut Parts, body: &mut Bytes) {
    json_body(parts, body, |object| {
        if let Some(version) = object["apiVersion"].as_str() {
            object["apiVersion"] = version.replace("/v2", "/v1").into();
        }
    });
}

/// The first state of each object in a response.
static FIRST: Mutex<BTreeMap<String, Value>> = Mutex::new(BTreeMap::new());

fn return_first_read(object: &mut Value) {
    let mut first = FIRST.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(uid) = object["metadata"]["uid"].as_str() {
        *object = first.entry(uid.to_owned()).or_insert_with(|| object.clone()).clone();
    }
}
