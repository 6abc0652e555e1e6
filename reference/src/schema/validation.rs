//! Validation of custom objects against a structural schema.

use std::collections::HashSet;

use serde_json::{Map, Number, Value};

use super::{additional, below, format, is_embedded, is_envelope};
use crate::failure::Cause;
use crate::pattern::regex;
use crate::resource_type::Custom;

/// The maximum number of errors: each has a path, and perhaps all supported values.
const MOST: usize = 100;

/// The validation errors of an object.
pub(crate) fn validate(custom: &Custom, object: &Value) -> Vec<Cause> {
    let mut schema = custom.schema.clone();
    if let Some(properties) = schema["properties"].as_object_mut() {
        properties.retain(|name, _| !is_envelope(name));
    }
    let mut causes = Vec::new();
    check(&schema, "", object, &mut causes);
    lists(&schema, "", object, &mut causes);
    causes
}

fn check(schema: &Value, path: &str, value: &Value, causes: &mut Vec<Cause>) {
    if causes.len() >= MOST || (value.is_null() && schema["nullable"] == true) {
        return;
    }
    if !has_type(schema, value) {
        let (expected_type, actual_type) = (expected_type(schema), type_of(value));
        causes.push(Cause::wrong_type(
            path,
            actual_type,
            &format!("{path} in body must be of type {expected_type}: \"{actual_type}\""),
        ));
        return;
    }
    options(schema, path, value, causes);
    combinations(schema, path, value, causes);
    match value {
        Value::Object(fields) => object(schema, path, fields, causes),
        Value::Array(items) => array(schema, path, items, causes),
        Value::Number(number) => numbers(schema, path, number, causes),
        Value::String(text) => texts(schema, path, text, causes),
        _ => {}
    }
}

fn options(schema: &Value, path: &str, value: &Value, causes: &mut Vec<Cause>) {
    if let Some(options) = schema["enum"].as_array().filter(|options| !options.contains(value)) {
        let supported: Vec<_> = options.iter().map(|option| option.as_str().unwrap_or_default()).collect();
        causes.push(Cause::not_supported(path, &value.to_string(), &supported));
    }
}

/// `allOf`, `anyOf`, `oneOf` and `not`.
fn combinations(schema: &Value, path: &str, value: &Value, causes: &mut Vec<Cause>) {
    let fits = |schema: &&Value| {
        let mut causes = Vec::new();
        check(schema, path, value, &mut causes);
        causes.is_empty()
    };
    let list = |name: &str| schema[name].as_array().map(Vec::as_slice);
    let mut reject = |detail: &str| {
        causes.push(Cause::invalid("<nil>", &"".into(), &format!("\"{path}\" must {detail}")));
    };
    if let Some(all) = list("allOf")
        && !all.iter().all(|schema| fits(&schema))
    {
        reject("validate all the schemas (allOf)");
    }
    if let Some(any) = list("anyOf")
        && !any.iter().any(|schema| fits(&schema))
    {
        reject("validate at least one schema (anyOf)");
    }
    match list("oneOf").map(|one| one.iter().filter(fits).count()) {
        Some(0) => reject("validate one and only one schema (oneOf). Found none valid"),
        Some(count) if count > 1 => {
            reject(&format!("validate one and only one schema (oneOf). Found {count} valid alternatives"));
        }
        _ => {}
    }
    if schema["not"].is_object() && fits(&&schema["not"]) {
        reject("not validate the schema (not)");
    }
}

fn object(schema: &Value, path: &str, fields: &Map<String, Value>, causes: &mut Vec<Cause>) {
    let required = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let embedded = if is_embedded(schema) { ["apiVersion", "kind"].as_slice() } else { &[] };
    for name in required.chain(embedded.iter().copied()) {
        if causes.len() < MOST && !fields.contains_key(name) {
            causes.push(Cause::required(below(path, name), ""));
        }
    }
    count(fields.len(), schema, ("minProperties", "maxProperties", "properties"), path, causes);
    for (name, value) in fields {
        if let Some(schema) = schema["properties"].get(name).or_else(|| additional(schema)) {
            check(schema, &below(path, name), value, causes);
        }
    }
}

fn array(schema: &Value, path: &str, items: &[Value], causes: &mut Vec<Cause>) {
    count(items.len(), schema, ("minItems", "maxItems", "items"), path, causes);
    for (index, item) in items.iter().enumerate() {
        check(&schema["items"], &format!("{path}[{index}]"), item, causes);
    }
}

fn count(found: usize, schema: &Value, names: (&str, &str, &str), path: &str, causes: &mut Vec<Cause>) {
    let (least, most, what) = names;
    let bound = |name: &str| schema[name].as_u64().and_then(|bound| usize::try_from(bound).ok());
    if let Some(least) = bound(least).filter(|least| found < *least) {
        let detail = format!("{path} in body should have at least {least} {what}");
        causes.push(Cause::invalid(path, &found.into(), &detail));
    }
    if let Some(most) = bound(most).filter(|most| found > *most) {
        causes.push(Cause::too_many(path, found, most));
    }
}

