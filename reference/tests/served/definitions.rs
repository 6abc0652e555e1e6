use std::time::Duration;

use serde_json::{Value, json};

use crate::client::Client;

pub(crate) const DEFINITIONS: &str = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
pub(crate) const GIZMOS: &str = "/apis/ex.example.com/v1/namespaces/default/gizmos";

fn definition() -> Value {
    definition_of(&json!({
        "type": "object", "required": ["size"],
        "properties": {"size": {"type": "integer", "maximum": 100}, "color": {"type": "string", "default": "red"}},
    }))
}

pub(crate) fn definition_of(spec: &Value) -> Value {
    let scale = json!({"specReplicasPath": ".spec.replicas", "statusReplicasPath": ".status.replicas"});
    json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "gizmos.ex.example.com"},
        "spec": {
            "group": "ex.example.com",
            "scope": "Namespaced",
            "names": {"plural": "gizmos", "kind": "Gizmo"},
            "versions": [{
                "name": "v1", "served": true, "storage": true, "subresources": {"status": {}, "scale": scale},
                "schema": {"openAPIV3Schema": {"type": "object", "properties": {
                    "spec": spec, "status": {"type": "object", "x-kubernetes-preserve-unknown-fields": true},
                }}},
            }],
        },
    })
}

fn gizmo(name: &str) -> Value {
    json!({"apiVersion": "ex.example.com/v1", "kind": "Gizmo", "metadata": {"name": name}, "spec": {"size": 1}})
}

async fn defined() -> Client {
    serving(&definition()).await
}

/// A server that serves gizmos with this spec schema.
pub(crate) async fn serving_spec(spec: &Value) -> Client {
    serving(&definition_of(spec)).await
}

async fn serving(definition: &Value) -> Client {
    let client = Client::start().await;
    assert_eq!(client.post(DEFINITIONS, definition).await.status, 201);
    wait_for_status(&client, GIZMOS, 200).await;
    client
}

