use reqwest::Method;
use serde_json::{Value, json};

use crate::client::{Client, MAPS, config_map};

const HOOKS: &str = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations";
const QUOTAS: &str = "/api/v1/namespaces/default/resourcequotas";
const SERVICES: &str = "/api/v1/namespaces/default/services";

fn dry(path: &str) -> String {
    format!("{path}?dryRun=All")
}

fn rules(plural: &str) -> Value {
    json!([{"apiGroups": [""], "apiVersions": ["v1"], "operations": ["CREATE"], "resources": [plural]}])
}

#[tokio::test]
async fn a_counted_quota_limits_creates() {
    let client = Client::start().await;
    let hard = json!({"count/configmaps": "1"});
    client.post(QUOTAS, &json!({"metadata": {"name": "q"}, "spec": {"hard": hard}})).await;
    client.config_maps(&["uncounted"]).await;
    let status = json!({"status": {"hard": hard, "used": {"count/configmaps": "0"}}});
    assert_eq!(client.merge(&format!("{QUOTAS}/q/status"), &status).await.status, 200);

    assert_eq!(client.post(&dry(MAPS), &config_map("a")).await.status, 201);
    assert_eq!(client.post(MAPS, &config_map("a")).await.status, 201);
    for path in [MAPS.to_owned(), dry(MAPS)] {
        let refused = client.post(&path, &config_map("b")).await;
        assert_eq!((refused.status, refused.reason()), (403, "Forbidden".to_owned()));
    }
    let quota = client.get(&format!("{QUOTAS}/q")).await.json();
    assert_eq!(quota["status"]["used"]["count/configmaps"], "1");
}

#[tokio::test]
async fn a_matching_webhook_is_unreachable() {
    let client = Client::start().await;
    let hook = |effects: &str| {
        json!({"metadata": {"name": "h"}, "webhooks": [{
            "name": "h.example.com", "sideEffects": effects, "rules": rules("configmaps"),
            "admissionReviewVersions": ["v1"], "clientConfig": {"url": "https://h.example.com"},
            "matchConditions": [{"name": "dry", "expression": "request.dryRun"}],
            "objectSelector": {"matchLabels": {"checked": "yes"}},
        }]})
    };
    let refused = client.post(HOOKS, &hook("Some")).await;
    assert_eq!((refused.status, refused.reason()), (422, "Invalid".to_owned()));
    assert_eq!(client.post(HOOKS, &hook("None")).await.status, 201);

    let mut checked = config_map("a");
    checked["metadata"]["labels"]["checked"] = "yes".into();
    assert_eq!(client.post(&dry(MAPS), &config_map("a")).await.status, 201);
    assert_eq!(client.post(&dry(MAPS), &checked).await.status, 500);
    assert_eq!(client.post(MAPS, &checked).await.status, 201);
}

#[tokio::test]
async fn a_policy_sees_added_fields() {
    let client = Client::start().await;
    let root = "/apis/admissionregistration.k8s.io/v1";
    let claims = "/api/v1/namespaces/default/persistentvolumeclaims";
    let claim = json!({"metadata": {"name": "c"}, "spec": {}});
    assert_eq!(client.post(&dry(claims), &claim).await.status, 201);
    let policy = json!({"metadata": {"name": "p"}, "spec": {
        "matchConstraints": {"resourceRules": rules("persistentvolumeclaims")},
        "validations": [{"expression": "!has(object.metadata.finalizers)", "message": "held"}],
    }});
    client.post(&format!("{root}/validatingadmissionpolicies"), &policy).await;
    let binding =
        json!({"metadata": {"name": "b"}, "spec": {"policyName": "p", "validationActions": ["Deny"]}});
    client.post(&format!("{root}/validatingadmissionpolicybindings"), &binding).await;
    assert_eq!(client.post(&dry(claims), &claim).await.status, 422);
}

#[tokio::test]
async fn an_allocated_address_is_not_reused() {
    let client = Client::start().await;
    let service = |name: &str, address: &Value| json!({"metadata": {"name": name}, "spec": {"clusterIP": address, "ports": [{"port": 80}]}});
    let created = client.post(SERVICES, &service("a", &Value::Null)).await;
    assert_eq!(created.status, 201);
    let address = created.json()["spec"]["clusterIP"].clone();
    assert_eq!(created.json()["spec"]["ports"][0]["protocol"], "TCP");
    assert_eq!(client.post(&dry(SERVICES), &service("b", &address)).await.status, 201);
    assert_eq!(client.post(SERVICES, &service("b", &address)).await.status, 422);
}

#[tokio::test]
async fn a_role_binding_grants_the_rights_of_its_role() {
    let client = Client::start().await;
    client.config_maps(&["a"]).await;
    let token = format!("Bearer {}", client.server.admin_token());
    let patch_status = || async {
        let headers = [
            ("authorization", token.as_str()),
            ("impersonate-user", "jane"),
            ("content-type", "application/merge-patch+json"),
        ];
        client.send(Method::PATCH, &format!("{MAPS}/a"), &headers, "{}").await.status().as_u16()
    };
    assert_eq!(patch_status().await, 403);

    let root = "/apis/rbac.authorization.k8s.io/v1/namespaces/default";
    let rules = json!([{"apiGroups": [""], "resources": ["configmaps"], "verbs": ["patch"]}]);
    client.post(&format!("{root}/roles"), &json!({"metadata": {"name": "r"}, "rules": rules})).await;
    let binding = json!({"metadata": {"name": "b"}, "roleRef": {"kind": "Role", "name": "r"},
        "subjects": [{"kind": "User", "name": "jane"}]});
    client.post(&format!("{root}/rolebindings"), &binding).await;
    assert_eq!(patch_status().await, 200);
}
