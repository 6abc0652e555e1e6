//! Server-side apply: merges, conflicts and errors.

use reqwest::Method;
use serde_json::{Value, json};

use crate::client::{ApiResponse, Client, MAPS};
use crate::definitions;

const APPLY: &str = "application/apply-patch+yaml";
const GIZMOS: &str = "/apis/ex.example.com/v1/namespaces/default/gizmos";

fn map(data: &Value) -> Value {
    json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "c"}, "data": data})
}

async fn apply(client: &Client, query: &str, body: &Value) -> ApiResponse {
    client.patch(&format!("{MAPS}/c?fieldManager={query}"), APPLY, body).await
}

/// The managers of an object: name, operation and fields of each.
fn managers(response: &ApiResponse) -> Vec<(String, String, Value)> {
    let object = response.json();
    let entries = object["metadata"]["managedFields"].as_array().cloned().unwrap_or_default();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let of = |entry: &Value| (text(&entry["manager"]), text(&entry["operation"]), entry["fieldsV1"].clone());
    entries.iter().map(of).collect()
}

fn applied(manager: &str, fields: &Value) -> (String, String, Value) {
    (manager.to_owned(), "Apply".to_owned(), fields.clone())
}

/// The message and field of each conflict.
fn conflicts(response: &ApiResponse) -> Vec<(String, String)> {
    assert_eq!((response.status, response.reason().as_str()), (409, "Conflict"), "{response:?}");
    let status = response.json();
    let causes = status["details"]["causes"].as_array().cloned().unwrap_or_default();
    assert!(causes.iter().all(|cause| cause["reason"] == "FieldManagerConflict"));
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    causes.iter().map(|cause| (text(&cause["message"]), text(&cause["field"]))).collect()
}

fn conflict(message: &str, field: &str) -> (String, String) {
    (message.to_owned(), field.to_owned())
}

#[tokio::test]
async fn an_apply_creates_merges_and_removes_fields() {
    let client = Client::start().await;
    let created = apply(&client, "m1", &map(&json!({"a": "1", "b": "1"}))).await;
    assert_eq!(created.status, 201);
    assert_eq!(managers(&created), [applied("m1", &json!({"f:data": {"f:a": {}, "f:b": {}}}))]);
    let second = apply(&client, "m2", &map(&json!({"c": "1"}))).await;
    assert_eq!((second.status, &second.json()["data"]), (200, &json!({"a": "1", "b": "1", "c": "1"})));
    let less = apply(&client, "m1", &map(&json!({"a": "2"}))).await;
    assert_eq!(less.json()["data"], json!({"a": "2", "c": "1"}));
    let nothing = apply(&client, "m1", &json!({"apiVersion": "v1", "kind": "ConfigMap"})).await;
    assert_eq!(nothing.json()["data"], json!({"c": "1"}));
    assert_eq!(managers(&nothing), [applied("m2", &json!({"f:data": {"f:c": {}}}))]);
}

#[tokio::test]
async fn a_repeated_apply_writes_nothing() {
    let client = Client::start().await;
    let body = map(&json!({"a": "1"}));
    let once = apply(&client, "m1", &body).await;
    tokio::time::sleep(std::time::Duration::from_millis(1100)).await;
    let twice = apply(&client, "m1", &body).await;
    assert_eq!((twice.status, twice.json()), (200, once.json()));
    let shared = apply(&client, "m2", &body).await;
    assert_ne!(shared.version(), once.version());
    let owners: Vec<_> = managers(&shared).into_iter().map(|(name, ..)| name).collect();
    assert_eq!(owners, ["m2", "m1"], "entries without a time are first");
}

#[tokio::test]
async fn force_resolves_conflicts() {
    let client = Client::start().await;
    apply(&client, "m1", &map(&json!({"a": "1"}))).await;
    client.merge(&format!("{MAPS}/c?fieldManager=u"), &json!({"data": {"b": "1"}})).await;
    let before = client.get(&format!("{MAPS}/c")).await;
    let both = map(&json!({"a": "2", "b": "2"}));
    let refused = apply(&client, "m2", &both).await;
    let (first, second) =
        (conflict("conflict with \"m1\"", ".data.a"), conflict("conflict with \"u\" using v1", ".data.b"));
    assert_eq!(conflicts(&refused), [first, second]);
    let message = "Apply failed with 2 conflicts: conflicts with \"m1\":\n- .data.a\nconflicts with \"u\" using v1:\n- .data.b";
    assert_eq!(refused.json()["message"], message);
    assert_eq!(client.get(&format!("{MAPS}/c")).await, before);
    let forced = apply(&client, "m2&force=true", &both).await;
    assert_eq!(managers(&forced), [applied("m2", &json!({"f:data": {"f:a": {}, "f:b": {}}}))]);
    assert_eq!(client.merge(&format!("{MAPS}/c?force=true"), &json!({})).await.status, 422);
}

