use serde_json::{Value, json};

use crate::client::{Client, MAPS, config_map};
use crate::definitions::{DEFINITIONS, GIZMOS, definition_of, serving_spec};

fn gizmo(name: &str, spec: &Value) -> Value {
    json!({"apiVersion": "ex.example.com/v1", "kind": "Gizmo", "metadata": {"name": name}, "spec": spec})
}

fn with_rules(rules: &Value) -> Value {
    json!({
        "type": "object",
        "properties": {
            "a": {"type": "integer"},
            "x-b": {"type": "string", "maxLength": 8, "x-kubernetes-validations": [{"rule": "self != 'bad'"}]},
        },
        "x-kubernetes-validations": rules,
    })
}

fn causes(status: &Value) -> Vec<(String, String)> {
    let causes = status["details"]["causes"].as_array().into_iter().flatten();
    let text = |cause: &Value, field: &str| cause[field].as_str().unwrap_or_default().to_owned();
    causes.map(|cause| (text(cause, "field"), text(cause, "message"))).collect()
}

#[tokio::test]
async fn violations_name_the_field_of_the_rule() {
    let client = serving_spec(&with_rules(&json!([
        {"rule": "!has(self.a) || self.a > 0", "fieldPath": ".a", "reason": "FieldValueForbidden",
            "messageExpression": "'a is ' + (has(self.x__dash__b) ? self.x__dash__b : 'low')"},
        {"rule": "!has(self.a) || !has(oldSelf.a) || self.a >= oldSelf.a", "message": "a grows"},
    ])))
    .await;
    assert_eq!(client.post(GIZMOS, &gizmo("a", &json!({"a": 3}))).await.status, 201);
    let refused = client.post(GIZMOS, &gizmo("b", &json!({"a": 0}))).await;
    assert_eq!((refused.status, refused.reason()), (422, "Invalid".to_owned()));
    assert_eq!(causes(&refused.json()), [("spec.a".to_owned(), "Forbidden: a is low".to_owned())]);
    let refused = client.post(GIZMOS, &gizmo("b", &json!({"x-b": "bad"}))).await;
    let message = "Invalid value: \"bad\": failed rule: self != 'bad'";
    assert_eq!(causes(&refused.json()), [("spec.x-b".to_owned(), message.to_owned())]);
    let path = format!("{GIZMOS}/a");
    let refused = client.merge(&path, &json!({"spec": {"a": 2}})).await;
    assert_eq!(causes(&refused.json()), [("spec".to_owned(), "Invalid value: a grows".to_owned())]);
    assert_eq!(client.merge(&path, &json!({"spec": {"a": 4}})).await.status, 200);
}

#[tokio::test]
async fn definitions_with_invalid_rules_are_refused() {
    let client = Client::start().await;
    let list = json!({"type": "array", "items": {"type": "integer"}});
    let expensive = "self.l.all(x, self.l.all(y, x + y >= 0))";
    for (rule, field, message) in [
        ("self.c > 0", "[spec].x-kubernetes-validations[0].rule", "undefined field 'c'"),
        ("self.a", "[spec].x-kubernetes-validations[0].rule", "cel expression must evaluate to a bool"),
        (" ", "[spec].x-kubernetes-validations[0].rule", "Required value: rule is not specified"),
        (expensive, "[spec].x-kubernetes-validations[0].rule", "estimated rule cost exceeds budget"),
    ] {
        let mut spec = with_rules(&json!([{"rule": rule}]));
        spec["properties"]["l"] = list.clone();
        let refused = client.post(DEFINITIONS, &definition_of(&spec)).await;
        assert_eq!(refused.status, 422, "{rule}");
        let (found, text) = causes(&refused.json()).swap_remove(0);
        assert!(found.ends_with(field) && text.contains(message), "{rule}: {found}: {text}");
    }
}

#[tokio::test]
async fn policies_see_the_user_and_the_namespace() {
    let client = Client::start().await;
    let root = "/apis/admissionregistration.k8s.io/v1";
    let policy = |expression: &str| {
        json!({"metadata": {"name": "p"}, "spec": {
            "matchConstraints": {"resourceRules": [
                {"apiGroups": [""], "apiVersions": ["v1"], "operations": ["CREATE"], "resources": ["configmaps"]},
            ]},
            "variables": [{"name": "space", "expression": "namespaceObject.metadata.name"}],
            "validations": [{"expression": expression}],
        }})
    };
    let policies = format!("{root}/validatingadmissionpolicies");
    for invalid in ["request.nosuch == 'x'", "self.a == 1", "variables.nosuch == 1", "request.name"] {
        let refused = client.post(&policies, &policy(invalid)).await;
        assert_eq!(refused.status, 422, "{invalid}");
        assert_eq!(causes(&refused.json())[0].0, "spec.validations[0].expression", "{invalid}");
    }
    let allowed = "authorizer.group('').resource('configmaps').check('create').allowed()";
    let valid = format!("variables.space == request.namespace && {allowed} && object.data.a != 'no'");
    assert_eq!(client.post(&policies, &policy(&valid)).await.status, 201);
    let binding =
        json!({"metadata": {"name": "b"}, "spec": {"policyName": "p", "validationActions": ["Deny"]}});
    client.post(&format!("{root}/validatingadmissionpolicybindings"), &binding).await;
    let mut map = config_map("m");
    map["data"] = json!({"a": "no"});
    let denied = client.post(MAPS, &map).await;
    let expected = "ValidatingAdmissionPolicy 'p' with binding 'b' denied request: failed expression: ";
    assert!(causes(&denied.json())[0].1.starts_with(expected), "{}", denied.json());
    map["data"] = json!({"b": "x"});
    let failed = client.post(MAPS, &map).await;
    assert!(causes(&failed.json())[0].1.ends_with("no such key: a"), "{}", failed.json());
    map["data"] = json!({"a": "yes"});
    assert_eq!(client.post(MAPS, &map).await.status, 201);
}
