//! Conditions in the status.
//!
//! Those of other types are written by controllers and users, whom a server lets write what they like.

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

/// What must be true of each condition, the last of its object's so far, and the words for it.
type Rule = (&'static str, fn(&[Value]) -> bool);

#[rustfmt::skip]
const RULES: &[(&str, Rule)] = &[
    ("spec-status-condition-status-values",    ("status True, False or Unknown", status_is_known)),
    ("spec-status-condition-type-unique",      ("a type that no condition before it has", type_is_new)),
    ("spec-status-condition-optional-fields",  ("times in RFC 3339, reason and message as texts", optional_fields_are_texts)),
    ("spec-status-condition-reason-camelcase", ("one word for a reason", reason_is_a_word)),
    ("spec-status-condition-message-text",     ("a text for a message", message_is_text)),
];

/// How much is asked of each type.
const MOST: usize = 500;

/// The groups of what the server writes the status of: definitions, other servers, priorities of requests.
const OWN: [&str; 3] = ["apiextensions.k8s.io", "apiregistration.k8s.io", "flowcontrol.apiserver.k8s.io"];

/// What there is of these types.
async fn there_is(cx: &Context) -> Result<Vec<(Type, Arc<Exchange>)>, Halt> {
    if cx.target_info().serves(OWN[0]) {
        // So that there is one definition at least.
        cx.custom_resources().await?;
    }
    let mut types = api_resources::built_in(cx).await?;
    types.retain(|ty| OWN.contains(&ty.group()));
    api_resources::ask_about(cx, types, |ty| Request::get(ty.path()).query("limit", MOST)).await
}

fn items(listed: &Exchange) -> impl Iterator<Item = &Value> {
    listed.json().and_then(|json| json["items"].as_array()).into_iter().flatten()
}

fn conditions(item: &Value) -> &[Value] {
    item["status"]["conditions"].as_array().map(Vec::as_slice).unwrap_or_default()
}

async fn every_condition(cx: Context, (expected, holds): Rule) -> Checked {
    let there = there_is(&cx).await?;

    let mut seen = 0;
    for (ty, listed) in &there {
        for item in items(listed) {
            let conditions = conditions(item);
            for count in 1..=conditions.len() {
                let actual =
                    || format!("{} {}: {}", ty.path(), item["metadata"]["name"], conditions[count - 1]);
                listed.expect(holds(&conditions[..count]), expected, actual())?;
            }
            seen += conditions.len();
        }
    }
    if seen == 0 { Err(Halt::Skipped("nothing here has conditions".to_owned())) } else { Ok(()) }
}

/// The condition that is looked at.
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

/// As kube-apiserver checks it where it does: a letter first, no punctuation last but an underscore.
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
    for (ty, listed) in there_is(&cx).await? {
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
        if let Some(described) = definition.property("observedGeneration") {
            let wide = described["type"] == "integer" && described["format"] == "int64";
            definition.expect(wide, "observedGeneration of 64 bits", &described.to_string())?;
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
