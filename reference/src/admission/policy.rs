//! `ValidatingAdmissionPolicy`: evaluation of bound policies on creates.

use serde_json::Value;

use super::{cel, is_about, registered, selects, subject};
use crate::failure::Failure;
use crate::metadata::text;
use crate::write::Target;

/// Refuses what breaks a policy.
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
        if bound && is_about(&constraints["resourceRules"], target) && selects(constraints, target, object) {
            check(&policy, target, object)?;
        }
    }
    Ok(())
}

fn check(policy: &Value, target: &Target<'_>, object: &Value) -> Result<(), Failure> {
    let about = subject(target, object);
    for validation in policy["spec"]["validations"].as_array().into_iter().flatten() {
        let said = |field: &str| validation[field].as_str().unwrap_or_default();
        let why = match cel::holds(said("expression"), &about) {
            Ok(true) => continue,
            Ok(false) => said("message").to_owned(),
            Err(why) => why,
        };
        let (ty, name) = (target.ty.group_resource(), text(object, "name"));
        let policy = text(policy, "name");
        let message =
            format!("{ty} {name:?} is forbidden: ValidatingAdmissionPolicy '{policy}' denied request: {why}");
        return Err(Failure::denied(target.ty, text(object, "name"), &message));
    }
    Ok(())
}
