//! `ValidatingAdmissionPolicy`: evaluation of bound policies on creates.

use serde_json::Value;

use super::expressions::Expressions;
use super::{matches_rules, registered, selects};
use crate::cel::deviation::Check;
use crate::failure::Failure;
use crate::metadata::text;
use crate::store::Object;
use crate::write::Target;

/// Rejects objects that fail a bound policy.
pub(super) fn admit(target: &Target<'_>, object: &Value) -> Result<(), Failure> {
    let bindings = registered(target, "validatingadmissionpolicybindings");
    if bindings.is_empty() {
        return Ok(());
    }
    for policy in registered(target, "validatingadmissionpolicies") {
        let constraints = &policy["spec"]["matchConstraints"];
        if !matches_rules(&constraints["resourceRules"], target) || !selects(constraints, target, object) {
            continue;
        }
        let denying = bindings.iter().find(|binding| denies(binding, &policy, target, object));
        if let Some(binding) = denying {
            check(&policy, binding, target, object)?;
        }
    }
    Ok(())
}

fn denies(binding: &Object, policy: &Value, target: &Target<'_>, object: &Value) -> bool {
    let actions = binding["spec"]["validationActions"].as_array();
    let deny = actions.is_some_and(|actions| actions.iter().any(|action| action == "Deny"));
    let resources = &binding["spec"]["matchResources"];
    deny && binding["spec"]["policyName"] == text(policy, "name") && selects(resources, target, object)
}

fn check(policy: &Value, binding: &Value, target: &Target<'_>, object: &Value) -> Result<(), Failure> {
    let spec = &policy["spec"];
    let is_lenient = spec["failurePolicy"] == "Ignore";
    let denied = |detail: &str| {
        let (resource, name) = (target.ty.group_resource(), text(object, "name"));
        let (policy, binding) = (text(policy, "name"), text(binding, "name"));
        let cause =
            format!("ValidatingAdmissionPolicy '{policy}' with binding '{binding}' denied request: {detail}");
        Failure::denied(target.ty, name, &format!("{resource} {name:?} is forbidden: {cause}"), &cause)
    };
    let expressions = Expressions::of(spec, target, object);
    match expressions.match_conditions(&spec["matchConditions"]) {
        Ok(true) => {}
        Err(detail) if !is_lenient => return Err(denied(&detail)),
        Ok(false) | Err(_) => return Ok(()),
    }
    for validation in spec["validations"].as_array().into_iter().flatten() {
        let text_of = |field: &str| validation[field].as_str().unwrap_or_default().trim();
        let expression = text_of("expression");
        match expressions.holds(expression) {
            Ok(true) => {}
            Ok(false) => {
                let message = expressions.message(text_of("messageExpression"));
                let detail = message.unwrap_or_else(|| match text_of("message") {
                    "" => format!("failed expression: {expression}"),
                    message => message.to_owned(),
                });
                return Err(denied(&detail));
            }
            Err(_) if is_lenient || target.cluster.expressions.checks_skipped(Check::PolicyErrors) => {}
            Err(error) => {
                return Err(denied(&format!("expression '{expression}' resulted in error: {error}")));
            }
        }
    }
    Ok(())
}
