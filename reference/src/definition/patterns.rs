//! CRD schemas: every pattern is a regular expression of Go.

use serde_json::Value;

use crate::failure::Cause;
use crate::pattern::translate;

/// The errors in the patterns of a schema, also in those of `allOf`, `anyOf`, `oneOf` and `not`.
pub(super) fn errors(schema: &Value, path: &str) -> Vec<Cause> {
    let mut causes = Vec::new();
    collect(schema, path, &mut causes);
    causes
}

fn collect(schema: &Value, path: &str, causes: &mut Vec<Cause>) {
    let pattern = schema["pattern"].as_str().unwrap_or_default();
    if let Err(error) = translate(pattern) {
        let detail = format!("must be a valid regular expression, but isn't: {error}");
        causes.push(Cause::invalid(format!("{path}.pattern"), &pattern.into(), &detail));
    }
    for (name, schema) in schema["properties"].as_object().into_iter().flatten() {
        collect(schema, &format!("{path}.properties[{name}]"), causes);
    }
    for field in ["items", "additionalProperties", "not"] {
        if schema[field].is_object() {
            collect(&schema[field], &format!("{path}.{field}"), causes);
        }
    }
    for field in ["allOf", "anyOf", "oneOf"] {
        for (index, schema) in schema[field].as_array().into_iter().flatten().enumerate() {
            collect(schema, &format!("{path}.{field}[{index}]"), causes);
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn patterns_everywhere_are_checked() {
        let (wrong, right) = (json!({ "pattern": "(" }), json!({ "pattern": "(?<n>x)" }));
        let nested = json!({ "allOf": [right, { "not": wrong }], "anyOf": [wrong], "oneOf": [right, wrong] });
        let list = json!({ "items": wrong, "pattern": "" });
        let map = json!({ "additionalProperties": wrong });
        let schema = json!({ "properties": { "a": nested, "b": list, "c": map } });
        let errors: Vec<_> = errors(&schema, "s").iter().map(ToString::to_string).collect();
        let expected = [
            "s.properties[a].allOf[1].not",
            "s.properties[a].anyOf[0]",
            "s.properties[a].oneOf[1]",
            "s.properties[b].items",
            "s.properties[c].additionalProperties",
        ];
        assert_eq!(errors, expected.map(|path| format!("FieldValueInvalid {path}.pattern")));
    }
}
