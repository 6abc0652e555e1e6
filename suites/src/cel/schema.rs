//! Schemas of a row, in short form.
//!
//! - A word is a type: `integer`, `date-time`, `set of string`, `map of integer`.
//! - A list of one type is a list of it, and a table is an object with these properties.
//! - A text that begins with a brace is a schema as definitions have it.
//!
//! All lists, maps and texts have a limit: the server estimates the cost of a rule from the largest value.

use toml::{Table, Value as Short};

use crate::fields;
use crate::prelude::*;

/// The schema of an object with these properties.
pub(super) fn object(properties: &Table) -> Value {
    let properties: serde_json::Map<String, Value> =
        properties.iter().map(|(name, short)| (name.clone(), schema(short))).collect();
    json!({ "type": "object", "properties": properties })
}

fn schema(short: &Short) -> Value {
    match short {
        Short::String(text) if text.starts_with('{') => fields::json_of(text),
        Short::String(word) => of_word(word),
        Short::Array(items) => list(&items.first().map_or(Value::Null, schema)),
        Short::Table(properties) => object(properties),
        other => panic!("{other} is no schema: a mistake in a table"),
    }
}

fn list(items: &Value) -> Value {
    json!({ "type": "array", "maxItems": 16, "items": items })
}

fn of_word(word: &str) -> Value {
    if let Some(items) = word.strip_prefix("set of ") {
        let mut set = list(&of_word(items));
        set["x-kubernetes-list-type"] = "set".into();
        return set;
    }
    if let Some(values) = word.strip_prefix("map of ") {
        return json!({ "type": "object", "maxProperties": 16, "additionalProperties": of_word(values) });
    }
    match word {
        "integer" | "number" | "boolean" => json!({ "type": word }),
        "string" => json!({ "type": "string", "maxLength": 128 }),
        "date" | "date-time" | "duration" => json!({ "type": "string", "format": word }),
        "byte" => json!({ "type": "string", "format": "byte", "maxLength": 32 }),
        "int-or-string" => json!({ "x-kubernetes-int-or-string": true, "maxLength": 8 }),
        _ => panic!("{word} is no type: a mistake in a table"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_form_is_a_whole_schema() {
        let short =
            toml::from_str("a = ['integer']\nb = { c = 'map of byte' }\nd = '{\"type\":\"null\"}'").unwrap();
        let bytes = json!({ "type": "string", "format": "byte", "maxLength": 32 });
        let expected = json!({ "type": "object", "properties": {
            "a": { "type": "array", "maxItems": 16, "items": { "type": "integer" } },
            "b": { "type": "object", "properties": {
                "c": { "type": "object", "maxProperties": 16, "additionalProperties": bytes },
            } },
            "d": { "type": "null" },
        } });
        assert_eq!(object(&short), expected);
    }
}
