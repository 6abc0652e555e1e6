use serde_json::{Value, json};

use crate::client::{Client, MAPS};

/// A client, and the path of a config map with finalizers.
async fn with_finalizers(finalizers: &Value) -> (Client, String) {
    let client = Client::start().await;
    let object = json!({"metadata": {"name": "a", "finalizers": finalizers}});
    assert_eq!(client.post(MAPS, &object).await.status, 201);
    (client, format!("{MAPS}/a"))
}

fn finalizers(object: &Value) -> &Value {
    &object["metadata"]["finalizers"]
}

#[tokio::test]
async fn a_deleted_object_remains_until_its_last_finalizer_is_removed() {
    let (client, one) = with_finalizers(&json!(["a/b", "c/d"])).await;
    let marked = client.delete(&one, &json!({})).await.json();
    assert_eq!(marked["metadata"]["deletionGracePeriodSeconds"], 0);
    assert_eq!(client.delete(&one, &json!({})).await.json(), marked);
    let again = client.post(MAPS, &json!({"metadata": {"name": "a"}})).await;
    assert_eq!((again.status, again.reason()), (409, "AlreadyExists".to_owned()));
    assert!(again.text.contains("object is being deleted: "), "{again:?}");
    let more = client.merge(&one, &json!({"metadata": {"finalizers": ["a/b", "e/f"]}})).await;
    assert_eq!(more.status, 422);
    let cleared = client.merge(&one, &json!({"metadata": {"deletionTimestamp": null}})).await.json();
    assert_eq!(cleared["metadata"]["deletionTimestamp"], marked["metadata"]["deletionTimestamp"]);
    let dry = client.merge(&format!("{one}?dryRun=All"), &json!({"metadata": {"finalizers": null}})).await;
    assert_eq!(dry.status, 200);
    let less = client.merge(&one, &json!({"metadata": {"finalizers": ["c/d"]}})).await;
    assert_eq!(finalizers(&less.json()), &json!(["c/d"]));
    let last = client.merge(&one, &json!({"metadata": {"finalizers": null}})).await;
    assert_eq!((last.status, last.version()), (200, less.version()));
    assert_eq!(client.get(&one).await.status, 404);
}

#[tokio::test]
async fn writes_cannot_set_the_deletion_timestamp() {
    let (client, one) = with_finalizers(&json!(["a/b"])).await;
    let now = json!({"metadata": {"deletionTimestamp": "2026-01-01T00:00:00Z"}});
    assert_eq!(client.merge(&one, &now).await.status, 422);
    let born = json!({"metadata": {"name": "b", "deletionTimestamp": "2026-01-01T00:00:00Z"}});
    assert_eq!(client.post(MAPS, &born).await.json()["metadata"].get("deletionTimestamp"), None);
}

#[tokio::test]
async fn preconditions_of_a_deletion_are_checked() {
    let (client, one) = with_finalizers(&json!(["a/b"])).await;
    for preconditions in
        [json!({"uid": "x"}), json!({"resourceVersion": ""}), json!({"resourceVersion": "1"})]
    {
        let response = client.delete(&one, &json!({"preconditions": preconditions})).await;
        assert_eq!((response.status, response.reason()), (409, "Conflict".to_owned()));
        assert_eq!(response.json()["details"], json!({"name": "a", "kind": "ConfigMap"}));
    }
    let ignored = client.delete(&format!("{one}?preconditions.uid=x"), &json!({})).await;
    assert_eq!(ignored.status, 200);
}

