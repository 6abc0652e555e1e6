//! Admission webhooks: matching, and the failure of unreachable webhooks.

use serde_json::Value;

use super::Attributes;
use super::expressions::Expressions;
use super::matching::{matches_any_rule, selects};
use super::registered;
use crate::failure::Failure;
use crate::metadata::text;
use crate::write::Target;

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
    let attributes = Attributes::create(object);
    if !matches_any_rule(&webhook["rules"], target, &attributes) || !selects(webhook, target, &attributes) {
        return Ok(false);
    }
    let expressions = Expressions::of(webhook, target, &attributes, &Value::Null);
    let conditions = expressions.match_conditions(&webhook["matchConditions"]);
    conditions.map_err(|detail| Failure::forbidden(target.ty, text(object, "name"), &detail))
}

fn unreachable(webhook: &Value) -> Failure {
    let name = webhook["name"].as_str().unwrap_or_default();
    let message = format!("Internal error occurred: failed calling webhook {name:?}: connection refused");
    Failure::made_up(500, "InternalError", &message)
}
