use serde_json::json;

use crate::client::{Client, MAPS, config_map};

#[tokio::test]
async fn an_object_lives_from_create_to_delete() {
    let client = Client::start().await;
    let one = format!("{MAPS}/a");
    let created = client.post(MAPS, &config_map("a")).await;
    assert_eq!(created.status, 201);
    assert_eq!(client.get(&one).await.json(), created.json());

    let again = client.post(MAPS, &config_map("a")).await;
    assert_eq!((again.status, again.reason()), (409, "AlreadyExists".to_owned()));

    let mut object = created.json();
    object["data"]["k"] = "2".into();
    let updated = client.put(&one, &object).await;
    assert_ne!(updated.version(), created.version());
    assert_eq!(client.put(&one, &updated.json()).await.version(), updated.version(), "no change");

    let stale = client.put(&one, &object).await;
    assert_eq!((stale.status, stale.reason()), (409, "Conflict".to_owned()));

    let deleted = client.delete(&one, &json!({})).await;
    assert_eq!(deleted.json()["status"], "Success");
    assert_eq!(deleted.json()["details"]["kind"], "configmaps");
    let gone = client.get(&one).await;
    assert_eq!((gone.status, gone.reason()), (404, "NotFound".to_owned()));
    assert_eq!(gone.json()["details"], json!({"name": "a", "kind": "configmaps"}));
}

#[tokio::test]
async fn each_kind_of_patch_changes_the_object() {
    let client = Client::start().await;
    let one = format!("{MAPS}/a");
    client.config_maps(&["a"]).await;
    let merged = client.merge(&one, &json!({"data": {"k": null, "m": "1"}})).await;
    assert_eq!(merged.json()["data"], json!({"m": "1"}));
    let operations = json!([{"op": "add", "path": "/data/j", "value": "2"}]);
    let patched = client.patch(&one, "application/json-patch+json", &operations).await;
    assert_eq!(patched.json()["data"], json!({"m": "1", "j": "2"}));
    let strategic = json!({"data": {"$retainKeys": ["m"], "m": "3"}});
    let patched = client.patch(&one, "application/strategic-merge-patch+json", &strategic).await;
    assert_eq!(patched.json()["data"], json!({"m": "3"}));
    assert_eq!(client.patch(&one, "application/json", &json!({})).await.status, 415);
}

#[tokio::test]
async fn an_unsupported_patch_fails_before_its_options() {
    let client = Client::start().await;
    client.config_maps(&["a"]).await;
    let forced = format!("{MAPS}/a?fieldManager=me&force=true");
    assert_eq!(client.patch(&forced, "application/apply-patch+json", &json!({})).await.status, 415);
    assert_eq!(client.merge(&forced, &json!({})).await.status, 422);
}

#[tokio::test]
async fn invalid_objects_are_rejected() {
    let client = Client::start().await;
    let rows = [
        (json!({"metadata": {"name": "Upper"}}), 422),
        (json!({"metadata": {}}), 422),
        (json!({"metadata": {"name": "a", "labels": {"a": "b c"}}}), 422),
        (json!({"metadata": {"name": "a", "namespace": "other"}}), 400),
        (json!({"metadata": {"name": "a", "resourceVersion": "1"}}), 500),
        (json!({"metadata": {"name": "a"}, "data": {"k": 5}}), 400),
        (json!({"metadata": "odd"}), 400),
        (json!([]), 400),
        (json!({"kind": "Secret", "apiVersion": "v1", "metadata": {"name": "a"}}), 400),
    ];
    for (body, status) in rows {
        let response = client.post(MAPS, &body).await;
        assert_eq!(response.status, status, "{body}");
        assert_eq!(response.json()["kind"], "Status", "{body}");
    }
    assert_eq!(client.post("/api/v1/namespaces/none/configmaps", &config_map("a")).await.status, 404);
    assert_eq!(client.post("/api/v1/configmaps", &config_map("a")).await.status, 405);
    assert_eq!(client.get("/api/v1/nosuch").await.status, 404);
    assert_eq!(client.get(MAPS).await.names(), Vec::<String>::new());
}

