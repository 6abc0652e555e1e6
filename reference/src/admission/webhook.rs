//! Admission webhooks: matching, dry-run side effects, and the failure of unreachable webhooks.

use serde_json::Value;

use super::{cel, matches_rules, registered, selects, variables};
use crate::failure::{Cause, Failure};
use crate::metadata::text;
use crate::write::Target;

/// The side effects that a webhook may have.
const EFFECTS: [&str; 2] = ["None", "NoneOnDryRun"];

/// Validates a webhook configuration.
pub(super) fn check(target: &Target<'_>, configuration: &Value) -> Result<(), Failure> {
    let webhooks = configuration["webhooks"].as_array().into_iter().flatten();
    let unsupported = webhooks.enumerate().filter_map(|(index, webhook)| {
        let effects = webhook["sideEffects"].as_str().unwrap_or_default();
        let field = format!("webhooks[{index}].sideEffects");
        (!EFFECTS.contains(&effects)).then(|| Cause::not_supported(field, &format!("{effects:?}"), &EFFECTS))
    });
    let causes: Vec<_> = unsupported.collect();
    if causes.is_empty() {
        return Ok(());
    }
    Err(Failure::invalid(&target.ty.group, &target.ty.kind, text(configuration, "name"), &causes))
}

/// Calls the matching webhooks. This server reaches none: calls fail unless the policy is `Ignore`.
pub(super) fn admit(target: &Target<'_>, object: &Value) -> Result<(), Failure> {
    for configuration in registered(target, "validatingwebhookconfigurations") {
        for webhook in configuration["webhooks"].as_array().into_iter().flatten() {
            if webhook["failurePolicy"] != "Ignore" && matches(webhook, target, object)? {
                return Err(unreachable(webhook));
            }
        }
    }
    Ok(())
}

fn matches(webhook: &Value, target: &Target<'_>, object: &Value) -> Result<bool, Failure> {
    if !matches_rules(&webhook["rules"], target) || !selects(webhook, target, object) {
        return Ok(false);
    }
    let variables = variables(target, object);
    for condition in webhook["matchConditions"].as_array().into_iter().flatten() {
        let expression = condition["expression"].as_str().unwrap_or_default();
        match cel::holds(expression, &variables) {
            Ok(true) => {}
            Ok(false) => return Ok(false),
            Err(detail) => return Err(Failure::forbidden(target.ty, text(object, "name"), &detail)),
        }
    }
    Ok(true)
}

fn unreachable(webhook: &Value) -> Failure {
    let name = webhook["name"].as_str().unwrap_or_default();
    let message = format!("Internal error occurred: failed calling webhook {name:?}: connection refused");
    Failure::made_up(500, "InternalError", &message)
}
