//! Required fields and embedded structs of built-in kinds, present without an owner.

use serde_json::{Map, Value, json};

use crate::kind::{self, Kind};
use crate::resource_type::ResourceType;

/// An object with the required fields of its kind.
pub(super) fn with_required_fields(ty: &ResourceType, object: &Value) -> Value {
    let mut with_required = object.clone();
    fill(&mut with_required, &skeleton(ty));
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

fn skeleton(ty: &ResourceType) -> Value {
    let mut skeleton = match ty.kind.as_str() {
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
        _ => spec_and_status(kind::of_type(ty)),
    };
    skeleton["metadata"] = json!({});
    skeleton
}

/// Spec and status, if the kind has them.
fn spec_and_status(known: Option<&Kind>) -> Value {
    let has = |name: &&str| known.is_none_or(|kind| kind.field(name).is_some());
    let parts = ["spec", "status"].into_iter().filter(has);
    Value::Object(parts.map(|name| (name.to_owned(), Map::new().into())).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::built_in_types;

    #[test]
    fn a_kind_requires_only_fields_that_it_has() {
        // Component statuses have no known fields: nobody writes them.
        for ty in built_in_types::stored().filter(|ty| ty.kind != "ComponentStatus") {
            let kind = kind::of_type(&ty).unwrap();
            let required = skeleton(&ty);
            let unknown: Vec<&String> =
                required.as_object().unwrap().keys().filter(|name| kind.field(name).is_none()).collect();
            assert!(unknown.is_empty(), "{}: {unknown:?}", ty.kind);
        }
    }
}