#[tokio::test]
async fn malformed_objects_never_break_the_server() {
    let client = Client::start().await;
    for body in
        [json!({"metadata": {"name": "a"}, "spec": "x"}), json!({"metadata": {"name": "a"}, "status": 5})]
    {
        assert_eq!(client.post("/api/v1/namespaces", &body).await.status, 400, "{body}");
    }
    let crds = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    for spec in [json!(1), json!({}), json!({"names": 3, "versions": "x"}), json!({"versions": [1, null]})] {
        let body = json!({"metadata": {"name": "a.b"}, "spec": spec});
        assert!((400..500).contains(&client.post(crds, &body).await.status), "{body}");
    }
    client.config_maps(&["a"]).await;
    for patch in [json!({"metadata": 1}), json!({"metadata": {"labels": []}}), json!({"data": "x"})] {
        let response = client.merge(&format!("{MAPS}/a"), &patch).await;
        assert!((400..500).contains(&response.status), "{patch}: {response:?}");
    }
}

#[tokio::test]
async fn a_dry_run_changes_nothing() {
    let client = Client::start().await;
    let dry = client.post(&format!("{MAPS}?dryRun=All"), &config_map("a")).await;
    assert_eq!(dry.status, 201);
    assert_eq!(client.get(&format!("{MAPS}/a")).await.status, 404);
    client.config_maps(&["b"]).await;
    let deleted = client.delete(&format!("{MAPS}/b"), &json!({"dryRun": ["All"]})).await;
    assert_eq!(deleted.status, 200);
    assert_eq!(client.get(&format!("{MAPS}/b")).await.status, 200);
    assert_eq!(client.post(&format!("{MAPS}?dryRun=all"), &config_map("c")).await.status, 422);
}

#[tokio::test]
async fn finalizers_and_preconditions_prevent_a_deletion() {
    let client = Client::start().await;
    let one = format!("{MAPS}/a");
    let mut object = config_map("a");
    object["metadata"]["finalizers"] = json!(["example.com/x"]);
    client.post(MAPS, &object).await;
    let mismatch = client.delete(&one, &json!({"preconditions": {"uid": "no"}})).await;
    assert_eq!(mismatch.status, 409);
    let marked = client.delete(&one, &json!({})).await;
    assert!(marked.json()["metadata"]["deletionTimestamp"].is_string());
    assert_eq!(client.merge(&one, &json!({"metadata": {"finalizers": null}})).await.status, 200);
    assert_eq!(client.get(&one).await.status, 404);
}

#[tokio::test]
async fn a_deleted_namespace_deletes_its_contents() {
    let client = Client::start().await;
    client.post("/api/v1/namespaces", &json!({"metadata": {"name": "n"}})).await;
    client.post("/api/v1/namespaces/n/configmaps", &config_map("a")).await;
    let deleted = client.delete("/api/v1/namespaces/n", &json!({})).await;
    assert_eq!(deleted.json()["status"]["phase"], "Terminating");
    for _ in 0..100 {
        if client.get("/api/v1/namespaces/n").await.status == 404 {
            assert_eq!(client.get("/api/v1/configmaps").await.names(), Vec::<String>::new());
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    panic!("the namespace is still there");
}

#[tokio::test]
async fn deletecollection_honours_selectors() {
    let client = Client::start().await;
    client.config_maps(&["a", "b"]).await;
    client.merge(&format!("{MAPS}/a"), &json!({"metadata": {"labels": {"x": "1"}}})).await;
    let deleted = client.delete(&format!("{MAPS}?labelSelector=x%3D1"), &json!({})).await;
    assert_eq!(deleted.names(), ["a"]);
    assert_eq!(client.get(MAPS).await.names(), ["b"]);
}
