//! Conditions in the status.
//!
//! Only of types whose status the server itself writes: controllers and users may write any conditions of others.

use crate::api_resources::{self, Type};
use crate::clock;
use crate::openapi;
use crate::prelude::*;

pub(super) fn rows() -> Vec<Row> {
    [
        table(RULES, Kinds::Own, every_condition),
        vec![row!(spec_status_observed_generation_bounded).own_kinds()],
    ]
    .concat()
}

/// The expectation, and a check of the last of the first conditions of an object.
type Rule = (&'static str, fn(&[Value]) -> bool);

#[rustfmt::skip]
const RULES: &[(&str, Rule)] = &[
    ("spec-status-condition-status-values",    ("status True, False or Unknown", status_is_known)),
    ("spec-status-condition-type-unique",      ("a type that no condition before it has", type_is_new)),
    ("spec-status-condition-optional-fields",  ("times in RFC 3339, reason and message as strings", optional_fields_are_texts)),
    ("spec-status-condition-reason-camelcase", ("one word as reason", reason_is_a_word)),
    ("spec-status-condition-message-text",     ("a string as message", message_is_text)),
];

/// The limit of each list.
const LIMIT: usize = 500;

/// The groups of types whose status the server writes.
const OWN: [&str; 3] = ["apiextensions.k8s.io", "apiregistration.k8s.io", "flowcontrol.apiserver.k8s.io"];

/// Lists of these types. They are few, and a list that does not arrive is a test error: without it, a rule might be
/// skipped as if no object had conditions.
async fn lists(cx: &Context) -> Result<Vec<(Type, Arc<Exchange>)>, Halt> {
    if cx.target_info().serves(OWN[0]) {
        // Creates at least one definition.
        cx.custom_resources().await?;
    }
    let mut lists = Vec::new();
    for ty in api_resources::built_in(cx).await? {
        if OWN.contains(&ty.group()) && ty.can("list") {
            let listed = cx.send(Request::get(ty.path()).query("limit", LIMIT)).await?;
            lists.push((ty, listed));
        }
    }
    Ok(lists)
}

fn items(listed: &Exchange) -> impl Iterator<Item = &Value> {
    listed.json().and_then(|json| json["items"].as_array()).into_iter().flatten()
}

fn conditions(item: &Value) -> &[Value] {
    item["status"]["conditions"].as_array().map(Vec::as_slice).unwrap_or_default()
}

async fn every_condition(cx: Context, (expected, holds): Rule) -> Checked {
    let mut some = false;
    for (ty, listed) in &lists(&cx).await? {
        for item in items(listed) {
            let conditions = conditions(item);
            for (index, condition) in conditions.iter().enumerate() {
                let actual = format!("{} {}: {condition}", ty.path(), item["metadata"]["name"]);
                listed.expect(holds(&conditions[..=index]), expected, actual)?;
                some = true;
            }
        }
    }
    Halt::skip_unless(some, "no object has conditions")
}

/// The condition to check.
fn last(conditions: &[Value]) -> &Value {
    conditions.last().unwrap_or(&Value::Null)
}

fn status_is_known(conditions: &[Value]) -> bool {
    ["True", "False", "Unknown"].iter().any(|known| last(conditions)["status"] == *known)
}

fn type_is_new(conditions: &[Value]) -> bool {
    let of = &last(conditions)["type"];
    conditions.iter().filter(|condition| condition["type"] == *of).count() == 1
}

/// Times may also be null.
fn optional_fields_are_texts(conditions: &[Value]) -> bool {
    let condition = last(conditions);
    let times = ["lastTransitionTime", "lastHeartbeatTime", "lastProbeTime", "lastUpdateTime"];
    let is_time = |value: &Value| value.as_str().is_some_and(|time| clock::second(time).is_some());
    times.iter().all(|field| condition[field].is_null() || is_time(&condition[field]))
        && is_text_if_there(&condition["reason"])
        && is_text_if_there(&condition["message"])
}

fn is_text_if_there(value: &Value) -> bool {
    value.is_null() || value.is_string()
}

/// As where kube-apiserver validates it: a leading letter, no trailing punctuation except an underscore.
fn reason_is_a_word(conditions: &[Value]) -> bool {
    let reason = last(conditions)["reason"].as_str().unwrap_or_default();
    let letter = |first: char| first.is_ascii_alphabetic();
    let within = |character: char| character.is_ascii_alphanumeric() || "_,:".contains(character);
    let ends = |last: char| last.is_ascii_alphanumeric() || last == '_';
    reason.is_empty() || (reason.starts_with(letter) && reason.chars().all(within) && reason.ends_with(ends))
}

fn message_is_text(conditions: &[Value]) -> bool {
    is_text_if_there(&last(conditions)["message"])
}

async fn spec_status_observed_generation_bounded(cx: Context) -> Checked {
    for (ty, listed) in lists(&cx).await? {
        for item in items(&listed) {
            let Some(generation) = item["metadata"]["generation"].as_i64() else { continue };
            let conditions = conditions(item).iter().map(|condition| &condition["observedGeneration"]);
            let observed = [&item["status"]["observedGeneration"]].into_iter().chain(conditions);
            for observed in observed.filter(|observed| !observed.is_null()) {
                let holds = observed.as_i64().is_some_and(|observed| observed <= generation);
                let actual = format!("{} {}: {observed}", ty.path(), item["metadata"]["name"]);
                listed.expect(holds, format!("an observedGeneration up to {generation}"), actual)?;
            }
        }
    }
    let published = openapi::published(&cx).await?;
    for definition in published.definitions() {
        if let Some(schema) = definition.property("observedGeneration") {
            let wide = schema["type"] == "integer" && schema["format"] == "int64";
            definition.expect(wide, "observedGeneration as an int64", &schema.to_string())?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_reason_is_one_word() {
        let holds = |reason: &str| reason_is_a_word(&[json!({ "reason": reason })]);
        assert!(["", "A", "NoConflicts", "a_b:c,d1", "x_"].into_iter().all(holds));
        assert!(!["two words", "1st", "end:", "ümlaut", "A."].into_iter().any(holds));
    }

    #[test]
    fn a_type_comes_once() {
        let conditions = [json!({ "type": "A" }), json!({ "type": "B" }), json!({ "type": "A" })];
        assert!(type_is_new(&conditions[..2]));
        assert!(!type_is_new(&conditions));
    }

    #[test]
    fn times_are_times_or_nothing() {
        let holds = |time: Value| optional_fields_are_texts(&[json!({ "lastProbeTime": time })]);
        assert!(holds(json!("2026-01-01T00:00:00Z")));
        assert!(holds(Value::Null));
        assert!(!holds(json!(1)));
    }
}
