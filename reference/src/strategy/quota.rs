//! Strategy of `ResourceQuotas`: validation.

use serde_json::Value;

use crate::failure::Cause;

/// What is wrong with a quota.
pub(super) fn validate(object: &Value) -> Vec<Cause> {
    let amounts = object["spec"]["hard"].as_object().into_iter().flatten();
    let negative = amounts.filter(|(_, amount)| amount.as_str().is_some_and(|text| text.starts_with('-')));
    let why = "must be greater than or equal to 0";
    negative.map(|(of, amount)| Cause::invalid(format!("spec.hard[{of}]"), amount, why)).collect()
}
