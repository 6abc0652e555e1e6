//! `HorizontalPodAutoscaler` in autoscaling/v1: the store has the form of v2.
//!
//! v1 has one metric, the CPU utilization. It keeps the rest of v2 in annotations, which v2 does not show.

mod metric;

use serde_json::{Map, Value, json};

use metric::{newer, older};

/// The only group of the API with two versions of a type.
pub(crate) const GROUP: &str = "autoscaling";

const V1: &str = "autoscaling/v1";
const V2: &str = "autoscaling/v2";

const METRICS: &str = "autoscaling.alpha.kubernetes.io/metrics";
const CURRENT_METRICS: &str = "autoscaling.alpha.kubernetes.io/current-metrics";
const CONDITIONS: &str = "autoscaling.alpha.kubernetes.io/conditions";
const BEHAVIOR: &str = "autoscaling.alpha.kubernetes.io/behavior";

/// The CPU utilization of an autoscaler without any metric, in percent.
const DEFAULT_UTILIZATION: i64 = 80;

/// The fields of the behavior, which its annotation has with capital letters.
const RULES: &[&str] = &["stabilizationWindowSeconds", "selectPolicy", "policies", "tolerance"];

/// Turns a stored autoscaler into one of v1.
pub(crate) fn to_v1(object: &mut Value) {
    if object["apiVersion"] == V1 {
        return;
    }
    object["apiVersion"] = V1.into();
    let metrics = take_list(&mut object["spec"], "metrics");
    let (cpu, others): (Vec<_>, Vec<_>) = metrics.into_iter().partition(is_cpu_utilization);
    if let Some(metric) = cpu.first() {
        let utilization = metric["resource"]["target"]["averageUtilization"].clone();
        object["spec"]["targetCPUUtilizationPercentage"] = utilization;
    }
    let current = take_list(&mut object["status"], "currentMetrics");
    let usage = current.iter().find(|metric| metric["resource"]["name"] == "cpu");
    if let Some(used) = usage.map(|metric| &metric["resource"]["current"]["averageUtilization"]) {
        object["status"]["currentCPUUtilizationPercentage"] = used.clone();
    }
    let conditions = take_list(&mut object["status"], "conditions");
    let behavior = take(&mut object["spec"], "behavior");

    let annotations = [
        (BEHAVIOR, behavior.as_object().map(behavior_with_capitals)),
        (CONDITIONS, as_list(conditions)),
        (CURRENT_METRICS, as_list(current.iter().map(|metric| older(metric, "current")).collect())),
        (METRICS, as_list(others.iter().map(|metric| older(metric, "target")).collect())),
    ];
    for (name, value) in annotations {
        take(&mut object["metadata"]["annotations"], name);
        if let Some(value) = value {
            object["metadata"]["annotations"][name] = value.to_string().into();
        }
    }
    let status = &mut object["status"];
    for field in ["currentReplicas", "desiredReplicas"] {
        if status[field].is_null() {
            status[field] = 0.into();
        }
    }
    crate::metadata::tidy(object);
}

/// Turns an autoscaler of v1 into the stored form.
pub(crate) fn to_v2(object: &mut Value) {
    if object["apiVersion"] == V2 {
        return;
    }
    object["apiVersion"] = V2.into();
    let cpu = take(&mut object["spec"], "targetCPUUtilizationPercentage");
    let usage = take(&mut object["status"], "currentCPUUtilizationPercentage");
    let annotations = &mut object["metadata"]["annotations"];
    let mut parsed = |name| serde_json::from_str(take(annotations, name).as_str().unwrap_or("null")).ok();
    let [metrics, current, conditions, behavior] =
        [METRICS, CURRENT_METRICS, CONDITIONS, BEHAVIOR].map(|name| parsed(name).unwrap_or_default());

    let mut metrics: Vec<Value> = each(&metrics).map(|metric| newer(metric, "target")).collect();
    let utilization = if metrics.is_empty() && cpu.is_null() { DEFAULT_UTILIZATION.into() } else { cpu };
    if !utilization.is_null() {
        metrics.push(cpu_metric(&utilization));
    }
    object["spec"]["metrics"] = metrics.into();
    let current: Vec<Value> = each(&current).map(|metric| newer(metric, "current")).collect();
    let status = &mut object["status"];
    // v2 omits a count of zero.
    if status["currentReplicas"] == 0 {
        take(status, "currentReplicas");
    }
    status["currentMetrics"] = match as_list(current) {
        Some(current) => current,
        None if usage.is_null() => Value::Null,
        None => {
            json!([{"type": "Resource", "resource": {"name": "cpu", "current": {"averageUtilization": usage}}}])
        }
    };
    if let Some(conditions) = as_list(each(&conditions).cloned().collect()) {
        status["conditions"] = conditions;
    }
    if behavior.is_object() {
        object["spec"]["behavior"] = with_small_letters(&behavior);
    }
    crate::metadata::tidy(object);
}