fn numbers(schema: &Value, path: &str, number: &Number, causes: &mut Vec<Cause>) {
    let Some(float) = number.as_f64() else { return };
    let mut reject = |detail: String| {
        let value = Value::Number(number.clone());
        causes.push(Cause::invalid(path, &value, &format!("{path} in body should be {detail}")));
    };
    let exclusive = |name: &str| schema[name] == true;
    if let Some(least) = schema["minimum"].as_f64() {
        if exclusive("exclusiveMinimum") && float <= least {
            reject(format!("greater than {least}"));
        } else if float < least {
            reject(format!("greater than or equal to {least}"));
        }
    }
    if let Some(most) = schema["maximum"].as_f64() {
        if exclusive("exclusiveMaximum") && float >= most {
            reject(format!("less than {most}"));
        } else if float > most {
            reject(format!("less than or equal to {most}"));
        }
    }
    if let Some(factor) = schema["multipleOf"].as_f64().filter(|factor| *factor > 0.0)
        && (float / factor).fract() != 0.0
    {
        reject(format!("a multiple of {factor}"));
    }
    let fits = (f64::from(i32::MIN)..=f64::from(i32::MAX)).contains(&float);
    if schema["format"] == "int32" && !fits {
        let detail = format!("Checked value must be of type integer with format int32 in {path}");
        causes.push(Cause::invalid("<nil>", &"".into(), &detail));
    }
}

fn texts(schema: &Value, path: &str, text: &str, causes: &mut Vec<Cause>) {
    let length = text.chars().count() as u64;
    let value = Value::from(text);
    if let Some(most) = schema["maxLength"].as_u64().filter(|most| length > *most) {
        causes.push(Cause::too_long(path, most));
    }
    if let Some(least) = schema["minLength"].as_u64().filter(|least| length < *least) {
        let detail = format!("{path} in body should be at least {least} chars long");
        causes.push(Cause::invalid(path, &value, &detail));
        return;
    }
    let pattern = schema["pattern"].as_str();
    if let Some(pattern) = pattern.filter(|pattern| regex(pattern).is_some_and(|regex| !regex.is_match(text)))
    {
        causes.push(Cause::invalid(path, &value, &format!("{path} in body should match '{pattern}'")));
    }
    if let Some(format) = schema["format"].as_str().filter(|format| !format::fits(format, text)) {
        causes.push(Cause::wrong_type(
            path,
            text,
            &format!("{path} in body must be of type {format}: \"{text}\""),
        ));
    }
}

/// Sets and maps have no duplicate items.
fn lists(schema: &Value, path: &str, value: &Value, causes: &mut Vec<Cause>) {
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                if let Some(schema) = schema["properties"].get(name).or_else(|| additional(schema)) {
                    lists(schema, &below(path, name), value, causes);
                }
            }
        }
        Value::Array(items) => {
            let mut keys = HashSet::new();
            for (index, item) in items.iter().enumerate() {
                let item_path = format!("{path}[{index}]");
                if causes.len() < MOST
                    && let Some(key) = identity(schema, item)
                    && let Some(key) = keys.replace(key)
                {
                    causes.push(Cause::duplicate(&item_path, &key));
                }
                lists(&schema["items"], &item_path, item, causes);
            }
        }
        _ => {}
    }
}

/// The key of a list item: `None` in atomic lists.
fn identity(schema: &Value, item: &Value) -> Option<Value> {
    match schema["x-kubernetes-list-type"].as_str()? {
        "set" => Some(item.clone()),
        "map" => {
            let keys = schema["x-kubernetes-list-map-keys"].as_array()?.iter().filter_map(Value::as_str);
            let pairs = keys.filter_map(|key| Some((key.to_owned(), item.get(key)?.clone())));
            Some(Value::Object(pairs.collect()))
        }
        _ => None,
    }
}

fn has_type(schema: &Value, value: &Value) -> bool {
    let is_integer =
        value.is_i64() || value.is_u64() || value.as_f64().is_some_and(|number| number.fract() == 0.0);
    if schema["x-kubernetes-int-or-string"] == true {
        return value.is_string() || is_integer;
    }
    match schema["type"].as_str() {
        Some("object") => value.is_object(),
        Some("array") => value.is_array(),
        Some("string") => value.is_string(),
        Some("boolean") => value.is_boolean(),
        Some("integer") => is_integer,
        Some("number") => value.is_number(),
        _ => true,
    }
}

fn expected_type(schema: &Value) -> &str {
    if schema["x-kubernetes-int-or-string"] == true {
        return "integer,string";
    }
    schema["type"].as_str().unwrap_or_default()
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
