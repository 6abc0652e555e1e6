//! Strategy of Pods and Deployments.

use std::collections::HashSet;

use serde_json::{Value, json};

use super::selector;
use crate::failure::Cause;

/// Sets the defaults of a deployment.
pub(super) fn complete_deployment(object: &mut Value) {
    let spec = &mut object["spec"];
    default(spec, "replicas", json!(1));
    default(spec, "revisionHistoryLimit", json!(10));
    default(spec, "progressDeadlineSeconds", json!(600));
    default(spec, "strategy", json!({}));
    let strategy = &mut spec["strategy"];
    default(strategy, "type", json!("RollingUpdate"));
    if strategy["type"] == "RollingUpdate" {
        default(strategy, "rollingUpdate", json!({}));
        default(&mut strategy["rollingUpdate"], "maxUnavailable", json!("25%"));
        default(&mut strategy["rollingUpdate"], "maxSurge", json!("25%"));
    }
    complete_template(object);
}

/// Sets the defaults of the template of pods.
pub(super) fn complete_template(object: &mut Value) {
    let spec = &mut object["spec"];
    default(spec, "template", json!({}));
    default(&mut spec["template"], "metadata", json!({}));
    complete_pod(&mut spec["template"]["spec"]);
}

/// Sets the defaults of a pod spec.
pub(super) fn complete_pod(spec: &mut Value) {
    for container in ["containers", "initContainers"] {
        let containers = spec.get_mut(container).and_then(Value::as_array_mut);
        containers.into_iter().flatten().for_each(complete_container);
    }
    for (field, other) in [("serviceAccountName", "serviceAccount"), ("serviceAccount", "serviceAccountName")]
    {
        let account = spec[other].as_str().filter(|account| !account.is_empty()).map(str::to_owned);
        if let Some(account) = account {
            default(spec, field, json!(account));
        }
    }
    default(spec, "restartPolicy", json!("Always"));
    default(spec, "terminationGracePeriodSeconds", json!(30));
    default(spec, "dnsPolicy", json!("ClusterFirst"));
    default(spec, "securityContext", json!({}));
    default(spec, "schedulerName", json!("default-scheduler"));
}

/// Sets the defaults of a pod's own spec, beyond those in templates.
pub(super) fn complete_standalone_pod(spec: &mut Value) {
    complete_pod(spec);
    default(spec, "enableServiceLinks", json!(true));
    for container in ["containers", "initContainers"] {
        let containers = spec.get_mut(container).and_then(Value::as_array_mut);
        containers.into_iter().flatten().for_each(complete_requests);
    }
}

/// Limits are the defaults of requests.
fn complete_requests(container: &mut Value) {
    let resources = &mut container["resources"];
    for (name, most) in resources["limits"].as_object().cloned().into_iter().flatten() {
        default(&mut resources["requests"], &name, most);
    }
}

fn complete_container(container: &mut Value) {
    let image = container["image"].as_str().unwrap_or_default();
    let name = image.rsplit_once('/').map_or(image, |(_, name)| name);
    let is_latest = !name.contains([':', '@']) || name.ends_with(":latest");
    let policy = if is_latest { "Always" } else { "IfNotPresent" };
    default(container, "resources", json!({}));
    default(container, "terminationMessagePath", json!("/dev/termination-log"));
    default(container, "terminationMessagePolicy", json!("File"));
    default(container, "imagePullPolicy", json!(policy));
    let ports = container.get_mut("ports").and_then(Value::as_array_mut);
    ports.into_iter().flatten().for_each(|port| default(port, "protocol", json!("TCP")));
}

pub(super) fn default(object: &mut Value, field: &str, value: Value) {
    if object[field].is_null() {
        object[field] = value;
    }
}

/// The validation errors of a deployment.
pub(super) fn validate_deployment(object: &Value) -> Vec<Cause> {
    let (spec, status) = (&object["spec"], &object["status"]);
    let mut causes = Vec::new();
    for field in ["replicas", "minReadySeconds", "revisionHistoryLimit", "progressDeadlineSeconds"] {
        causes.extend(negative_error(&format!("spec.{field}"), &spec[field]));
    }
    causes.extend(selector::of_a_template(spec));
    let strategy = &spec["strategy"];
    if !["Recreate", "RollingUpdate"].iter().any(|known| strategy["type"] == *known) && strategy.is_object() {
        let supported = ["Recreate", "RollingUpdate"];
        causes.push(Cause::not_supported("spec.strategy", &strategy.to_string(), &supported));
    }
    causes.extend(validate_pod(&spec["template"]["spec"], "spec.template.spec"));
    let replicas = status["replicas"].as_i64().unwrap_or(0);
    for field in ["replicas", "updatedReplicas", "readyReplicas", "availableReplicas", "unavailableReplicas"]
    {
        causes.extend(negative_error(&format!("status.{field}"), &status[field]));
    }
    for field in ["updatedReplicas", "readyReplicas", "availableReplicas"] {
        if status[field].as_i64().is_some_and(|number| number > replicas) {
            let detail = "cannot be greater than status.replicas";
            causes.push(Cause::invalid(format!("status.{field}"), &status[field], detail));
        }
    }
    causes
}

