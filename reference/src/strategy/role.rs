//! Strategy of Roles: validation of rules.

use serde_json::Value;

use crate::failure::Cause;

/// A role without rules has null rules.
pub(super) fn complete(object: &mut Value) {
    if object.get("rules").is_none() {
        object["rules"] = Value::Null;
    }
}

/// The validation errors of a role's rules.
pub(super) fn validate(object: &Value) -> Vec<Cause> {
    let rules = object["rules"].as_array().into_iter().flatten().enumerate();
    rules.flat_map(|(index, rule)| rule_errors(&format!("rules[{index}]"), rule)).collect()
}

fn rule_errors(path: &str, rule: &Value) -> Vec<Cause> {
    let lacks = |field: &str| rule[field].as_array().is_none_or(Vec::is_empty);
    let required =
        |field: &str, detail: &str| lacks(field).then(|| Cause::required(format!("{path}.{field}"), detail));
    let mut causes: Vec<Cause> =
        required("verbs", "verbs must contain at least one value").into_iter().collect();
    if lacks("nonResourceURLs") {
        causes.extend(required("apiGroups", "resource rules must supply at least one api group"));
        causes.extend(required("resources", "resource rules must supply at least one resource"));
    }
    causes
}
