//! Required fields and embedded structs of built-in kinds, present without an owner.

use serde_json::{Value, json};

/// An object with the required fields of its kind.
pub(super) fn with_required_fields(kind: &str, object: &Value) -> Value {
    let mut with_required = object.clone();
    fill(&mut with_required, &skeleton(kind));
    with_required
}

fn fill(object: &mut Value, skeleton: &Value) {
    let (Some(fields), Some(required)) = (object.as_object_mut(), skeleton.as_object()) else { return };
    for (name, part) in required {
        match fields.get_mut(name) {
            Some(field) => fill(field, part),
            None => {
                fields.insert(name.clone(), part.clone());
            }
        }
    }
}

fn skeleton(kind: &str) -> Value {
    let mut skeleton = match kind {
        "ConfigMap" | "Secret" | "ServiceAccount" | "ValidatingWebhookConfiguration" => json!({}),
        "Role" | "ClusterRole" => json!({"rules": null}),
        "RoleBinding" => json!({"roleRef": {"apiGroup": "", "kind": "", "name": ""}}),
        "Event" => json!({
            "involvedObject": {}, "source": {}, "firstTimestamp": null, "lastTimestamp": null, "eventTime": null,
            "reportingComponent": "", "reportingInstance": "",
        }),
        "Deployment" => json!({
            "spec": {"selector": null, "strategy": {}, "template": {"metadata": {}, "spec": {"containers": null}}},
            "status": {},
        }),
        "Pod" => json!({"spec": {"containers": null}, "status": {}}),
        "Service" => json!({"spec": {}, "status": {"loadBalancer": {}}}),
        "PersistentVolumeClaim" => json!({"spec": {"resources": {}}, "status": {}}),
        "CustomResourceDefinition" => json!({
            "spec": {"group": "", "names": {"plural": "", "kind": ""}, "scope": "", "versions": null},
            "status": {"conditions": null, "acceptedNames": {"plural": "", "kind": ""}, "storedVersions": null},
        }),
        "Scale" => json!({"spec": {}, "status": {"replicas": 0}}),
        "Lease" | "ValidatingAdmissionPolicyBinding" => json!({"spec": {}}),
        _ => json!({"spec": {}, "status": {}}),
    };
    skeleton["metadata"] = json!({});
    skeleton
}
