//! Comparison of a sent object with the returned one.

use crate::prelude::*;

/// The sent object without zero values: built-in types omit them.
pub(super) fn without_nothings(sent: &Value) -> Value {
    match sent {
        Value::Object(fields) => {
            let kept = fields.iter().map(|(name, value)| (name.clone(), without_nothings(value)));
            kept.filter(|(_, value)| !is_nothing(value)).collect()
        }
        Value::Array(items) => items.iter().map(without_nothings).collect(),
        value => value.clone(),
    }
}

fn is_nothing(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Bool(value) => !value,
        Value::Number(number) => number.as_f64() == Some(0.0),
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(fields) => fields.is_empty(),
    }
}

/// The paths of expected fields, items and values that the object does not have. It may have others.
pub(super) fn lacking(expected: &Value, returned: &Value, path: &str, missing: &mut Vec<String>) {
    match (expected, returned) {
        (Value::Object(fields), Value::Object(_)) => {
            for (name, value) in fields {
                lacking(value, &returned[name.as_str()], &format!("{path}.{name}"), missing);
            }
        }
        (Value::Array(items), Value::Array(all)) => {
            let missing_items =
                items.iter().enumerate().filter(|(_, item)| !all.iter().any(|one| has(one, item)));
            for (index, item) in missing_items {
                lacking(item, all.get(index).unwrap_or(&Value::Null), &format!("{path}[{index}]"), missing);
            }
        }
        _ if expected == returned || is_same_amount(expected, returned) => {}
        _ => missing.push(format!("{path} {returned} instead of {expected}")),
    }
}

/// Whether an item of the returned list has all of the sent item.
fn has(returned: &Value, item: &Value) -> bool {
    let mut missing = Vec::new();
    lacking(item, returned, "", &mut missing);
    missing.is_empty()
}

/// Whether two values are quantities of the same amount: servers return the canonical form.
fn is_same_amount(one: &Value, other: &Value) -> bool {
    let both = amount(one).zip(amount(other));
    both.is_some_and(|(one, other)| (one - other).abs() <= one.abs() * 1e-9)
}

/// The amount of a quantity such as `500m` or `1Gi`.
fn amount(value: &Value) -> Option<f64> {
    let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let is_number = |c: char| c.is_ascii_digit() || matches!(c, '.' | '+' | '-');
    let (number, unit) = text.split_at(text.find(|c| !is_number(c)).unwrap_or(text.len()));
    let prefixes = |of: f64, all: &str, prefix: &str| {
        all.find(prefix).and_then(|at| i32::try_from(at + 1).ok()).map(|power| of.powi(power))
    };
    let factor = match (unit, unit.strip_suffix('i')) {
        ("", _) => 1.0,
        ("m", _) => 1e-3,
        ("u", _) => 1e-6,
        ("n", _) => 1e-9,
        (_, Some(prefix)) if prefix.len() == 1 => prefixes(1024.0, "KMGTPE", prefix)?,
        (prefix, None) if prefix.len() == 1 => prefixes(1e3, "kMGTPE", prefix)?,
        _ => return text.parse().ok().filter(|_| text.starts_with(is_number)),
    };
    Some(number.parse::<f64>().ok()? * factor)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn lacks(expected: &Value, returned: &Value) -> Vec<String> {
        let mut missing = Vec::new();
        lacking(expected, returned, "spec", &mut missing);
        missing
    }

    #[test]
    fn what_is_added_is_not_lacking() {
        let sent = json!({ "template": {}, "ports": [{ "port": 80 }] });
        let returned = json!({ "template": { "restartPolicy": "Always" }, "ports": [{ "port": 1 }, { "port": 80, "protocol": "TCP" }] });
        assert_eq!(lacks(&sent, &returned), Vec::<String>::new());
        let other = json!({ "template": {}, "ports": [{ "port": 81 }] });
        assert_eq!(lacks(&sent, &other), ["spec.ports[0].port 81 instead of 80"]);
        assert_eq!(
            lacks(&sent, &json!({})),
            ["spec.template null instead of {}", "spec.ports null instead of [{\"port\":80}]"]
        );
    }

    #[test]
    fn an_amount_may_be_shown_in_another_form() {
        for (sent, returned) in [
            ("1000m", json!("1")),
            ("0.5", json!("500m")),
            ("1024Mi", json!("1Gi")),
            ("1", json!(1)),
            ("1e3", json!("1k")),
        ] {
            assert_eq!(
                lacks(&json!({ "cpu": sent }), &json!({ "cpu": returned })),
                Vec::<String>::new(),
                "{sent}"
            );
        }
        for (sent, returned) in
            [("1000m", "2"), ("1G", "1Gi"), ("a1", "a2"), ("1i", "1"), ("", "0"), ("inf", "nan")]
        {
            assert!(!is_same_amount(&json!(sent), &json!(returned)), "{sent} {returned}");
        }
    }

    #[test]
    fn nothings_may_be_left_out() {
        let sent = json!({ "paused": false, "a": { "b": [], "c": "" }, "d": [{ "e": 0 }], "f": "g" });
        assert_eq!(without_nothings(&sent), json!({ "d": [{}], "f": "g" }));
    }
}
