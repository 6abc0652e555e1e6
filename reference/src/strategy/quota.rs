//! Strategy of `ResourceQuotas`: validation.

use serde_json::Value;

use crate::failure::Cause;

/// The validation errors of a quota.
pub(super) fn validate(object: &Value) -> Vec<Cause> {
    let amounts = object["spec"]["hard"].as_object().into_iter().flatten();
    let negative = amounts.filter(|(_, amount)| amount.as_str().is_some_and(|text| text.starts_with('-')));
    let detail = "must be greater than or equal to 0";
    negative
        .map(|(resource, amount)| Cause::invalid(format!("spec.hard[{resource}]"), amount, detail))
        .collect()
}
