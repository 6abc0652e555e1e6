use std::time::Duration;

use serde_json::{Value, json};

use crate::client::{Client, MAPS};

/// A client, an owner, and two that belong to it: one that holds it up, and one that has a finalizer besides.
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

/// Waits until only these are left.
async fn left(client: &Client, names: &[&str]) {
    for _ in 0..200 {
        if client.get(MAPS).await.names() == names {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    assert_eq!(client.get(MAPS).await.names(), names);
}

#[tokio::test]
async fn in_the_foreground_the_owner_goes_last() {
    let client = owned().await;
    assert_eq!(
        delete_owner(&client, "Foreground").await["metadata"]["finalizers"],
        json!(["foregroundDeletion"])
    );
    left(&client, &["held", "owner"]).await;
    release(&client, "held").await;
    left(&client, &[]).await;
}

#[tokio::test]
async fn in_the_background_the_owner_goes_first() {
    let client = owned().await;
    delete_owner(&client, "Background").await;
    left(&client, &["held"]).await;
    assert!(client.get(&one("held")).await.json()["metadata"]["deletionTimestamp"].is_string());
    release(&client, "held").await;
    left(&client, &[]).await;
}

#[tokio::test]
async fn orphans_stay() {
    let client = owned().await;
    assert_eq!(delete_owner(&client, "Orphan").await["metadata"]["finalizers"], json!(["orphan"]));
    left(&client, &["free", "held"]).await;
    for name in ["free", "held"] {
        let metadata = client.get(&one(name)).await.json()["metadata"].clone();
        assert_eq!((metadata.get("ownerReferences"), metadata.get("deletionTimestamp")), (None, None));
    }
}

#[tokio::test]
async fn a_namespace_says_what_is_left_in_it() {
    let client = Client::start().await;
    let namespace = "/api/v1/namespaces/ending";
    client.post("/api/v1/namespaces", &json!({"metadata": {"name": "ending"}})).await;
    let held = json!({"metadata": {"name": "a", "finalizers": ["a/b"]}});
    client.post(&format!("{namespace}/configmaps"), &held).await;
    client.delete(namespace, &json!({})).await;
    let told = async || {
        let status = client.get(namespace).await.json()["status"]["conditions"].clone();
        let conditions = status.as_array().cloned().unwrap_or_default();
        conditions.iter().any(|one| one["type"] == "NamespaceFinalizersRemaining" && one["status"] == "True")
    };
    for _ in 0..200 {
        if told().await {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("{:?}", client.get(namespace).await);
}
