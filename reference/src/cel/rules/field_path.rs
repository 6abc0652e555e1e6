//! The field that a rule reports instead of its own.

use std::fmt::Write as _;

use serde_json::Value as Json;

/// A path such as `.spec.a` or `.b['c d']` without its first dot; `None` if the schema has no such field.
pub(super) fn normalized(path: &str, schema: &Json) -> Option<String> {
    let mut schema = schema;
    let mut normalized = String::new();
    let mut rest = path;
    while !rest.is_empty() {
        let name;
        if let Some(quoted) = rest.strip_prefix("['") {
            let end = quoted.find("']")?;
            name = quoted[..end].to_owned();
            rest = &quoted[end + 2..];
        } else {
            let after = rest.strip_prefix('.')?;
            let end = after.find(['.', '[']).unwrap_or(after.len());
            name = after[..end].to_owned();
            rest = &after[end..];
        }
        if schema["properties"].is_object() {
            schema = schema["properties"].get(&name)?;
            if !normalized.is_empty() {
                normalized.push('.');
            }
            normalized.push_str(&name);
        } else if schema["additionalProperties"].is_object() {
            schema = &schema["additionalProperties"];
            // Writing to a string cannot fail.
            let _ = write!(normalized, "[{name}]");
        } else {
            return None;
        }
    }
    Some(normalized)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn paths_name_fields_of_the_schema() {
        let text = json!({"type": "string"});
        let map = json!({"type": "object", "additionalProperties": text});
        let schema = json!({"type": "object", "properties": {"a": {"type": "object", "properties": {"b-c": text}}, "m": map}});
        assert_eq!(normalized(".a['b-c']", &schema).as_deref(), Some("a.b-c"));
        assert_eq!(normalized(".m['k']", &schema).as_deref(), Some("m[k]"));
        for invalid in ["a", ".x", ".a.b", ".a['b-c'", ".a.b-c.d"] {
            assert_eq!(normalized(invalid, &schema), None, "{invalid}");
        }
    }
}