#[tokio::test]
async fn options_are_in_the_body_or_the_query() {
    let (client, one) = with_finalizers(&json!(["a/b"])).await;
    let delete = async |query: &str, body: Value| client.delete(&format!("{one}{query}"), &body).await;
    for (query, body, status) in [
        ("", json!({"kind": "ConfigMap", "apiVersion": "v1"}), 400),
        ("", json!([]), 400),
        ("", json!({"gracePeriodSeconds": "x"}), 400),
        ("", json!({"propagationPolicy": "Cascade"}), 422),
        ("", json!({"propagationPolicy": "Orphan", "orphanDependents": true}), 422),
        ("", json!({"dryRun": ["all"]}), 422),
        ("?dryRun=all", json!({"dryRun": ["All"]}), 200),
    ] {
        assert_eq!(delete(query, body.clone()).await.status, status, "{query} {body}");
    }
    let dry = client.delete_bare(&format!("{one}?dryRun=All&propagationPolicy=Foreground")).await;
    assert_eq!(finalizers(&dry.json()), &json!(["a/b", "foregroundDeletion"]));
    assert_eq!(client.get(&one).await.json()["metadata"].get("deletionTimestamp"), None);
    assert_eq!(delete("?dryRun=All", json!({"orphanDependents": false})).await.status, 202);
    assert!(
        client.get(&one).await.json()["metadata"]["deletionTimestamp"].is_string(),
        "a body overrides the query"
    );
    let orphan = client.delete_bare(&format!("{one}?propagationPolicy=Orphan")).await;
    assert_eq!(finalizers(&orphan.json()), &json!(["a/b", "orphan"]));
    let background = client.delete_bare(&format!("{one}?propagationPolicy=Background")).await;
    assert_eq!(finalizers(&background.json()), &json!(["a/b"]));
}

#[tokio::test]
async fn deletecollection_deletes_the_listed_objects() {
    let client = Client::start().await;
    client.config_maps(&["a", "b", "c"]).await;
    let uid = client.get(&format!("{MAPS}/b")).await.json()["metadata"]["uid"].clone();
    assert_eq!(client.delete_bare(&format!("{MAPS}?resourceVersionMatch=Exact")).await.status, 422);
    assert_eq!(client.delete_bare(&format!("{MAPS}?dryRun=All")).await.names(), ["a", "b", "c"]);
    assert_eq!(client.delete(MAPS, &json!({"preconditions": {"uid": uid}})).await.status, 409);
    assert_eq!(client.get(MAPS).await.names(), ["a", "c"]);
    let page = client.delete_bare(&format!("{MAPS}?limit=1")).await;
    assert_eq!(page.names(), ["a"]);
    assert!(page.json()["metadata"]["continue"].is_string());
    assert_eq!(client.delete_bare(MAPS).await.names(), ["c"]);
    assert_eq!(client.delete_bare("/api/v1/configmaps").await.status, 405);
}

#[tokio::test]
async fn system_namespaces_remain_and_deleted_service_accounts_are_returned() {
    let client = Client::start().await;
    assert_eq!(client.delete_bare("/api/v1/namespaces/default?dryRun=All").await.status, 403);
    let accounts = "/api/v1/namespaces/default/serviceaccounts";
    client.post(accounts, &json!({"metadata": {"name": "a"}})).await;
    assert_eq!(client.delete_bare(&format!("{accounts}/a")).await.json()["kind"], "ServiceAccount");
}

#[tokio::test]
async fn only_scheduled_pods_have_grace_periods() {
    let client = Client::start().await;
    let pods = "/api/v1/namespaces/default/pods";
    let (one, spec) =
        (format!("{pods}/a"), json!({"nodeName": "n", "containers": [{"name": "c", "image": "i"}]}));
    client.post(pods, &json!({"metadata": {"name": "a"}, "spec": spec})).await;
    let period = |object: &Value| object["metadata"]["deletionGracePeriodSeconds"].clone();
    for (query, seconds) in [
        ("?gracePeriodSeconds=20", 20),
        ("?gracePeriodSeconds=60", 20),
        ("", 20),
        ("?gracePeriodSeconds=-5", 1),
    ] {
        let marked = client.delete_bare(&format!("{one}{query}")).await.json();
        assert_eq!(period(&marked), seconds, "{query}");
    }
    assert_eq!(client.merge(&one, &json!({"metadata": {"labels": {"a": "b"}}})).await.status, 200);
    assert_eq!(client.delete_bare(&format!("{one}?gracePeriodSeconds=0")).await.json()["kind"], "Pod");
    assert_eq!(client.get(&one).await.status, 404);
    client.post(pods, &json!({"metadata": {"name": "a"}, "spec": {"containers": spec["containers"]}})).await;
    client.delete_bare(&format!("{one}?gracePeriodSeconds=60")).await;
    assert_eq!(client.get(&one).await.status, 404);
}
