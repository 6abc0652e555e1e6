//! The first difference between two statements.

use serde_json::Value;

/// The longest shown value, in characters.
const LONGEST: usize = 60;

/// The path of the first difference, and both values; `None` if there is none.
pub(crate) fn first_difference(path: &str, signed: &Value, again: &Value) -> Option<String> {
    match (signed, again) {
        (Value::Object(ours), Value::Object(theirs)) => {
            let added = theirs.keys().filter(|name| !ours.contains_key(*name));
            ours.keys().chain(added).find_map(|name| {
                first_difference(&format!("{path}.{name}"), &signed[name.as_str()], &again[name.as_str()])
            })
        }
        (Value::Array(ours), Value::Array(theirs)) => {
            let mut numbers = 0..ours.len().max(theirs.len());
            numbers.find_map(|number| {
                first_difference(&format!("{path}[{number}]"), &signed[number], &again[number])
            })
        }
        _ if signed == again => None,
        _ => {
            let (signed, again) = (shown(signed), shown(again));
            Some(format!(
                "{} is {signed} in the certificate and {again} by the evidence",
                path.trim_start_matches('.')
            ))
        }
    }
}

fn shown(value: &Value) -> String {
    match value {
        Value::Null => "absent".to_owned(),
        value => value.to_string().chars().take(LONGEST).collect(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_first_difference_is_named_by_its_path() {
        let (a, b) = (json!({"a": [1, {"b": 2}]}), json!({"a": [1, {"b": 3}]}));
        let difference = first_difference("", &a, &b).unwrap();
        assert_eq!(difference, "a[1].b is 2 in the certificate and 3 by the evidence");
        assert_eq!(first_difference("", &a, &a), None);
    }

    #[test]
    fn a_missing_or_additional_field_is_a_difference() {
        let (a, b) = (json!({"a": [1]}), json!({"a": [1, 2], "c": 1}));
        assert!(first_difference("", &a, &b).unwrap().contains("a[1] is absent"));
        assert!(first_difference("", &json!({}), &json!({"c": 1})).unwrap().starts_with("c is absent"));
        assert!(
            first_difference("", &json!({"c": 1}), &json!({})).unwrap().ends_with("absent by the evidence")
        );
    }
}
