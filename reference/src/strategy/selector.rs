//! Label selectors in objects: validation and matching.

use serde_json::Value;

use crate::failure::Cause;

const OPERATORS: &str = "not a valid selector operator";

/// The errors in a workload's selector, or in the labels of its template.
pub(super) fn of_a_template(spec: &Value) -> Vec<Cause> {
    let (selector, labels) = (&spec["selector"], &spec["template"]["metadata"]["labels"]);
    let mut causes = Vec::new();
    if selector.is_null() {
        causes.push(Cause::required("spec.selector", ""));
    }
    let errors = expression_errors(selector, "spec.selector");
    if !errors.is_empty() {
        causes.extend(errors);
        causes.push(Cause::invalid("spec.selector", selector, "invalid label selector"));
    } else if selector.is_null() || !matches(selector, labels) {
        let detail = "`selector` does not match template `labels`";
        causes.push(Cause::invalid("spec.template.metadata.labels", labels, detail));
    }
    causes
}

/// The errors in the expressions of a selector.
fn expression_errors(selector: &Value, path: &str) -> Vec<Cause> {
    let expressions = selector["matchExpressions"].as_array().into_iter().flatten().enumerate();
    let errors = expressions.filter_map(|(index, expression)| {
        let at = |field: &str| format!("{path}.matchExpressions[{index}].{field}");
        let values = expression["values"].as_array().is_some_and(|values| !values.is_empty());
        match expression["operator"].as_str().unwrap_or_default() {
            "In" | "NotIn" if values => None,
            "In" | "NotIn" => {
                Some(Cause::required(at("values"), "must be specified when `operator` is 'In' or 'NotIn'"))
            }
            "Exists" | "DoesNotExist" if !values => None,
            "Exists" | "DoesNotExist" => {
                let detail = "may not be specified when `operator` is 'Exists' or 'DoesNotExist'";
                Some(Cause::forbidden(at("values"), detail))
            }
            other => Some(Cause::invalid(at("operator"), &other.into(), OPERATORS)),
        }
    });
    errors.collect()
}

/// Whether a valid selector matches labels.
pub(crate) fn matches(selector: &Value, labels: &Value) -> bool {
    let mut match_labels = selector["matchLabels"].as_object().into_iter().flatten();
    let mut expressions = selector["matchExpressions"].as_array().into_iter().flatten();
    match_labels.all(|(key, value)| labels.get(key) == Some(value))
        && expressions.all(|expression| {
            let label = labels.get(expression["key"].as_str().unwrap_or_default());
            let listed = || {
                let values = expression["values"].as_array();
                label.is_some_and(|label| values.is_some_and(|values| values.contains(label)))
            };
            match expression["operator"].as_str().unwrap_or_default() {
                "In" => listed(),
                "NotIn" => !listed(),
                "Exists" => label.is_some(),
                _ => label.is_none(),
            }
        })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn causes(expression: &Value) -> Vec<String> {
        let spec = json!({
            "selector": { "matchExpressions": [expression] },
            "template": { "metadata": { "labels": { "a": "b" } } },
        });
        of_a_template(&spec).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn expressions_are_validated_and_matched() {
        assert!(causes(&json!({ "key": "a", "operator": "In", "values": ["b"] })).is_empty());
        assert!(causes(&json!({ "key": "x", "operator": "DoesNotExist" })).is_empty());
        let mismatch = ["FieldValueInvalid spec.template.metadata.labels"];
        assert_eq!(causes(&json!({ "key": "a", "operator": "NotIn", "values": ["b"] })), mismatch);
        assert_eq!(causes(&json!({ "key": "x", "operator": "Exists" })), mismatch);
        let unknown = causes(&json!({ "key": "a", "operator": "in", "values": ["b"] }));
        assert_eq!(
            unknown,
            [
                "FieldValueInvalid spec.selector.matchExpressions[0].operator",
                "FieldValueInvalid spec.selector"
            ]
        );
        let without = causes(&json!({ "key": "a", "operator": "In" }));
        assert_eq!(without[0], "FieldValueRequired spec.selector.matchExpressions[0].values");
        let with = causes(&json!({ "key": "a", "operator": "Exists", "values": ["b"] }));
        assert_eq!(with[0], "FieldValueForbidden spec.selector.matchExpressions[0].values");
    }
}
