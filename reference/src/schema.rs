//! Structural schemas of custom types: what they prune, default and refuse.

use serde_json::{Map, Value};

use crate::failure::Cause;
use crate::resource::ResourceType;

/// Drops what the schema does not know, and fills in its defaults.
pub(crate) fn complete(ty: &ResourceType, object: &mut Value) {
    let Some(custom) = &ty.custom else { return };
    let Some(fields) = object.as_object_mut() else { return };
    let known = custom.schema["properties"].as_object();
    let keeps_unknown = preserves(&custom.schema);
    fields.retain(|name, _| {
        is_envelope(name) || keeps_unknown || known.is_some_and(|known| known.contains_key(name))
    });
    for (name, schema) in known.into_iter().flatten().filter(|(name, _)| !is_envelope(name)) {
        fill(schema, name, fields);
    }
}

/// What a schema refuses of an object.
pub(crate) fn validate(ty: &ResourceType, object: &Value) -> Vec<Cause> {
    let Some(custom) = &ty.custom else { return Vec::new() };
    let mut causes = Vec::new();
    let mut schema = custom.schema.clone();
    if let Some(properties) = schema["properties"].as_object_mut() {
        properties.retain(|name, _| !is_envelope(name));
    }
    check(&schema, "", object, &mut causes);
    causes
}

fn is_envelope(name: &str) -> bool {
    matches!(name, "apiVersion" | "kind" | "metadata")
}

fn preserves(schema: &Value) -> bool {
    schema["x-kubernetes-preserve-unknown-fields"] == true
}

fn fill(schema: &Value, name: &str, fields: &mut Map<String, Value>) {
    let missing = fields.get(name).is_none_or(|value| value.is_null() && schema["nullable"] != true);
    if let Some(default) = schema.get("default").filter(|_| missing) {
        fields.insert(name.to_owned(), default.clone());
    }
    if let Some(value) = fields.get_mut(name) {
        complete_value(schema, value);
    }
}

fn complete_value(schema: &Value, value: &mut Value) {
    match value {
        Value::Object(fields) => {
            if let Some(known) = schema["properties"].as_object() {
                if !preserves(schema) {
                    let extra = schema["additionalProperties"].is_object();
                    fields.retain(|name, _| extra || known.contains_key(name));
                }
                for (name, schema) in known {
                    fill(schema, name, fields);
                }
            } else if schema["additionalProperties"].is_object() {
                fields.values_mut().for_each(|value| complete_value(&schema["additionalProperties"], value));
            } else if !preserves(schema) && schema["x-kubernetes-embedded-resource"] != true {
                fields.clear();
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| complete_value(&schema["items"], item)),
        _ => {}
    }
}

fn check(schema: &Value, path: &str, value: &Value, causes: &mut Vec<Cause>) {
    if value.is_null() && (schema["nullable"] == true || path.is_empty()) {
        return;
    }
    if !has_type(schema, value) {
        let (wanted, found) = (schema["type"].as_str().unwrap_or_default(), type_of(value));
        let why = format!("{path} in body must be of type {wanted}: \"{found}\"");
        causes.push(Cause::wrong_type(path, found, &why));
        return;
    }
    check_scalar(schema, path, value, causes);
    match value {
        Value::Object(fields) => check_fields(schema, path, fields, causes),
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                check(&schema["items"], &format!("{path}[{index}]"), item, causes);
            }
        }
        _ => {}
    }
}

fn check_fields(schema: &Value, path: &str, fields: &Map<String, Value>, causes: &mut Vec<Cause>) {
    let below = |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
    for name in schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str) {
        if !fields.contains_key(name) {
            causes.push(Cause::required(below(name), ""));
        }
    }
    for (name, value) in fields {
        match schema["properties"].get(name) {
            Some(schema) => check(schema, &below(name), value, causes),
            None if schema["additionalProperties"].is_object() => {
                check(&schema["additionalProperties"], &below(name), value, causes);
            }
            None => {}
        }
    }
}

fn check_scalar(schema: &Value, path: &str, value: &Value, causes: &mut Vec<Cause>) {
    let mut refuse = |why: String| causes.push(Cause::invalid(path, value, &format!("{path} in body {why}")));
    let number = value.as_f64();
    if let (Some(number), Some(least)) = (number, schema["minimum"].as_f64())
        && number < least
    {
        refuse(format!("should be greater than or equal to {least}"));
    }
    if let (Some(number), Some(most)) = (number, schema["maximum"].as_f64())
        && number > most
    {
        refuse(format!("should be less than or equal to {most}"));
    }
    let length = value.as_str().map(|text| text.chars().count() as u64);
    if let (Some(length), Some(most)) = (length, schema["maxLength"].as_u64())
        && length > most
    {
        refuse(format!("should be at most {most} chars long"));
    }
    if let (Some(length), Some(least)) = (length, schema["minLength"].as_u64())
        && length < least
    {
        refuse(format!("should be at least {least} chars long"));
    }
    let options = schema["enum"].as_array();
    if let Some(options) = options.filter(|options| !options.contains(value)) {
        let shown: Vec<_> = options.iter().map(|option| option.as_str().unwrap_or_default()).collect();
        causes.push(Cause::not_supported(path, &value.to_string(), &shown));
    }
}

fn has_type(schema: &Value, value: &Value) -> bool {
    if schema["x-kubernetes-int-or-string"] == true {
        return value.is_string() || value.is_i64() || value.is_u64();
    }
    match schema["type"].as_str() {
        Some("object") => value.is_object(),
        Some("array") => value.is_array(),
        Some("string") => value.is_string(),
        Some("boolean") => value.is_boolean(),
        Some("integer") => value.is_i64() || value.is_u64(),
        Some("number") => value.is_number(),
        _ => true,
    }
}

fn type_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}
