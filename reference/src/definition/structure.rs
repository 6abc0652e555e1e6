//! CRD schemas: every object, field and item has a type.

use serde_json::Value;

use crate::failure::Cause;

/// Where a schema is.
#[derive(Clone, Copy)]
enum Level {
    Root,
    Field,
    Item,
}

/// The errors in a schema without types.
pub(super) fn errors(schema: &Value, path: &str) -> Vec<Cause> {
    errors_at(schema, path, Level::Root)
}

fn errors_at(schema: &Value, path: &str, level: Level) -> Vec<Cause> {
    let mut causes: Vec<Cause> = type_error(schema, path, level).into_iter().collect();
    for (name, schema) in schema["properties"].as_object().into_iter().flatten() {
        causes.extend(errors_at(schema, &format!("{path}.properties[{name}]"), Level::Field));
    }
    for (field, level) in [("items", Level::Item), ("additionalProperties", Level::Field)] {
        if schema[field].is_object() {
            causes.extend(errors_at(&schema[field], &format!("{path}.{field}"), level));
        }
    }
    causes
}

fn type_error(schema: &Value, path: &str, level: Level) -> Option<Cause> {
    let field = format!("{path}.type");
    let flag = |name: &str| schema[format!("x-kubernetes-{name}")] == true;
    let any_type = flag("int-or-string") || flag("preserve-unknown-fields");
    match (level, schema["type"].as_str().unwrap_or_default()) {
        (Level::Root, "") => Some(Cause::required(field, "must not be empty at the root")),
        (Level::Root, "object") => None,
        (Level::Root, other) => Some(Cause::invalid(field, &other.into(), "must be object at the root")),
        (Level::Field, "") if !any_type => {
            Some(Cause::required(field, "must not be empty for specified object fields"))
        }
        (Level::Item, "") if !any_type => {
            Some(Cause::required(field, "must not be empty for specified array items"))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn every_part_has_a_type() {
        let errors = |schema: Value| errors(&schema, "s").iter().map(ToString::to_string).collect::<Vec<_>>();
        let any = json!({ "x-kubernetes-preserve-unknown-fields": true });
        assert!(errors(json!({ "type": "object", "properties": { "a": any } })).is_empty());
        assert_eq!(errors(any), ["FieldValueRequired s.type"]);
        let list = json!({ "type": "array", "items": {} });
        assert_eq!(
            errors(json!({ "type": "object", "properties": { "a": {}, "b": list } })),
            ["FieldValueRequired s.properties[a].type", "FieldValueRequired s.properties[b].items.type"]
        );
    }
}
