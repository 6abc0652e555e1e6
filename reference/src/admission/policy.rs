//! `ValidatingAdmissionPolicy`: evaluation of bound policies on creates.

use serde_json::Value;

use super::{cel, matches_rules, registered, selects, variables};
use crate::failure::Failure;
use crate::metadata::text;
use crate::write::Target;

/// Rejects objects that fail a bound policy.
pub(super) fn admit(target: &Target<'_>, object: &Value) -> Result<(), Failure> {
    let bindings = registered(target, "validatingadmissionpolicybindings");
    if bindings.is_empty() {
        return Ok(());
    }
    for policy in registered(target, "validatingadmissionpolicies") {
        let name = text(&policy, "name");
        let denies = |binding: &Value| {
            let actions = binding["spec"]["validationActions"].as_array();
            let deny = actions.is_some_and(|actions| actions.iter().any(|action| action == "Deny"));
            deny && binding["spec"]["policyName"] == name
        };
        let constraints = &policy["spec"]["matchConstraints"];
        let bound = bindings.iter().any(|binding| denies(binding));
        if bound
            && matches_rules(&constraints["resourceRules"], target)
            && selects(constraints, target, object)
        {
            check(&policy, target, object)?;
        }
    }
    Ok(())
}

fn check(policy: &Value, target: &Target<'_>, object: &Value) -> Result<(), Failure> {
    let variables = variables(target, object);
    for validation in policy["spec"]["validations"].as_array().into_iter().flatten() {
        let text_of = |field: &str| validation[field].as_str().unwrap_or_default();
        let detail = match cel::holds(text_of("expression"), &variables) {
            Ok(true) => continue,
            Ok(false) => text_of("message").to_owned(),
            Err(detail) => detail,
        };
        let (ty, name) = (target.ty.group_resource(), text(object, "name"));
        let policy = text(policy, "name");
        let message = format!(
            "{ty} {name:?} is forbidden: ValidatingAdmissionPolicy '{policy}' denied request: {detail}"
        );
        return Err(Failure::denied(target.ty, text(object, "name"), &message));
    }
    Ok(())
}
