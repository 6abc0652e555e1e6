use reqwest::Method;
use serde_json::{Value, json};

use crate::client::{ApiResponse, Client, MAPS, config_map};

const JSON: &str = "application/json";
const UNKNOWN: &str = r#"299 - "unknown field \"bogus\"""#;

fn causes(response: &ApiResponse) -> Vec<String> {
    let causes = response.json()["details"]["causes"].as_array().cloned().unwrap_or_default();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    causes.iter().map(|cause| format!("{} {}", text(&cause["reason"]), text(&cause["field"]))).collect()
}

fn with_more() -> Value {
    let mut object = config_map("a");
    object["bogus"] = 1.into();
    object
}

#[tokio::test]
async fn each_level_of_field_validation_has_its_response() {
    let client = Client::start().await;
    let at = |level: &str| format!("{MAPS}?dryRun=All{level}");
    for level in ["", "&fieldValidation=", "&fieldValidation=Warn"] {
        let response = client.post(&at(level), &with_more()).await;
        assert_eq!((response.status, response.warnings.as_slice()), (201, [UNKNOWN.to_owned()].as_slice()));
        assert_eq!(response.json().get("bogus"), None);
    }
    let ignored = client.post(&at("&fieldValidation=Ignore"), &with_more()).await;
    assert_eq!((ignored.status, ignored.warnings.len()), (201, 0));
    let strict = client.post(&at("&fieldValidation=Strict"), &with_more()).await;
    assert_eq!((strict.status, strict.reason().as_str()), (400, "BadRequest"));
    assert!(strict.text.contains(r#"strict decoding error: unknown field \"bogus\""#), "{strict:?}");
    let odd = client.post(&at("&fieldValidation=strict"), &with_more()).await;
    assert_eq!((odd.status, causes(&odd)), (422, vec!["FieldValueNotSupported fieldValidation".to_owned()]));
    assert_eq!(client.post(&at("&dryRun="), &with_more()).await.status, 422);
}

#[tokio::test]
async fn fields_of_updates_and_patches_are_validated() {
    let client = Client::start().await;
    client.config_maps(&["a"]).await;
    let one = format!("{MAPS}/a");
    let strict = format!("{one}?fieldValidation=Strict");
    let version = client.get(&one).await.version();
    assert_eq!(client.put(&strict, &with_more()).await.status, 400);
    let operations = json!([{"op": "add", "path": "/bogus", "value": 1}]);
    let responses = [
        client.merge(&strict, &json!({"bogus": 1})).await,
        client.patch(&strict, "application/json-patch+json", &operations).await,
        client.patch(&strict, "application/strategic-merge-patch+json", &json!({"bogus": 1})).await,
        client.merge(&one, &json!({"data": {"k": 5}})).await,
    ];
    for response in responses {
        assert_eq!((response.status, causes(&response)), (422, vec!["FieldValueInvalid patch".to_owned()]));
    }
    assert_eq!(client.get(&one).await.version(), version);
    assert_eq!(client.merge(&one, &json!({"bogus": 1})).await.warnings, [UNKNOWN]);
}

#[tokio::test]
async fn duplicate_fields_are_reported() {
    let client = Client::start().await;
    let duplicate = r#"{"metadata": {"name": "a"}, "data": {"k": "1", "k": "2"}}"#;
    let created = client.text(Method::POST, MAPS, JSON, duplicate).await;
    assert_eq!(created.warnings, [r#"299 - "duplicate field \"data.k\"""#]);
    assert_eq!(created.json()["data"]["k"], "2");
    let strict = format!("{MAPS}?fieldValidation=Strict");
    assert_eq!(client.text(Method::POST, &strict, JSON, duplicate).await.status, 400);
    let yaml = "metadata:\n  name: b\nbogus: 1\ndata:\n  k: '1'\n  k: '2'\n---\nmetadata:\n  name: c\n";
    assert_eq!(client.text(Method::POST, &strict, "application/yaml", yaml).await.status, 400);
    let created = client.text(Method::POST, MAPS, "application/yaml", yaml).await;
    assert_eq!((created.status, created.warnings.len()), (201, 2), "{created:?}");
    assert_eq!(client.get(MAPS).await.names(), ["a", "b"]);
}

#[tokio::test]
async fn names_are_generated_and_metadata_is_validated() {
    let client = Client::start().await;
    let made = client.post(MAPS, &json!({"metadata": {"generateName": "gen-"}})).await.json();
    assert!(made["metadata"]["name"].as_str().unwrap().starts_with("gen-"));
    let long = client.post(MAPS, &json!({"metadata": {"generateName": "a".repeat(80)}})).await.json();
    assert_eq!(long["metadata"]["name"].as_str().unwrap().len(), 63);
    let bad = client.post(MAPS, &json!({"metadata": {"generateName": "Bad_"}})).await;
    assert_eq!(causes(&bad), ["FieldValueInvalid metadata.generateName", "FieldValueInvalid metadata.name"]);
    for (metadata, field) in [
        (json!({"labels": {"a b": ""}}), "metadata.labels"),
        (json!({"annotations": {"a b": ""}}), "metadata.annotations"),
        (json!({"finalizers": ["not a name!"]}), "metadata.finalizers"),
        (json!({"finalizers": ["plain"]}), "metadata.finalizers[0]"),
        (json!({"finalizers": ["orphan", "foregroundDeletion"]}), "metadata.finalizers"),
        (
            json!({"ownerReferences": [{"apiVersion": "v1", "kind": "X", "name": "n"}]}),
            "metadata.ownerReferences.uid",
        ),
    ] {
        let mut object = config_map("a");
        object["metadata"].as_object_mut().unwrap().extend(metadata.as_object().cloned().unwrap());
        let response = client.post(MAPS, &object).await;
        assert_eq!(response.status, 422);
        assert_eq!(causes(&response)[0], format!("FieldValueInvalid {field}"), "{object}");
    }
}

#[tokio::test]
async fn immutable_fields_do_not_change() {
    let client = Client::start().await;
    let mut object = config_map("a");
    object["immutable"] = true.into();
    client.post(MAPS, &object).await;
    let one = format!("{MAPS}/a");
    let changed = client.merge(&one, &json!({"data": {"k": "9"}, "immutable": null})).await;
    assert_eq!(causes(&changed), ["FieldValueForbidden immutable", "FieldValueForbidden data"]);
    assert_eq!(client.merge(&one, &json!({"metadata": {"labels": {"a": "b"}}})).await.status, 200);
    let uid = client.merge(&one, &json!({"metadata": {"uid": "x"}})).await;
    assert_eq!((uid.status, causes(&uid)), (422, vec!["FieldValueInvalid metadata.uid".to_owned()]));
    object["metadata"]["uid"] = "x".into();
    assert_eq!(client.put(&one, &object).await.status, 409);
}