async fn wait_for_status(client: &Client, path: &str, status: u16) {
    for _ in 0..200 {
        if client.get(path).await.status == status {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("{path} never returned {status}");
}

#[tokio::test]
async fn a_defined_type_is_served_and_discovered() {
    let client = defined().await;
    let crd = client.get(&format!("{DEFINITIONS}/gizmos.ex.example.com")).await.json();
    assert!(crd["status"]["conditions"].to_string().contains("Established"));
    let resources = client.get("/apis/ex.example.com/v1").await.json();
    assert_eq!(resources["resources"][0]["kind"], "Gizmo");
    assert!(resources["resources"].to_string().contains("gizmos/status"));
    assert_eq!(client.get("/openapi/v3/apis/ex.example.com/v1").await.status, 200);
    assert_eq!(client.get(GIZMOS).await.json()["metadata"]["continue"], "");
}

#[tokio::test]
async fn objects_of_a_defined_type_follow_its_schema() {
    let client = defined().await;
    let mut object = gizmo("a");
    object["spec"]["unknown"] = 1.into();
    object["status"] = json!({"x": 1});
    let created = client.post(GIZMOS, &object).await.json();
    assert_eq!(created["spec"], json!({"size": 1, "color": "red"}));
    assert_eq!(created.get("status"), None);
    assert_eq!(created["metadata"]["generation"], 1);
    for spec in [json!({}), json!({"size": 101}), json!({"size": "x"})] {
        let mut invalid = gizmo("b");
        invalid["spec"] = spec.clone();
        assert_eq!(client.post(GIZMOS, &invalid).await.status, 422, "{spec}");
    }
    let status =
        client.merge(&format!("{GIZMOS}/a/status"), &json!({"status": {"x": 2}, "spec": {"size": 9}})).await;
    assert_eq!((&status.json()["status"]["x"], &status.json()["spec"]["size"]), (&json!(2), &json!(1)));
    assert_eq!(status.json()["metadata"]["generation"], 1);
    let main = client.merge(&format!("{GIZMOS}/a"), &json!({"spec": {"size": 2}})).await.json();
    assert_eq!((&main["metadata"]["generation"], &main["status"]["x"]), (&json!(2), &json!(2)));
    assert_eq!(client.put(&format!("{GIZMOS}/a"), &gizmo("a")).await.status, 422, "needs a version");
}

#[tokio::test]
async fn patterns_are_those_of_go() {
    let spec = |pattern: &str| json!({"type": "object", "properties": {"name": {"type": "string", "pattern": pattern}}});
    let client = Client::start().await;
    let refused = client.post(DEFINITIONS, &definition_of(&spec(r"\Z"))).await;
    assert_eq!(refused.status, 422);
    let detail =
        r"must be a valid regular expression, but isn't: error parsing regexp: invalid escape sequence: `\Z`";
    let cause = json!({
        "reason": "FieldValueInvalid",
        "message": format!(r#"Invalid value: "\\Z": {detail}"#),
        "field": "spec.validation.openAPIV3Schema.properties[spec].properties[name].pattern",
    });
    assert_eq!(refused.json()["details"]["causes"], json!([cause]));
    assert_eq!(client.post(DEFINITIONS, &definition_of(&spec(r"^(?<n>\d)$"))).await.status, 201);
    wait_for_status(&client, GIZMOS, 200).await;
    for (name, digit, status) in [("a", "5", 201), ("b", "\u{0663}", 422)] {
        let mut object = gizmo(name);
        object["spec"] = json!({ "name": digit });
        assert_eq!(client.post(GIZMOS, &object).await.status, status, "{digit}");
    }
}

#[tokio::test]
async fn defaults_make_no_object_larger_than_the_store_takes() {
    let text = json!({"type": "string", "default": "a".repeat(10_000)});
    let item = json!({"type": "object", "properties": {"text": text}});
    let spec = json!({"type": "object", "properties": {"list": {"type": "array", "items": item}}});
    let client = serving_spec(&spec).await;
    let mut object = gizmo("a");
    object["spec"] = json!({"list": [{}]});
    assert_eq!(client.post(GIZMOS, &object).await.status, 201);
    let many = json!({"spec": {"list": vec![json!({}); 10_000]}});
    let refused = client.merge(&format!("{GIZMOS}/a"), &many).await;
    assert_eq!(refused.json()["message"], "etcdserver: request is too large");
    object["metadata"]["name"] = "b".into();
    object["spec"] = many["spec"].clone();
    assert_eq!(client.post(GIZMOS, &object).await.json()["message"], "etcdserver: request is too large");
    assert_eq!(client.get(GIZMOS).await.names(), ["a"]);
}

#[tokio::test]
async fn a_watch_at_a_version_before_the_type_expires() {
    let client = Client::start().await;
    let v = client.get("/api/v1/namespaces").await.version();
    client.post(DEFINITIONS, &definition()).await;
    wait_for_status(&client, GIZMOS, 200).await;
    let mut events = client.watch(&format!("{GIZMOS}?watch=1&resourceVersion={v}")).await;
    let error = events.next().await.unwrap();
    assert_eq!((&error["type"], &error["object"]["reason"]), (&json!("ERROR"), &json!("Expired")));
    assert_eq!(events.next().await, None);
}

#[tokio::test]
async fn a_deleted_definition_deletes_its_objects() {
    let client = defined().await;
    client.post(GIZMOS, &gizmo("a")).await;
    let mut events = client.watch(&format!("{GIZMOS}?watch=1")).await;
    assert_eq!(events.take(1).await, ["ADDED a"]);
    client.delete(&format!("{DEFINITIONS}/gizmos.ex.example.com"), &json!({})).await;
    assert_eq!(events.take(1).await, ["DELETED a"]);
    assert_eq!(events.next().await, None);
    wait_for_status(&client, "/apis/ex.example.com/v1", 404).await;
    wait_for_status(&client, &format!("{DEFINITIONS}/gizmos.ex.example.com"), 404).await;
    client.post(DEFINITIONS, &definition()).await;
    wait_for_status(&client, GIZMOS, 200).await;
    assert_eq!(client.get(GIZMOS).await.names(), Vec::<String>::new());
}
