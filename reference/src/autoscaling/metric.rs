//! The metrics of an autoscaler and of its status, in v1 and in v2.

use serde_json::{Map, Value, json};

/// A field in v2 and in v1. `@` stands for `target` in a spec and for `current` in a status.
type Renaming = (&'static str, &'static str);

/// The fields of each source of metrics.
const SOURCES: &[(&str, &[Renaming])] = &[
    ("resource", &[("name", "name"), UTILIZATION, AVERAGE]),
    ("containerResource", &[("name", "name"), UTILIZATION, AVERAGE, ("container", "container")]),
    ("pods", &[METRIC, AVERAGE, SELECTOR]),
    ("object", &[("describedObject", "target"), METRIC, VALUE, SELECTOR, ("@.averageValue", "averageValue")]),
    ("external", &[METRIC, ("metric.selector", "metricSelector"), VALUE, AVERAGE]),
];

const UTILIZATION: Renaming = ("@.averageUtilization", "@AverageUtilization");
const AVERAGE: Renaming = ("@.averageValue", "@AverageValue");
const VALUE: Renaming = ("@.value", "@Value");
const METRIC: Renaming = ("metric.name", "metricName");
const SELECTOR: Renaming = ("metric.selector", "selector");

/// A metric in the form of v1.
pub(super) fn older(metric: &Value, word: &str) -> Value {
    let mut older = json!({"type": metric["type"]});
    for (source, fields) in SOURCES.iter().filter(|(source, _)| metric[source].is_object()) {
        for (new, old) in *fields {
            let value =
                new.replace('@', word).split('.').fold(&metric[source], |at, field| &at[field]).clone();
            if !value.is_null() {
                older[source][old.replace('@', word)] = value;
            }
        }
    }
    // v1 cannot omit the value.
    if older["object"].is_object() && older["object"][format!("{word}Value")].is_null() {
        older["object"][format!("{word}Value")] = "0".into();
    }
    older
}

/// A metric of v1 in the form of v2.
pub(super) fn newer(metric: &Value, word: &str) -> Value {
    let mut newer = json!({"type": metric["type"]});
    for (source, fields) in SOURCES.iter().filter(|(source, _)| metric[source].is_object()) {
        for (new, old) in *fields {
            let value = metric[source][old.replace('@', word)].clone();
            let place = new.replace('@', word);
            let is_filler = *new == VALUE.0 && value == "0" && metric[source]["averageValue"].is_string();
            if !value.is_null() && !is_filler {
                *place.split('.').fold(&mut newer[source], |at, field| &mut at[field]) = value;
            }
        }
        if word == "target" {
            let target = &mut newer[source][word];
            let kind = match () {
                () if !target["averageUtilization"].is_null() => "Utilization",
                () if !target["averageValue"].is_null() => "AverageValue",
                () => "Value",
            };
            let mut fields = Map::from_iter([("type".to_owned(), kind.into())]);
            fields.extend(
                target.as_object().cloned().into_iter().flatten().filter(|(_, value)| !value.is_null()),
            );
            *target = Value::Object(fields);
        }
    }
    newer
}
