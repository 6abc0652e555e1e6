use serde_json::json;

use crate::client::{Client, MAPS, config_map};

#[tokio::test]
async fn a_watch_without_version_sends_the_state_and_then_changes() {
    let client = Client::start().await;
    client.config_maps(&["b", "a"]).await;
    let mut events = client.watch(&format!("{MAPS}?watch=1")).await;
    assert_eq!(events.take(2).await, ["ADDED a", "ADDED b"]);
    client.merge(&format!("{MAPS}/a"), &json!({"data": {"k": "2"}})).await;
    client.delete(&format!("{MAPS}/b"), &json!({})).await;
    assert_eq!(events.take(2).await, ["MODIFIED a", "DELETED b"]);
    assert!(events.are_silent().await);
}

#[tokio::test]
async fn a_watch_at_a_version_sends_later_changes() {
    let client = Client::start().await;
    client.config_maps(&["a"]).await;
    let v = client.get(MAPS).await.version();
    client.config_maps(&["b"]).await;
    client.post("/api/v1/namespaces/kube-system/configmaps", &config_map("elsewhere")).await;
    let mut events = client.watch(&format!("{MAPS}?watch=1&resourceVersion={v}")).await;
    assert_eq!(events.take(1).await, ["ADDED b"]);
    let deleted = client.delete(&format!("{MAPS}/a"), &json!({})).await;
    assert_eq!(deleted.status, 200);
    let event = events.next().await.unwrap();
    let version = event["object"]["metadata"]["resourceVersion"].as_str().unwrap().to_owned();
    assert!(version.parse::<u64>().unwrap() > v.parse().unwrap());
}

#[tokio::test]
async fn unwatchable_types_return_405() {
    let client = Client::start().await;
    assert_eq!(client.get("/api/v1/componentstatuses").await.status, 200);
    let refused = client.get("/api/v1/componentstatuses?watch=1").await;
    assert_eq!(refused.status, 405);
    assert_eq!(refused.json()["details"], json!({"kind": "componentstatuses"}));
    let message = "watch is not supported on resources of kind \"componentstatuses\"";
    assert_eq!(refused.json()["message"], message);
}

#[tokio::test]
async fn the_write_that_removes_an_object_has_its_last_version_and_no_event() {
    let client = Client::start().await;
    client.config_maps(&["a"]).await;
    let one = format!("{MAPS}/a");
    let held = client.merge(&one, &json!({"metadata": {"finalizers": ["example.com/x"]}})).await.version();
    let mut events = client.watch(&format!("{MAPS}?watch=1&resourceVersion={held}")).await;
    client.delete(&one, &json!({})).await;
    let marked = client.get(&one).await.version();
    let ended = client.merge(&one, &json!({"metadata": {"finalizers": null}})).await;
    assert_eq!(ended.version(), marked);
    assert_eq!(events.take(2).await, ["MODIFIED a", "DELETED a"]);
}

#[tokio::test]
async fn objects_start_and_stop_matching_a_selector() {
    let client = Client::start().await;
    client.config_maps(&["a"]).await;
    let v = client.get(MAPS).await.version();
    let mut events = client.watch(&format!("{MAPS}?watch=1&resourceVersion={v}&labelSelector=x")).await;
    client.merge(&format!("{MAPS}/a"), &json!({"metadata": {"labels": {"x": "1"}}})).await;
    let left = client.merge(&format!("{MAPS}/a"), &json!({"metadata": {"labels": {"x": null}}})).await;
    assert_eq!(events.take(1).await, ["ADDED a"]);
    let event = events.next().await.unwrap();
    assert_eq!(event["type"], "DELETED");
    assert_eq!(event["object"]["metadata"]["labels"]["x"], "1");
    assert_eq!(event["object"]["metadata"]["resourceVersion"], left.version());
}

#[tokio::test]
async fn a_streaming_list_ends_with_its_bookmark() {
    let client = Client::start().await;
    client.config_maps(&["a"]).await;
    let query = "watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true";
    let mut events = client.watch(&format!("{MAPS}?{query}&timeoutSeconds=1")).await;
    assert_eq!(events.take(1).await, ["ADDED a"]);
    let bookmark = events.next().await.unwrap();
    assert_eq!(bookmark["type"], "BOOKMARK");
    assert_eq!(bookmark["object"]["kind"], "ConfigMap");
    assert_eq!(bookmark["object"]["metadata"]["annotations"]["k8s.io/initial-events-end"], "true");
    assert_eq!(events.next().await, None, "ends at timeoutSeconds");
}

#[tokio::test]
async fn a_timeout_that_is_negative_or_overflows_ends_a_watch_at_once() {
    let client = Client::start().await;
    client.config_maps(&["a"]).await;
    for seconds in [-1, i64::MIN / 2_000_000_000, 9_223_372_037] {
        let mut events = client.watch(&format!("{MAPS}?watch=1&timeoutSeconds={seconds}")).await;
        assert_eq!(events.next().await, None, "{seconds}");
    }
}

#[tokio::test]
async fn bookmarks_precede_the_end_and_reflect_writes_elsewhere() {
    let client = Client::start().await;
    let v = client.get(MAPS).await.version();
    let query = format!("watch=1&allowWatchBookmarks=true&timeoutSeconds=3&resourceVersion={v}");
    let mut events = client.watch(&format!("{MAPS}?{query}")).await;
    let other =
        client.post("/api/v1/namespaces/kube-system/secrets", &json!({"metadata": {"name": "s"}})).await;
    let bookmark = events.next().await.unwrap();
    assert_eq!(bookmark["object"]["metadata"]["resourceVersion"], other.version());
    assert_eq!(events.next().await, None);
}

#[tokio::test]
async fn invalid_watches_are_rejected() {
    let client = Client::start().await;
    for (query, status) in [
        ("resourceVersionMatch=NotOlderThan&resourceVersion=5", 422),
        ("sendInitialEvents=true", 422),
        ("continue=x", 422),
        ("resourceVersion=abc", 500),
        ("timeoutSeconds=abc", 400),
    ] {
        assert_eq!(client.get(&format!("{MAPS}?watch=1&{query}")).await.status, status, "{query}");
    }
    client.config_maps(&["a"]).await;
    assert_eq!(client.get(&format!("{MAPS}/a?watch=1")).await.json()["kind"], "ConfigMap");
}

#[tokio::test]
async fn stopping_the_server_ends_its_watches() {
    let client = Client::start().await;
    let mut events = client.watch(&format!("{MAPS}?watch=1")).await;
    client.server.stop().await;
    assert_eq!(events.next().await, None);
}
