use reqwest::Method;
use serde_json::{Value, json};

use crate::client::{Client, MAPS};
use crate::definitions::{GIZMOS, serving_spec};

#[tokio::test]
async fn a_malformed_patch_of_a_missing_object_is_not_found() {
    let client = Client::start().await;
    client.config_maps(&["a"]).await;
    for media in ["json-patch", "merge-patch", "strategic-merge-patch"] {
        let media = format!("application/{media}+json");
        for (name, status) in [("a", 400), ("missing", 404)] {
            let response = client.text(Method::PATCH, &format!("{MAPS}/{name}"), &media, "{").await;
            assert_eq!(response.status, status, "{media} {name}");
        }
    }
    let scale = "/apis/apps/v1/namespaces/default/deployments/missing/scale";
    assert_eq!(client.patch(scale, "application/json-patch+json", &json!({})).await.status, 404);
}

#[tokio::test]
async fn malformed_escapes_are_refused_in_paths_and_ignored_in_queries() {
    let client = Client::start().await;
    client.config_maps(&["a"]).await;
    let response = client.get(&format!("{MAPS}/%zz")).await;
    assert_eq!((response.status, response.text.as_str()), (400, "400 Bad Request"));
    for query in ["labelSelector=%zz", "fieldSelector=metadata.name%3Db;limit=1"] {
        let response = client.get(&format!("{MAPS}?{query}")).await;
        assert_eq!((response.status, response.names()), (200, vec!["a".to_owned()]), "{query}");
    }
    let slash = client.get("/api/v1/namespaces/default%2Fconfigmaps").await;
    assert_eq!(slash.names(), ["a"]);
}

#[tokio::test]
async fn a_null_body_is_an_empty_object() {
    let client = Client::start().await;
    client.config_maps(&["a"]).await;
    for media in ["application/json", "application/yaml"] {
        let created = client.text(Method::POST, MAPS, media, "null").await;
        assert_eq!((created.status, created.reason()), (422, "Invalid".to_owned()), "{media}");
        assert_eq!(client.text(Method::POST, MAPS, media, "[]").await.status, 400, "{media}");
    }
    assert_eq!(client.delete(&format!("{MAPS}/a"), &Value::Null).await.status, 200);
}

#[tokio::test]
async fn only_custom_types_support_head() {
    let client = serving_spec(&json!({"type": "object"})).await;
    client.config_maps(&["a"]).await;
    let paths = [
        (MAPS.to_owned(), 405),
        (format!("{MAPS}/a"), 405),
        (GIZMOS.to_owned(), 200),
        (format!("{GIZMOS}/missing"), 404),
    ];
    for (path, status) in paths {
        assert_eq!(client.text(Method::HEAD, &path, "application/json", "").await.status, status, "{path}");
    }
}
