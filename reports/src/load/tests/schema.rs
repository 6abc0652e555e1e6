//! As much of JSON Schema as our schemas use.

use serde_json::{Map, Value};

/// Every place where a value is not what a schema says.
pub(super) fn violations(schema: &Value, value: &Value) -> Vec<String> {
    let mut found = Vec::new();
    check(schema, schema, value, "", &mut found);
    found
}

fn check(root: &Value, schema: &Value, value: &Value, at: &str, found: &mut Vec<String>) {
    let rules = schema.as_object().unwrap_or_else(|| panic!("{at}: {schema} is no schema"));
    for (rule, says) in rules {
        let holds = match rule.as_str() {
            "$ref" => {
                let place = says.as_str().unwrap().trim_start_matches('#');
                check(root, root.pointer(place).unwrap(), value, at, found);
                true
            }
            "type" => is(says.as_str().unwrap(), value),
            "enum" => says.as_array().unwrap().contains(value),
            "const" => says == value,
            "minimum" => value.as_f64().is_none_or(|number| number >= says.as_f64().unwrap()),
            "maximum" => value.as_f64().is_none_or(|number| number <= says.as_f64().unwrap()),
            "required" => {
                says.as_array().unwrap().iter().all(|name| value.get(name.as_str().unwrap()).is_some())
            }
            "items" => {
                for (number, item) in value.as_array().into_iter().flatten().enumerate() {
                    check(root, says, item, &format!("{at}/{number}"), found);
                }
                true
            }
            "properties" | "additionalProperties" | "$schema" | "$id" | "$defs" | "title" | "description" => {
                true
            }
            other => panic!("{at}: the schema uses {other}, which this reader does not know"),
        };
        if !holds {
            found.push(format!("{at}: {rule} {says}"));
        }
    }
    if let Some(object) = value.as_object() {
        members(root, rules, object, at, found);
    }
}

fn members(
    root: &Value,
    rules: &Map<String, Value>,
    object: &Map<String, Value>,
    at: &str,
    found: &mut Vec<String>,
) {
    for (name, member) in object {
        let at = format!("{at}/{name}");
        match (rules.get("properties").and_then(|named| named.get(name)), rules.get("additionalProperties")) {
            (None, Some(Value::Bool(false))) => found.push(format!("{at}: is not in the schema")),
            (Some(schema), _) | (None, Some(schema @ Value::Object(_))) => {
                check(root, schema, member, &at, found);
            }
            (None, _) => {}
        }
    }
}

fn is(name: &str, value: &Value) -> bool {
    match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_u64() || value.is_i64(),
        "number" => value.is_number(),
        other => panic!("{other} is no type"),
    }
}