/// The validation errors of a pod spec.
pub(super) fn validate_pod(spec: &Value, path: &str) -> Vec<Cause> {
    let containers = spec["containers"].as_array().map(Vec::as_slice).unwrap_or_default();
    if containers.is_empty() {
        return vec![Cause::required(format!("{path}.containers"), "")];
    }
    let volumes = spec["volumes"].as_array().into_iter().flatten().enumerate();
    let mut causes: Vec<Cause> = volumes
        .flat_map(|(index, volume)| volume_errors(volume, &format!("{path}.volumes[{index}]")))
        .collect();
    let mut names = HashSet::new();
    for (index, container) in containers.iter().enumerate() {
        for field in ["name", "image"] {
            if container[field].as_str().unwrap_or_default().is_empty() {
                causes.push(Cause::required(format!("{path}.containers[{index}].{field}"), ""));
            }
        }
        causes.extend(pull_policy_error(container, &format!("{path}.containers[{index}]")));
        let variables = container["env"].as_array().into_iter().flatten().enumerate();
        for (number, variable) in variables {
            causes.extend(variable_error(variable, &format!("{path}.containers[{index}].env[{number}]")));
        }
        let name = &container["name"];
        if name.as_str().is_some_and(|name| !names.insert(name)) {
            causes.push(Cause::duplicate(&format!("{path}.containers[{index}].name"), name));
        }
    }
    causes
}

/// One error for each type of a volume after its first.
fn volume_errors(volume: &Value, path: &str) -> Vec<Cause> {
    let types =
        volume.as_object().into_iter().flat_map(|fields| fields.keys()).filter(|field| *field != "name");
    let others = types.skip(1);
    others
        .map(|ty| Cause::forbidden(format!("{path}.{ty}"), "may not specify more than 1 volume type"))
        .collect()
}

/// The image pull policies.
const PULL_POLICIES: [&str; 3] = ["Always", "IfNotPresent", "Never"];

fn pull_policy_error(container: &Value, path: &str) -> Option<Cause> {
    let policy = &container["imagePullPolicy"];
    let supported = policy.is_null() || PULL_POLICIES.iter().any(|known| policy == known);
    (!supported)
        .then(|| Cause::not_supported(format!("{path}.imagePullPolicy"), &policy.to_string(), &PULL_POLICIES))
}

/// The pod fields that the downward API supports.
const FIELDS: [&str; 9] = [
    "metadata.name",
    "metadata.namespace",
    "metadata.uid",
    "spec.nodeName",
    "spec.serviceAccountName",
    "status.hostIP",
    "status.hostIPs",
    "status.podIP",
    "status.podIPs",
];

fn variable_error(variable: &Value, path: &str) -> Option<Cause> {
    if variable["name"].as_str().unwrap_or_default().is_empty() {
        return Some(Cause::required(format!("{path}.name"), ""));
    }
    let field = variable.pointer("/valueFrom/fieldRef/fieldPath")?.as_str().unwrap_or_default();
    let keyed =
        |map: &str| field.strip_prefix(map).is_some_and(|key| key.starts_with("['") && key.ends_with("']"));
    if FIELDS.contains(&field) || keyed("metadata.labels") || keyed("metadata.annotations") {
        return None;
    }
    let detail = format!("error converting fieldPath: field label not supported: {field}");
    Some(Cause::invalid(format!("{path}.valueFrom.fieldRef.fieldPath"), &field.into(), &detail))
}

/// The error for a negative number.
fn negative_error(path: &str, number: &Value) -> Option<Cause> {
    let negative = number.as_i64().is_some_and(|number| number < 0);
    negative.then(|| Cause::invalid(path, number, "must be greater than or equal to 0"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn deployment() -> Value {
        json!({"spec": {
            "selector": {"matchLabels": {"a": "b"}},
            "template": {"metadata": {"labels": {"a": "b"}}, "spec": {"containers": [{"name": "c", "image": "i:1"}]}},
        }})
    }

    #[test]
    fn defaults_are_idempotent() {
        let mut object = deployment();
        complete_deployment(&mut object);
        assert_eq!(object["spec"]["replicas"], 1);
        assert_eq!(object["spec"]["strategy"]["rollingUpdate"]["maxSurge"], "25%");
        assert_eq!(object["spec"]["template"]["spec"]["containers"][0]["imagePullPolicy"], "IfNotPresent");
        let once = object.clone();
        complete_deployment(&mut object);
        assert_eq!(object, once);
        assert!(validate_deployment(&object).is_empty());
    }

    #[test]
    fn a_pod_requests_its_limits_by_default() {
        let resources = json!({"limits": {"cpu": "1", "memory": "2"}, "requests": {"cpu": "0.5"}});
        let mut spec = json!({"containers": [{"name": "c", "image": "i:1", "resources": resources}]});
        complete_standalone_pod(&mut spec);
        let requests = json!({"cpu": "0.5", "memory": "2"});
        assert_eq!(
            (&spec["containers"][0]["resources"]["requests"], &spec["enableServiceLinks"]),
            (&requests, &json!(true))
        );
    }

    #[test]
    fn invalid_deployments_have_errors() {
        let errors = |change: Value| -> Vec<String> {
            let mut object = deployment();
            json_patch::merge(&mut object, &change);
            validate_deployment(&object).iter().map(ToString::to_string).collect()
        };
        let missing = errors(json!({"spec": {"selector": null, "template": {"spec": {"containers": null}}}}));
        assert_eq!(
            missing,
            [
                "FieldValueRequired spec.selector",
                "FieldValueInvalid spec.template.metadata.labels",
                "FieldValueRequired spec.template.spec.containers",
            ]
        );
        assert_eq!(errors(json!({"spec": {"replicas": -1}})), ["FieldValueInvalid spec.replicas"]);
        let status = json!({"status": {"replicas": 1, "readyReplicas": 4}});
        assert_eq!(errors(status), ["FieldValueInvalid status.readyReplicas"]);
    }
}
