use serde_json::{Value, json};

use crate::client::{Client, MAPS};

#[tokio::test]
async fn pages_add_up_to_the_list_and_keep_its_version() {
    let client = Client::start().await;
    client.config_maps(&["a", "b", "c", "d", "e"]).await;
    let whole = client.get(MAPS).await;
    let mut names = Vec::new();
    let mut token = String::new();
    let mut remaining = Vec::new();
    loop {
        let page = client.get(&format!("{MAPS}?limit=2&continue={token}")).await;
        client.merge(&format!("{MAPS}/d"), &json!({"data": {"k": token}})).await;
        names.extend(page.names());
        assert_eq!(page.version(), whole.version());
        let metadata = page.json()["metadata"].clone();
        remaining.push(metadata["remainingItemCount"].clone());
        match metadata["continue"].as_str() {
            Some(next) => token = next.to_owned(),
            None => break,
        }
    }
    assert_eq!(names, whole.names());
    assert_eq!(remaining, [json!(3), json!(1), Value::Null]);
}

#[tokio::test]
async fn a_full_page_has_no_token_and_selectors_no_count() {
    let client = Client::start().await;
    client.config_maps(&["a", "b", "c"]).await;
    let exact = client.get(&format!("{MAPS}?limit=3")).await.json();
    assert_eq!(exact["metadata"].get("continue"), None);
    assert_eq!(exact["metadata"].get("remainingItemCount"), None);
    let selected = client.get(&format!("{MAPS}?limit=1&fieldSelector=metadata.name!%3Da")).await.json();
    assert!(selected["metadata"]["continue"].is_string());
    assert_eq!(selected["metadata"].get("remainingItemCount"), None);
}

#[tokio::test]
async fn a_token_is_bound_to_its_namespace() {
    let client = Client::start().await;
    client.config_maps(&["a", "b"]).await;
    let everywhere = client.get("/api/v1/configmaps?limit=1").await.json();
    let token = everywhere["metadata"]["continue"].as_str().unwrap();
    let elsewhere = client.get(&format!("/api/v1/namespaces/kube-system/configmaps?continue={token}")).await;
    assert_eq!((elsewhere.status, elsewhere.names().len()), (200, 0));
}

#[tokio::test]
async fn lists_have_tables_and_metadata() {
    let client = Client::start().await;
    client.config_maps(&["a", "b"]).await;
    let admin = format!("Bearer {}", client.server.admin_token());
    let list = async |accept: &str| {
        let headers = [("authorization", admin.as_str()), ("accept", accept)];
        let response = client.send(reqwest::Method::GET, &format!("{MAPS}?limit=1"), &headers, "").await;
        (response.status().as_u16(), response.text().await.unwrap())
    };
    let (_, table) = list("application/json;as=Table;v=v1;g=meta.k8s.io,application/json").await;
    let table: Value = serde_json::from_str(&table).unwrap();
    assert_eq!(table["kind"], "Table");
    assert_eq!(table["rows"][0]["cells"][0], "a");
    assert_eq!(table["rows"][0]["object"]["kind"], "PartialObjectMetadata");
    assert!(table["metadata"]["continue"].is_string());
    let (_, partial) = list("application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io").await;
    let partial: Value = serde_json::from_str(&partial).unwrap();
    assert_eq!(partial["items"][0].get("data"), None);
    assert_eq!(list("image/png").await.0, 406);
    assert_eq!(list("application/json;as=Table;v=v9;g=meta.k8s.io").await.0, 406);
}
