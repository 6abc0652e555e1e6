//! Strategy of daemon sets, replica sets and stateful sets.

use serde_json::{Value, json};

use super::selector;
use super::workload::{complete_template, default, validate_pod};
use crate::failure::Cause;
use crate::resource_type::ResourceType;

/// Carries the field `templateGeneration` of removed versions of `DaemonSet`.
const TEMPLATE_GENERATION: &str = "deprecated.daemonset.template.generation";

/// Sets the defaults of a workload.
pub(super) fn complete(ty: &ResourceType, object: &mut Value) {
    let spec = &mut object["spec"];
    match ty.plural.as_str() {
        "daemonsets" => {
            complete_strategy(spec, &json!({"maxUnavailable": 1, "maxSurge": 0}));
            default(spec, "revisionHistoryLimit", json!(10));
            default(&mut object["metadata"]["annotations"], TEMPLATE_GENERATION, json!("1"));
        }
        "statefulsets" => {
            default(spec, "replicas", json!(1));
            default(spec, "podManagementPolicy", json!("OrderedReady"));
            complete_strategy(spec, &json!({"partition": 0}));
            default(spec, "revisionHistoryLimit", json!(10));
            default(
                spec,
                "persistentVolumeClaimRetentionPolicy",
                json!({"whenDeleted": "Retain", "whenScaled": "Retain"}),
            );
        }
        _ => default(spec, "replicas", json!(1)),
    }
    complete_template(object);
}

/// Sets the defaults of `updateStrategy`.
fn complete_strategy(spec: &mut Value, rolling: &Value) {
    default(spec, "updateStrategy", json!({}));
    let strategy = &mut spec["updateStrategy"];
    default(strategy, "type", json!("RollingUpdate"));
    if strategy["type"] == "RollingUpdate" {
        default(strategy, "rollingUpdate", json!({}));
        for (field, value) in rolling.as_object().into_iter().flatten() {
            default(&mut strategy["rollingUpdate"], field, value.clone());
        }
    }
}

/// Counts the changes of the template of a `DaemonSet`; clients cannot set the number.
pub(super) fn count_template(current: &Value, object: &mut Value) {
    let count = current["metadata"]["annotations"][TEMPLATE_GENERATION].as_str().unwrap_or("1");
    let changed = current["spec"]["template"] != object["spec"]["template"];
    let count = count.parse::<u64>().unwrap_or(1) + u64::from(changed);
    object["metadata"]["annotations"][TEMPLATE_GENERATION] = count.to_string().into();
}

/// The validation errors of a workload.
pub(super) fn validate(ty: &ResourceType, object: &Value) -> Vec<Cause> {
    let spec = &object["spec"];
    let mut causes = selector::of_a_template(spec);
    if ty.plural == "daemonsets" {
        // An absent selector is only found not to match.
        causes.retain(|cause| !cause.to_string().ends_with(" spec.selector"));
    }
    causes.extend(validate_pod(&spec["template"]["spec"], "spec.template.spec"));
    causes
}

/// The changes of immutable fields.
pub(super) fn immutable_errors(ty: &ResourceType, current: &Value, object: &Value) -> Vec<Cause> {
    let (old, new) = (&current["spec"], &object["spec"]);
    if ty.plural != "statefulsets" {
        let changed = old["selector"] != new["selector"];
        return changed.then(|| Cause::immutable("spec.selector", &new["selector"])).into_iter().collect();
    }
    let changed = immutable_part(old) != immutable_part(new);
    let detail = format!(
        "updates to statefulset spec for fields other than '{}' and '{LAST_MUTABLE}' are forbidden",
        MUTABLE.join("', '")
    );
    changed.then(|| Cause::forbidden("spec", &detail)).into_iter().collect()
}

/// The fields of a `StatefulSet` that an update may change.
const MUTABLE: [&str; 6] = [
    "replicas",
    "ordinals",
    "template",
    "updateStrategy",
    "revisionHistoryLimit",
    "persistentVolumeClaimRetentionPolicy",
];
const LAST_MUTABLE: &str = "minReadySeconds";

fn immutable_part(spec: &Value) -> Value {
    let mut spec = spec.clone();
    MUTABLE.iter().chain([&LAST_MUTABLE]).for_each(|field| super::remove(&mut spec, field));
    spec
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ty(plural: &str) -> ResourceType {
        ResourceType { plural: plural.to_owned(), ..ResourceType::default() }
    }

    #[test]
    fn a_workload_needs_a_selector_that_stays() {
        let errors = |causes: Vec<Cause>| causes.iter().map(ToString::to_string).collect::<Vec<_>>();
        let object =
            json!({ "spec": { "template": { "spec": { "containers": [{ "name": "a", "image": "a" }] } } } });
        let labels = "FieldValueInvalid spec.template.metadata.labels";
        assert_eq!(errors(validate(&ty("daemonsets"), &object)), [labels]);
        assert_eq!(
            errors(validate(&ty("replicasets"), &object)),
            ["FieldValueRequired spec.selector", labels]
        );

        let [old, new] = ["a", "b"].map(|value| json!({ "spec": { "selector": value, "replicas": value } }));
        let changed = |plural: &str| errors(immutable_errors(&ty(plural), &old, &new));
        assert_eq!(changed("replicasets"), ["FieldValueInvalid spec.selector"]);
        assert_eq!(changed("statefulsets"), ["FieldValueForbidden spec"]);
        assert!(
            immutable_errors(&ty("statefulsets"), &json!({"spec": {"replicas": 1}}), &json!({"spec": {}}))
                .is_empty()
        );
    }

    #[test]
    fn a_changed_template_counts() {
        let mut first = json!({ "metadata": {}, "spec": { "template": {} } });
        complete(&ty("daemonsets"), &mut first);
        let count = |object: &Value| object["metadata"]["annotations"][TEMPLATE_GENERATION].clone();
        assert_eq!(count(&first), "1");
        let mut second = first.clone();
        second["spec"]["template"]["metadata"]["labels"] = json!({ "a": "b" });
        second["metadata"]["annotations"][TEMPLATE_GENERATION] = json!("7");
        count_template(&first, &mut second);
        assert_eq!(count(&second), "2");
    }
}