/// Sets the status of a new autoscaler in either version.
pub(crate) fn begin(object: &mut Value) {
    object["status"] = if object["apiVersion"] == V1 {
        json!({"currentReplicas": 0, "desiredReplicas": 0})
    } else {
        json!({"desiredReplicas": 0, "currentMetrics": null})
    };
}

/// Sets the defaults of an autoscaler in either version.
pub(crate) fn complete(object: &mut Value) {
    let (is_v1, spec) = (object["apiVersion"] == V1, &mut object["spec"]);
    if spec["minReplicas"].is_null() {
        spec["minReplicas"] = 1.into();
    }
    if is_v1 {
        return;
    }
    if each(&spec["metrics"]).next().is_none() {
        spec["metrics"] = json!([cpu_metric(&DEFAULT_UTILIZATION.into())]);
    }
    if spec["behavior"].is_object() {
        let percent = json!({"type": "Percent", "value": 100, "periodSeconds": 15});
        let pods = json!({"type": "Pods", "value": 4, "periodSeconds": 15});
        let up = json!({"stabilizationWindowSeconds": 0, "selectPolicy": "Max", "policies": [pods, percent]});
        let down = json!({"selectPolicy": "Max", "policies": [percent]});
        for (direction, defaults) in [("scaleUp", up), ("scaleDown", down)] {
            let rules = &mut spec["behavior"][direction];
            for (field, value) in defaults.as_object().into_iter().flatten() {
                if rules[field].is_null() {
                    rules[field] = value.clone();
                }
            }
        }
    }
}

fn cpu_metric(utilization: &Value) -> Value {
    let target = json!({"type": "Utilization", "averageUtilization": utilization});
    json!({"type": "Resource", "resource": {"name": "cpu", "target": target}})
}

fn is_cpu_utilization(metric: &Value) -> bool {
    let resource = &metric["resource"];
    resource["name"] == "cpu" && !resource["target"]["averageUtilization"].is_null()
}

/// The behavior as its annotation has it, with null for absent fields.
fn behavior_with_capitals(behavior: &Map<String, Value>) -> Value {
    let mut written = Map::new();
    for direction in ["scaleUp", "scaleDown"] {
        let rules = behavior.get(direction).and_then(Value::as_object).map(|rules| {
            RULES.iter().map(|rule| (capital(rule), with_capitals(rules.get(*rule)))).collect::<Map<_, _>>()
        });
        written.insert(capital(direction), rules.map_or(Value::Null, Value::Object));
    }
    Value::Object(written)
}

fn with_capitals(value: Option<&Value>) -> Value {
    match value {
        Some(Value::Array(items)) => items.iter().map(|item| with_capitals(Some(item))).collect(),
        Some(Value::Object(fields)) => {
            fields.iter().map(|(name, value)| (capital(name), value.clone())).collect()
        }
        other => other.cloned().unwrap_or_default(),
    }
}

/// The opposite: small letters, and no null.
fn with_small_letters(value: &Value) -> Value {
    match value {
        Value::Array(items) => items.iter().map(with_small_letters).collect(),
        Value::Object(fields) => {
            let present = fields.iter().filter(|(_, value)| !value.is_null());
            present.map(|(name, value)| (small(name), with_small_letters(value))).collect()
        }
        other => other.clone(),
    }
}

