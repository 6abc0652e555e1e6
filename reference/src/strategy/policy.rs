//! Strategy of validating admission policies and their bindings: defaults and validation.

use serde_json::{Value, json};

use super::workload::default;
use crate::failure::Cause;

/// The reasons of a failed validation.
const REASONS: [&str; 4] = ["Forbidden", "Invalid", "RequestEntityTooLarge", "Unauthorized"];
const ACTIONS: [&str; 3] = ["Audit", "Deny", "Warn"];

/// Sets the defaults of a policy.
pub(super) fn complete(policy: &mut Value) {
    let Some(spec) = policy.get_mut("spec").filter(|spec| spec.is_object()) else { return };
    default(spec, "failurePolicy", json!("Fail"));
    complete_resources(spec, "matchConstraints");
}

/// Sets the defaults of a binding.
pub(super) fn complete_binding(binding: &mut Value) {
    if let Some(spec) = binding.get_mut("spec").filter(|spec| spec.is_object()) {
        complete_resources(spec, "matchResources");
    }
}

fn complete_resources(spec: &mut Value, field: &str) {
    let Some(resources) = spec.get_mut(field).filter(|resources| resources.is_object()) else { return };
    default(resources, "matchPolicy", json!("Equivalent"));
    default(resources, "namespaceSelector", json!({}));
    default(resources, "objectSelector", json!({}));
    for list in ["resourceRules", "excludeResourceRules"] {
        let rules = resources.get_mut(list).and_then(Value::as_array_mut);
        rules.into_iter().flatten().for_each(|rule| default(rule, "scope", json!("*")));
    }
}

fn entries<'a>(spec: &'a Value, list: &str) -> impl Iterator<Item = (usize, &'a Value)> {
    spec[list].as_array().into_iter().flatten().enumerate()
}

/// The validation errors of a policy, besides those of its expressions.
pub(super) fn errors(policy: &Value) -> Vec<Cause> {
    let spec = &policy["spec"];
    let mut causes = Vec::new();
    let is_empty = |list: &Value| list.as_array().is_none_or(Vec::is_empty);
    if !spec["matchConstraints"].is_object() {
        causes.push(Cause::required("spec.matchConstraints", ""));
    } else if is_empty(&spec["matchConstraints"]["resourceRules"]) {
        causes.push(Cause::required("spec.matchConstraints.resourceRules", ""));
    }
    if is_empty(&spec["validations"]) && is_empty(&spec["auditAnnotations"]) {
        let detail = "validations or auditAnnotations must be non-empty";
        causes.push(Cause::required("spec.validations", detail));
    }
    for list in ["matchConditions", "variables"] {
        causes.extend(name_errors(spec, list));
    }
    for (index, validation) in entries(spec, "validations") {
        causes.extend(validation_errors(validation, &format!("spec.validations[{index}]")));
    }
    causes
}

/// The errors in the names of match conditions or variables.
fn name_errors(spec: &Value, list: &str) -> Vec<Cause> {
    let mut causes = Vec::new();
    for (index, entry) in entries(spec, list) {
        // kube-apiserver accepts two variables of one name.
        let field = format!("spec.{list}[{index}].name");
        let name = entry["name"].as_str().unwrap_or_default();
        let is_taken = entries(spec, list).take(index).any(|(_, other)| other["name"] == name);
        if name.is_empty() {
            causes.push(Cause::required(field, ""));
        } else if is_taken && list == "matchConditions" {
            causes.push(Cause::duplicate(&field, &name.into()));
        } else if list == "variables" && !is_identifier(name) {
            causes.push(Cause::invalid(field, &name.into(), "name is not a valid CEL identifier"));
        }
    }
    causes
}

fn is_identifier(name: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    !name.starts_with(|first: char| first.is_ascii_digit()) && name.bytes().all(is_part)
}

fn validation_errors(validation: &Value, path: &str) -> Vec<Cause> {
    let text = |field: &str| validation[field].as_str().unwrap_or_default().trim();
    let mut causes = Vec::new();
    if text("expression").is_empty() {
        causes.push(Cause::required(format!("{path}.expression"), "expression is not specified"));
    }
    if text("message").contains('\n') {
        let detail = "message must not contain line breaks";
        causes.push(Cause::invalid(format!("{path}.message"), &validation["message"], detail));
    }
    if text("expression").contains('\n') && text("message").is_empty() {
        let detail = "message must be specified if expression contains line breaks";
        causes.push(Cause::required(format!("{path}.message"), detail));
    }
    if let Some(reason) = validation["reason"].as_str().filter(|reason| !REASONS.contains(reason)) {
        causes.push(Cause::not_supported(format!("{path}.reason"), &format!("{reason:?}"), &REASONS));
    }
    causes
}

