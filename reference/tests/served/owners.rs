use std::time::Duration;

use serde_json::{Value, json};

use crate::client::{Client, MAPS};

/// A client, an owner and two dependents that block it; one of them has a finalizer.
async fn owned() -> Client {
    let client = Client::start().await;
    let owner = client.post(MAPS, &json!({"metadata": {"name": "owner"}})).await.json();
    for (name, finalizers) in [("free", json!([])), ("held", json!(["a/b"]))] {
        let reference = json!({
            "apiVersion": "v1", "kind": "ConfigMap", "name": "owner", "uid": owner["metadata"]["uid"],
            "blockOwnerDeletion": true,
        });
        let metadata = json!({"name": name, "finalizers": finalizers, "ownerReferences": [reference]});
        assert_eq!(client.post(MAPS, &json!({"metadata": metadata})).await.status, 201);
    }
    client
}

fn one(name: &str) -> String {
    format!("{MAPS}/{name}")
}

async fn delete_owner(client: &Client, policy: &str) -> Value {
    client.delete(&one("owner"), &json!({"propagationPolicy": policy})).await.json()
}

async fn release(client: &Client, name: &str) {
    let patch = json!({"metadata": {"finalizers": null}});
    assert_eq!(client.merge(&one(name), &patch).await.status, 200);
}

/// Waits until exactly these objects remain.
async fn wait_for_remaining(client: &Client, names: &[&str]) {
    for _ in 0..200 {
        if client.get(MAPS).await.names() == names {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    assert_eq!(client.get(MAPS).await.names(), names);
}

#[tokio::test]
async fn foreground_deletion_removes_the_owner_last() {
    let client = owned().await;
    assert_eq!(
        delete_owner(&client, "Foreground").await["metadata"]["finalizers"],
        json!(["foregroundDeletion"])
    );
    wait_for_remaining(&client, &["held", "owner"]).await;
    release(&client, "held").await;
    wait_for_remaining(&client, &[]).await;
}

#[tokio::test]
async fn background_deletion_removes_the_owner_first() {
    let client = owned().await;
    delete_owner(&client, "Background").await;
    wait_for_remaining(&client, &["held"]).await;
    assert!(client.get(&one("held")).await.json()["metadata"]["deletionTimestamp"].is_string());
    release(&client, "held").await;
    wait_for_remaining(&client, &[]).await;
}

#[tokio::test]
async fn orphans_remain() {
    let client = owned().await;
    assert_eq!(delete_owner(&client, "Orphan").await["metadata"]["finalizers"], json!(["orphan"]));
    wait_for_remaining(&client, &["free", "held"]).await;
    for name in ["free", "held"] {
        let metadata = client.get(&one(name)).await.json()["metadata"].clone();
        assert_eq!((metadata.get("ownerReferences"), metadata.get("deletionTimestamp")), (None, None));
    }
}

#[tokio::test]
async fn a_terminating_namespace_reports_remaining_content() {
    let client = Client::start().await;
    let namespace = "/api/v1/namespaces/ending";
    client.post("/api/v1/namespaces", &json!({"metadata": {"name": "ending"}})).await;
    let held = json!({"metadata": {"name": "a", "finalizers": ["a/b"]}});
    client.post(&format!("{namespace}/configmaps"), &held).await;
    client.delete(namespace, &json!({})).await;
    let reports_finalizers = async || {
        let status = client.get(namespace).await.json()["status"]["conditions"].clone();
        let conditions = status.as_array().cloned().unwrap_or_default();
        conditions.iter().any(|one| one["type"] == "NamespaceFinalizersRemaining" && one["status"] == "True")
    };
    for _ in 0..200 {
        if reports_finalizers().await {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("{:?}", client.get(namespace).await);
}