fn capital(name: &str) -> String {
    name[..1].to_uppercase() + &name[1..]
}

fn small(name: &str) -> String {
    name[..1].to_lowercase() + &name[1..]
}

fn each(list: &Value) -> impl Iterator<Item = &Value> {
    list.as_array().into_iter().flatten()
}

/// A list with items; `None` without any.
fn as_list(items: Vec<Value>) -> Option<Value> {
    (!items.is_empty()).then(|| items.into())
}

/// Removes a field; null if it is absent.
fn take(object: &mut Value, field: &str) -> Value {
    object.as_object_mut().and_then(|fields| fields.shift_remove(field)).unwrap_or_default()
}

fn take_list(object: &mut Value, field: &str) -> Vec<Value> {
    match take(object, field) {
        Value::Array(items) => items,
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stored() -> Value {
        let memory = json!({"type": "Resource", "resource": {"name": "memory", "target": {"type": "AverageValue", "averageValue": "100Mi"}}});
        let rate = json!({"type": "Pods", "pods": {"metric": {"name": "rps"}, "target": {"type": "AverageValue", "averageValue": "10"}}});
        let policy = json!({"type": "Pods", "value": 1, "periodSeconds": 30});
        let mut object = json!({
            "apiVersion": V2, "kind": "HorizontalPodAutoscaler", "metadata": {"name": "h"},
            "spec": {
                "maxReplicas": 5, "metrics": [memory, rate, cpu_metric(&50.into())],
                "behavior": {"scaleDown": {"stabilizationWindowSeconds": 60, "policies": [policy]}},
            },
        });
        complete(&mut object);
        object
    }

    #[test]
    fn an_autoscaler_of_v1_has_the_annotations_of_kube_apiserver() {
        let mut object = stored();
        to_v1(&mut object);
        let annotation = |name: &str| object["metadata"]["annotations"][name].as_str().unwrap_or_default();
        assert_eq!(
            object["spec"],
            json!({"maxReplicas": 5, "minReplicas": 1, "targetCPUUtilizationPercentage": 50})
        );
        assert_eq!(
            annotation(METRICS),
            r#"[{"type":"Resource","resource":{"name":"memory","targetAverageValue":"100Mi"}},{"type":"Pods","pods":{"metricName":"rps","targetAverageValue":"10"}}]"#
        );
        assert_eq!(
            annotation(BEHAVIOR),
            r#"{"ScaleUp":{"StabilizationWindowSeconds":0,"SelectPolicy":"Max","Policies":[{"Type":"Pods","Value":4,"PeriodSeconds":15},{"Type":"Percent","Value":100,"PeriodSeconds":15}],"Tolerance":null},"ScaleDown":{"StabilizationWindowSeconds":60,"SelectPolicy":"Max","Policies":[{"Type":"Pods","Value":1,"PeriodSeconds":30}],"Tolerance":null}}"#
        );
    }

    #[test]
    fn nothing_is_lost_on_the_way_through_v1() {
        let mut object = stored();
        object["spec"]["metrics"].as_array_mut().unwrap().insert(
            0,
            json!({"type": "Object", "object": {
                "describedObject": {"kind": "Service", "name": "a"}, "metric": {"name": "hits"},
                "target": {"type": "AverageValue", "averageValue": "3"},
            }}),
        );
        let before = object["spec"].clone();
        to_v1(&mut object);
        to_v1(&mut object);
        to_v2(&mut object);
        assert_eq!(object["spec"], before);
        assert_eq!(object["metadata"], json!({"name": "h"}));
    }

    #[test]
    fn v1_without_metrics_has_the_default() {
        let mut object = json!({"apiVersion": V1, "metadata": {}, "spec": {"maxReplicas": 2}});
        to_v2(&mut object);
        assert_eq!(object["spec"]["metrics"], json!([cpu_metric(&80.into())]));
    }
}
