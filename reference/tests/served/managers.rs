//! managedFields: the owners of fields after each write.

use reqwest::Method;
use serde_json::{Value, json};

use crate::client::{ApiResponse, Client, MAPS};

const ONE: &str = "/api/v1/namespaces/default/configmaps/c";

fn map(data: &Value) -> Value {
    json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "c"}, "data": data})
}

/// The fields of each manager, as `name/operation`.
fn managed(response: &ApiResponse) -> Vec<(String, Value)> {
    let entries = response.json()["metadata"]["managedFields"].as_array().cloned().unwrap_or_default();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let name = |entry: &Value| format!("{}/{}", text(&entry["manager"]), text(&entry["operation"]));
    entries.iter().map(|entry| (name(entry), entry["fieldsV1"]["f:data"].clone())).collect()
}

fn names(response: &ApiResponse) -> Vec<String> {
    managed(response).into_iter().map(|(name, _)| name).collect()
}

async fn created() -> Client {
    let client = Client::start().await;
    client.post(&format!("{MAPS}?fieldManager=p"), &map(&json!({"a": "1", "b": "1"}))).await;
    client
}

#[tokio::test]
async fn every_kind_of_write_has_an_entry() {
    let client = created().await;
    let mut object = client.get(ONE).await.json();
    let entry = &object["metadata"]["managedFields"][0];
    assert_eq!((&entry["apiVersion"], &entry["fieldsType"]), (&json!("v1"), &json!("FieldsV1")));
    assert_eq!(entry["fieldsV1"], json!({"f:data": {".": {}, "f:a": {}, "f:b": {}}}));
    object["data"]["a"] = "2".into();
    client.put(&format!("{ONE}?fieldManager=u"), &object).await;
    client.merge(&format!("{ONE}?fieldManager=m"), &json!({"data": {"c": "1"}})).await;
    let operations = json!([{"op": "add", "path": "/data/d", "value": "1"}]);
    client.patch(&format!("{ONE}?fieldManager=j"), "application/json-patch+json", &operations).await;
    let strategic = json!({"data": {"e": "1"}});
    client
        .patch(&format!("{ONE}?fieldManager=s"), "application/strategic-merge-patch+json", &strategic)
        .await;
    let agent = [("user-agent", "acme-tool/1.2 x"), ("content-type", "application/merge-patch+json")];
    let token = format!("Bearer {}", client.server.admin_token());
    let headers = [agent[0], agent[1], ("authorization", token.as_str())];
    client.send(Method::PATCH, ONE, &headers, r#"{"data": {"f": "1"}}"#).await;
    let mut found = managed(&client.get(ONE).await);
    found.sort_by(|one, other| one.0.cmp(&other.0));
    let owns = |name: &str, key: &str| (format!("{name}/Update"), json!({format!("f:{key}"): {}}));
    let rest = ("p/Update".to_owned(), json!({".": {}, "f:b": {}}));
    let expected =
        [owns("acme-tool", "f"), owns("j", "d"), owns("m", "c"), rest, owns("s", "e"), owns("u", "a")];
    assert_eq!(found, expected);
}

#[tokio::test]
async fn writes_without_a_change_have_no_entry() {
    let client = created().await;
    let before = client.get(ONE).await;
    let before = before.json();
    assert_eq!(client.put(&format!("{ONE}?fieldManager=u"), &before).await.json(), before);
    client.merge(&format!("{ONE}?fieldManager=v"), &json!({"data": {"a": "1"}})).await;
    assert_eq!(client.get(ONE).await.json(), before);
    let removed = client.merge(&format!("{ONE}?fieldManager=v"), &json!({"data": {"a": null}})).await;
    assert_eq!(managed(&removed), [("p/Update".to_owned(), json!({".": {}, "f:b": {}}))]);
}

#[tokio::test]
async fn managers_can_be_reset() {
    for nothing in [json!([]), json!([{}])] {
        let client = created().await;
        let forgotten = client.merge(ONE, &json!({"metadata": {"managedFields": nothing}})).await;
        assert_eq!((forgotten.status, names(&forgotten).len()), (200, 0), "{nothing}");
        let untracked = client.merge(&format!("{ONE}?fieldManager=u"), &json!({"data": {"a": "3"}})).await;
        assert_eq!(names(&untracked).len(), 0);
        let apply = |value: &str| map(&json!({"a": value}));
        let media = "application/apply-patch+yaml";
        let path = format!("{ONE}?fieldManager=m1");
        let refused = client.patch(&path, media, &apply("2")).await;
        let why = "conflict with \"before-first-apply\" using v1";
        assert_eq!((refused.status, &refused.json()["details"]["causes"][0]["message"]), (409, &json!(why)));
        let applied = client.patch(&path, media, &apply("3")).await;
        assert_eq!(names(&applied), ["m1/Apply", "before-first-apply/Update"]);
    }
}

#[tokio::test]
async fn malformed_entries_are_ignored() {
    let client = created().await;
    let mut object = client.get(ONE).await.json();
    object["metadata"].as_object_mut().unwrap().remove("managedFields");
    let kept = client.put(&format!("{ONE}?fieldManager=u"), &object).await;
    assert_eq!(names(&kept), ["p/Update"]);
    let entry = |manager: &str, operation: &str| {
        json!([{
            "manager": manager, "operation": operation, "apiVersion": "v1", "fieldsType": "FieldsV1",
            "fieldsV1": {"f:data": {"f:a": {}}},
        }])
    };
    object["metadata"].as_object_mut().unwrap().remove("resourceVersion");
    object["metadata"]["managedFields"] = entry("x", "Bogus");
    assert_eq!(names(&client.put(ONE, &object).await), ["p/Update"]);
    object["metadata"]["managedFields"] = entry(&"a".repeat(129), "Apply");
    assert_eq!(client.put(ONE, &object).await.status, 422);
    object["metadata"]["managedFields"] = entry("z", "Apply");
    assert_eq!(names(&client.put(ONE, &object).await), ["z/Apply"]);
}

#[tokio::test]
async fn the_oldest_updates_are_merged() {
    let client = created().await;
    for number in 10..30 {
        let change = json!({"data": {format!("k{number}"): "1"}});
        client.merge(&format!("{ONE}?fieldManager=u{number}"), &change).await;
    }
    let managed = managed(&client.get(ONE).await);
    assert_eq!(managed.len(), 10);
    assert!(managed.iter().any(|(name, _)| name == "ancient-changes/Update"));
    let owned: usize = managed.iter().map(|(_, fields)| fields.as_object().unwrap().len()).sum();
    assert_eq!(owned, 23, "a, b, 20 keys, and the map itself");
}

#[tokio::test]
async fn unprintable_names_are_rejected() {
    let client = created().await;
    for name in ["a%0Ab", "a%E2%80%8Bb"] {
        let refused = client.merge(&format!("{ONE}?fieldManager={name}"), &json!({})).await;
        assert_eq!(
            (refused.status, &refused.json()["details"]["causes"][0]["field"]),
            (422, &json!("fieldManager"))
        );
    }
}