/// The validation errors of a binding.
pub(super) fn binding_errors(binding: &Value) -> Vec<Cause> {
    let spec = &binding["spec"];
    let mut causes = Vec::new();
    if spec["policyName"].as_str().unwrap_or_default().is_empty() {
        causes.push(Cause::required("spec.policyName", ""));
    }
    causes.extend(action_errors(&spec["validationActions"]));
    if spec["paramRef"].is_object() {
        causes.extend(reference_errors(&spec["paramRef"]));
    }
    causes
}

fn action_errors(actions: &Value) -> Vec<Cause> {
    let field = "spec.validationActions";
    let actions = actions.as_array().map(Vec::as_slice).unwrap_or_default();
    let has = |name: &str| actions.iter().any(|action| action == name);
    let mut causes = Vec::new();
    if actions.is_empty() {
        causes.push(Cause::required(field, "at least one validation action is required"));
    }
    for (index, action) in actions.iter().enumerate() {
        let field = format!("{field}[{index}]");
        if !ACTIONS.iter().any(|known| action == known) {
            causes.push(Cause::not_supported(field, &action.to_string(), &ACTIONS));
        } else if actions[..index].contains(action) {
            causes.push(Cause::duplicate(&field, action));
        }
    }
    if has("Deny") && has("Warn") {
        let detail = "must not contain both Deny and Warn (repeating the same validation failure information in the \
                      API response and headers serves no purpose)";
        causes.push(Cause::invalid(field, &actions.into(), detail));
    }
    causes
}

fn reference_errors(reference: &Value) -> Option<Cause> {
    let has_name = reference["name"].as_str().is_some_and(|name| !name.is_empty());
    let field = |name: &str| format!("spec.paramRef.{name}");
    match (has_name, reference["selector"].is_object()) {
        (true, true) => {
            let detail = "name and selector are mutually exclusive";
            return Some(Cause::forbidden(field("name"), detail));
        }
        (false, false) => {
            return Some(Cause::required("spec.paramRef", "name or selector must be specified"));
        }
        _ => {}
    }
    match reference["parameterNotFoundAction"].as_str() {
        Some("Allow" | "Deny") => None,
        None => Some(Cause::required(field("parameterNotFoundAction"), "")),
        Some(other) => Some(Cause::not_supported(
            field("parameterNotFoundAction"),
            &format!("{other:?}"),
            &["Allow", "Deny"],
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(causes: &[Cause]) -> Vec<String> {
        causes.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_policy_has_rules_validations_and_unique_names() {
        let mut policy = json!({ "spec": {
            "matchConstraints": { "resourceRules": [{}] },
            "validations": [{ "expression": "true", "reason": "Forbidden" }],
            "variables": [{ "name": "a" }, { "name": "b_2" }],
        } });
        assert!(errors(&policy).is_empty());
        policy["spec"]["variables"] = json!([{ "name": "a" }, { "name": "a" }, { "name": "2" }, {}]);
        policy["spec"]["matchConditions"] = json!([{ "name": "a" }, { "name": "a" }]);
        policy["spec"]["validations"] =
            json!([{ "expression": "a\nb", "reason": "Conflict" }, { "message": "a\nb" }]);
        policy["spec"]["matchConstraints"] = json!({});
        assert_eq!(
            shown(&errors(&policy)),
            [
                "FieldValueRequired spec.matchConstraints.resourceRules",
                "FieldValueDuplicate spec.matchConditions[1].name",
                "FieldValueInvalid spec.variables[2].name",
                "FieldValueRequired spec.variables[3].name",
                "FieldValueRequired spec.validations[0].message",
                "FieldValueNotSupported spec.validations[0].reason",
                "FieldValueRequired spec.validations[1].expression",
                "FieldValueInvalid spec.validations[1].message",
            ]
        );
    }

    #[test]
    fn a_binding_has_actions_and_a_name_or_a_selector() {
        let of = |actions: Value, reference: Value| {
            let spec = json!({ "policyName": "a", "validationActions": actions, "paramRef": reference });
            shown(&binding_errors(&json!({ "spec": spec })))
        };
        let named = json!({ "name": "a", "parameterNotFoundAction": "Deny" });
        assert!(of(json!(["Deny", "Audit"]), named.clone()).is_empty());
        assert_eq!(of(json!([]), named.clone()), ["FieldValueRequired spec.validationActions"]);
        assert_eq!(of(json!(["Deny", "Warn"]), named.clone()), ["FieldValueInvalid spec.validationActions"]);
        assert_eq!(of(json!(["Warn", "Warn"]), named), ["FieldValueDuplicate spec.validationActions[1]"]);
        let both = json!({ "name": "a", "selector": {}, "parameterNotFoundAction": "Deny" });
        assert_eq!(of(json!(["Deny"]), both), ["FieldValueForbidden spec.paramRef.name"]);
        assert_eq!(of(json!(["Deny"]), json!({})), ["FieldValueRequired spec.paramRef"]);
        let other = json!({ "name": "a", "parameterNotFoundAction": "Ignore" });
        assert_eq!(
            of(json!(["Deny"]), other),
            ["FieldValueNotSupported spec.paramRef.parameterNotFoundAction"]
        );
    }
}