#[tokio::test]
async fn invalid_applies_are_rejected() {
    let client = Client::start().await;
    let a = json!({"a": "1"});
    let with = |field: &str, value: Value| {
        let mut body = map(&a);
        body["metadata"][field] = value;
        body
    };
    let kind = json!({"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "c"}});
    let unknown = json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "c"}, "dta": {}});
    for (body, status, message) in [
        (kind, 400, "invalid object type: /v1, Kind=Secret"),
        (json!({"kind": "ConfigMap"}), 400, "invalid object type: /, Kind=ConfigMap"),
        (json!(null), 400, "invalid object type: /, Kind="),
        (with("name", "d".into()), 400, "the name of the object (d) does not match the name on the URL (c)"),
        (with("managedFields", json!([])), 400, "metadata.managedFields must be nil"),
        (
            unknown,
            500,
            "failed to create typed patch object (/c; /v1, Kind=ConfigMap): .dta: field not declared in schema",
        ),
        (
            map(&json!([1])),
            500,
            "failed to create typed patch object (/c; /v1, Kind=ConfigMap): .data: expected map, got &{[1]}",
        ),
    ] {
        let refused = apply(&client, "m1&fieldValidation=Ignore", &body).await;
        assert_eq!((refused.status, &refused.json()["message"]), (status, &json!(message)), "{body}");
    }
    let uid = apply(&client, "m1", &with("uid", "u".into())).await;
    assert_eq!((uid.status, uid.reason().as_str()), (409, "Conflict"));
    let unmanaged = client.patch(&format!("{MAPS}/c"), APPLY, &map(&a)).await;
    assert_eq!(
        (unmanaged.status, &unmanaged.json()["details"]["causes"][0]["field"]),
        (422, &json!("fieldManager"))
    );
    assert_eq!(client.get(&format!("{MAPS}/c")).await.status, 404);
    apply(&client, "m1", &map(&a)).await;
    let stale = apply(&client, "m1", &with("resourceVersion", "1".into())).await;
    assert_eq!((stale.status, stale.reason().as_str()), (409, "Conflict"));
    assert_eq!(apply(&client, "m1", &with("uid", "u".into())).await.status, 422);
}

#[tokio::test]
async fn duplicate_keys_in_yaml_are_reported() {
    let client = Client::start().await;
    let body = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata:\n  a: \"1\"\n  a: \"2\"\n";
    let path = |validation: &str| format!("{MAPS}/c?fieldManager=m1&fieldValidation={validation}");
    let strict = client.text(Method::PATCH, &path("Strict"), APPLY, body).await;
    let why = "error strict decoding YAML: error converting YAML to JSON: yaml: unmarshal errors:\n  line 6: key \"a\" already set in map";
    assert_eq!((strict.status, &strict.json()["message"]), (400, &json!(why)));
    let warned = client.text(Method::PATCH, &path("Warn"), APPLY, body).await;
    assert_eq!(warned.warnings, ["299 - \"line 6: key \\\"a\\\" already set in map\""]);
    assert_eq!(warned.json()["data"], json!({"a": "2"}));
    assert_eq!(client.text(Method::PATCH, &path("Warn"), APPLY, "{a: [").await.status, 400);
}

#[tokio::test]
async fn a_dry_run_apply_returns_the_object() {
    let client = Client::start().await;
    let dry = apply(&client, "m1&dryRun=All", &map(&json!({"a": "1"}))).await;
    assert_eq!((dry.status, managers(&dry).len()), (201, 1));
    assert_eq!(client.get(&format!("{MAPS}/c")).await.status, 404);
}

fn gizmo(spec: &Value) -> Value {
    json!({"apiVersion": "ex.example.com/v1", "kind": "Gizmo", "metadata": {"name": "g"}, "spec": spec})
}

/// A server with a type whose lists and maps have all topologies.
async fn defined() -> Client {
    let text = json!({"type": "string"});
    let rule = json!({
        "type": "object", "required": ["name"],
        "properties": {"name": text, "value": {"type": "integer"}, "protocol": {"type": "string", "default": "TCP"}},
    });
    let spec = json!({
        "type": "object",
        "properties": {
            "size": {"type": "integer", "default": 1}, "mode": text, "replicas": {"type": "integer"},
            "tags": {"type": "array", "x-kubernetes-list-type": "set", "items": text},
            "rules": {
                "type": "array", "x-kubernetes-list-type": "map", "items": rule,
                "x-kubernetes-list-map-keys": ["name", "protocol"],
            },
            "args": {"type": "array", "items": text},
            "fixed": {"type": "object", "x-kubernetes-map-type": "atomic", "additionalProperties": text},
        },
    });
    definitions::serving_spec(&spec).await
}

async fn apply_gizmo(client: &Client, query: &str, spec: &Value) -> ApiResponse {
    client.patch(&format!("{GIZMOS}/g?fieldManager={query}"), APPLY, &gizmo(spec)).await
}

