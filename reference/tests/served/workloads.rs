use serde_json::{Value, json};

use crate::client::Client;

const DEPLOYMENTS: &str = "/apis/apps/v1/namespaces/default/deployments";
const ROLES: &str = "/apis/rbac.authorization.k8s.io/v1/clusterroles";

fn deployment() -> Value {
    json!({"metadata": {"name": "a"}, "spec": {
        "selector": {"matchLabels": {"a": "b"}},
        "template": {"metadata": {"labels": {"a": "b"}}, "spec": {"containers": [{"name": "c", "image": "i"}]}},
    }})
}

async fn deployed() -> (Client, String) {
    let client = Client::start().await;
    let created = client.post(DEPLOYMENTS, &deployment()).await;
    assert_eq!(created.status, 201, "{created:?}");
    assert_eq!(created.json()["spec"]["replicas"], 1);
    assert_eq!(created.json()["status"], json!({}));
    (client, format!("{DEPLOYMENTS}/a"))
}

fn generation(object: &Value) -> u64 {
    object["metadata"]["generation"].as_u64().unwrap()
}

#[tokio::test]
async fn spec_and_status_of_a_deployment_are_written_separately() {
    let (client, one) = deployed().await;
    let main = client.merge(&one, &json!({"spec": {"replicas": 2}, "status": {"replicas": 9}})).await.json();
    assert_eq!((generation(&main), &main["status"]), (2, &json!({})));
    assert_eq!(generation(&client.merge(&one, &json!({"metadata": {"labels": {"a": "b"}}})).await.json()), 2);
    let patch =
        json!({"status": {"replicas": 3}, "spec": {"replicas": 7}, "metadata": {"labels": {"c": "d"}}});
    let status = client.merge(&format!("{one}/status"), &patch).await.json();
    assert_eq!((generation(&status), &status["spec"]["replicas"]), (2, &json!(2)));
    assert_eq!(
        (&status["status"]["replicas"], &status["metadata"]["labels"]),
        (&json!(3), &json!({"a": "b"}))
    );
    let strict = format!("{one}/status?fieldValidation=Strict");
    assert_eq!(client.merge(&strict, &json!({"status": {"bogus": 1}})).await.status, 422);
    let selector = client.merge(&one, &json!({"spec": {"selector": {"matchLabels": {"a": "z"}}}})).await;
    assert_eq!(selector.status, 422);
}

#[tokio::test]
async fn a_deployment_is_scaled() {
    let (client, one) = deployed().await;
    let scale = format!("{one}/scale");
    let current = client.get(&scale).await.json();
    assert_eq!((&current["kind"], &current["spec"]), (&json!("Scale"), &json!({"replicas": 1})));
    assert_eq!(current["status"], json!({"replicas": 0, "selector": "a=b"}));
    assert_eq!(client.merge(&scale, &json!({"spec": {"replicas": 4}})).await.json()["spec"]["replicas"], 4);
    assert_eq!(
        client.merge(&format!("{scale}?dryRun=All"), &json!({"spec": {"replicas": 9}})).await.status,
        200
    );
    assert_eq!(client.get(&one).await.json()["spec"]["replicas"], 4);
    assert_eq!(client.merge(&scale, &json!({"spec": {"replicas": -1}})).await.status, 422);
    assert_eq!(client.merge(&scale, &json!({"spec": {"replicas": "x"}})).await.status, 422);
    let sent = |metadata: Value| json!({"metadata": metadata, "spec": {"replicas": 5}});
    assert_eq!(client.put(&scale, &sent(json!({}))).await.status, 400);
    assert_eq!(client.put(&scale, &sent(json!({"name": "a", "resourceVersion": "1"}))).await.status, 409);
    assert_eq!(client.put(&scale, &sent(json!({"name": "a"}))).await.json()["spec"]["replicas"], 5);
}

#[tokio::test]
async fn lists_of_a_deployment_are_merged_by_key() {
    let (client, one) = deployed().await;
    let patch = |containers: Value| json!({"spec": {"template": {"spec": {"containers": containers}}}});
    let strategic = "application/strategic-merge-patch+json";
    let more = client.patch(&one, strategic, &patch(json!([{"name": "d", "image": "i"}]))).await.json();
    assert_eq!(more["spec"]["template"]["spec"]["containers"].as_array().unwrap().len(), 2);
    assert_eq!(client.patch(&one, strategic, &patch(json!([{"image": "i"}]))).await.status, 500);
    assert_eq!(client.merge(&one, &patch(json!([{"image": "i"}]))).await.status, 422);
    for invalid in [json!({"replicas": "two"}), json!({"template": {"spec": {"containers": 5}}})] {
        assert_eq!(
            client.post(DEPLOYMENTS, &json!({"metadata": {"name": "b"}, "spec": invalid})).await.status,
            400
        );
    }
}

#[tokio::test]
async fn a_cluster_role_is_created_by_an_update() {
    let client = Client::start().await;
    let one = format!("{ROLES}/system:odd_Name");
    let role = |more: Value| {
        let mut metadata = json!({"name": "system:odd_Name"});
        metadata.as_object_mut().unwrap().extend(more.as_object().cloned().unwrap());
        json!({"metadata": metadata})
    };
    assert_eq!(client.put(&one, &role(json!({"uid": "x"}))).await.status, 409);
    assert_eq!(client.put(&format!("{one}?dryRun=All"), &role(json!({}))).await.status, 201);
    assert_eq!(client.get(&one).await.status, 404);
    let created = client.put(&one, &role(json!({"resourceVersion": "5"}))).await;
    assert_eq!((created.status, &created.json()["rules"]), (201, &Value::Null));
    assert_eq!(client.put(&one, &role(json!({}))).await.version(), created.version());
    assert_eq!(client.put(&one, &role(json!({"resourceVersion": "5"}))).await.status, 409);
    let rules = client.merge(&one, &json!({"rules": [{"verbs": ["get"]}]})).await;
    assert_eq!(rules.status, 422);
    let bad = client.post(ROLES, &json!({"metadata": {"name": "a%b"}})).await;
    assert_eq!(bad.status, 422);
}

#[tokio::test]
async fn workload_types_are_in_discovery() {
    let client = Client::start().await;
    let apps = client.get("/apis/apps/v1").await.json();
    let names = apps["resources"].as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap());
    let of_deployments: Vec<_> = names.filter(|name| name.starts_with("deployments")).collect();
    assert_eq!(of_deployments, ["deployments", "deployments/scale", "deployments/status"]);
    let roles = client.get("/apis/rbac.authorization.k8s.io/v1").await.json();
    assert_eq!(roles["resources"][0]["namespaced"], false);
}
