//! Label selectors in objects: what is valid in them.

use serde_json::Value;

use crate::failure::Cause;

/// What is wrong with a selector at a place.
pub(super) fn validate(selector: &Value, path: &str) -> Vec<Cause> {
    let expressions = selector["matchExpressions"].as_array().into_iter().flatten().enumerate();
    let wrong = |(index, expression): (usize, &Value)| {
        wrong_expression(expression, &format!("{path}.matchExpressions[{index}]"))
    };
    let mut causes: Vec<Cause> = expressions.filter_map(wrong).collect();
    if !causes.is_empty() {
        causes.push(Cause::invalid(path, selector, "invalid label selector"));
    }
    causes
}

fn wrong_expression(expression: &Value, path: &str) -> Option<Cause> {
    let values = expression["values"].as_array().map_or(0, Vec::len);
    let place = format!("{path}.values");
    match expression["operator"].as_str().unwrap_or_default() {
        "In" | "NotIn" if values == 0 => {
            Some(Cause::required(place, "must be specified when `operator` is 'In' or 'NotIn'"))
        }
        "Exists" | "DoesNotExist" if values > 0 => Some(Cause::forbidden(
            place,
            "may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
        )),
        "In" | "NotIn" | "Exists" | "DoesNotExist" => None,
        _ => {
            let why = "not a valid selector operator";
            Some(Cause::invalid(format!("{path}.operator"), &expression["operator"], why))
        }
    }
}