#[tokio::test]
async fn lists_and_maps_are_merged_by_their_schema() {
    let client = defined().await;
    let first =
        json!({"tags": ["a"], "rules": [{"name": "a", "value": 1}], "args": ["x"], "fixed": {"a": "1"}});
    assert_eq!(apply_gizmo(&client, "m1", &first).await.status, 201);
    let second = json!({"tags": ["b"], "rules": [{"name": "b"}]});
    let merged = apply_gizmo(&client, "m2", &second).await.json();
    assert_eq!((&merged["spec"]["tags"], &merged["spec"]["size"]), (&json!(["a", "b"]), &json!(1)));
    assert_eq!(merged["spec"]["rules"].as_array().unwrap().len(), 2);
    for (spec, field) in [
        (
            json!({"rules": [{"name": "a", "protocol": "TCP", "value": 2}]}),
            ".spec.rules[name=\"a\",protocol=\"TCP\"].value",
        ),
        (json!({"args": ["x", "y"]}), ".spec.args"),
        (json!({"fixed": {"b": "1"}}), ".spec.fixed"),
    ] {
        let refused = apply_gizmo(&client, "m3", &spec).await;
        assert_eq!(conflicts(&refused), [conflict("conflict with \"m1\"", field)]);
    }
    assert_eq!(apply_gizmo(&client, "m3", &json!({"size": 5})).await.status, 200, "defaults have no owner");
    let less = apply_gizmo(&client, "m1", &json!({"tags": []})).await.json();
    assert_eq!((&less["spec"]["tags"], less["spec"].get("args")), (&json!(["b"]), None));
    assert_eq!(apply_gizmo(&client, "m1", &json!({"mode": null})).await.status, 422);
}

#[tokio::test]
async fn status_and_scale_are_applied_separately() {
    let client = defined().await;
    apply_gizmo(&client, "m1", &json!({"replicas": 1, "mode": "x"})).await;
    let status = |phase: &str| {
        let mut body = gizmo(&json!({"mode": "y"}));
        body["status"] = json!({"phase": phase});
        body
    };
    let path = |manager: &str| format!("{GIZMOS}/g/status?fieldManager={manager}");
    let applied_status = client.patch(&path("m1"), APPLY, &status("a")).await;
    assert_eq!(applied_status.json()["spec"]["mode"], "x");
    let fields = json!({"f:status": {"f:phase": {}}});
    assert!(managers(&applied_status).contains(&applied("m1", &fields)), "{applied_status:?}");
    let refused = client.patch(&path("m2"), APPLY, &status("b")).await;
    let why = conflict("conflict with \"m1\" with subresource \"status\"", ".status.phase");
    assert_eq!(conflicts(&refused), [why]);
    let scale = format!("{GIZMOS}/g/scale?fieldManager=s");
    assert_eq!(client.merge(&scale, &json!({"spec": {"replicas": 5}})).await.status, 200);
    let refused = apply_gizmo(&client, "m1", &json!({"replicas": 1, "mode": "x"})).await;
    let why = "conflict with \"s\" with subresource \"scale\" using ex.example.com/v1";
    assert_eq!(conflicts(&refused), [conflict(why, ".spec.replicas")]);
    let scale_config = json!({"apiVersion": "autoscaling/v1", "kind": "Scale", "metadata": {"name": "g"}, "spec": {"replicas": 5}});
    assert_eq!(client.patch(&format!("{scale}2"), APPLY, &scale_config).await.status, 200, "unchanged");
    let missing = client.patch(&format!("{GIZMOS}/h/status?fieldManager=m1"), APPLY, &status("a")).await;
    assert_eq!(missing.status, 404);
}

#[tokio::test]
async fn kubectl_migrates_its_client_side_applies() {
    let client = Client::start().await;
    let last = map(&json!({"a": "1", "b": "1"})).to_string();
    let mut object = map(&json!({"a": "1", "b": "1"}));
    object["metadata"]["annotations"] = json!({"kubectl.kubernetes.io/last-applied-configuration": last});
    assert_eq!(
        client.post(&format!("{MAPS}?fieldManager=kubectl-client-side-apply"), &object).await.status,
        201
    );
    assert_eq!(apply(&client, "other", &map(&json!({"a": "2"}))).await.status, 409);
    let taken = apply(&client, "kubectl", &map(&json!({"a": "2"}))).await.json();
    assert_eq!(taken["data"], json!({"a": "2", "b": "1"}));
    let annotation = &taken["metadata"]["annotations"]["kubectl.kubernetes.io/last-applied-configuration"];
    let body: Value = serde_json::from_str(annotation.as_str().unwrap()).unwrap();
    assert_eq!(body, map(&json!({"a": "2"})));
}

#[tokio::test]
async fn the_schema_contains_apply() {
    let client = defined().await;
    for document in ["/openapi/v3/api/v1", "/openapi/v3/apis/ex.example.com/v1", "/openapi/v2"] {
        let text = client.get(document).await.text;
        assert!(text.contains(APPLY) && text.contains("x-kubernetes-list-map-keys"), "{document}");
    }
}
