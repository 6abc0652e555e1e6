//! Structural schemas of custom types: pruning, defaulting and validation.
//!
//! A JSON schema library does not fit: error messages and field paths must be those of Kubernetes, and JSON schema has
//! neither pruning nor defaulting nor list types.

pub(crate) mod format;
mod validation;

use serde_json::{Map, Value};

use crate::failure::Failure;
use crate::resource_type::Custom;
use crate::{decoder, object_size};

pub(crate) use validation::validate;

/// Removes unknown fields, and adds their paths to `unknown`. `Err` for embedded metadata that does not decode.
pub(crate) fn prune(custom: &Custom, object: &mut Value, unknown: &mut Vec<String>) -> Result<(), String> {
    Pruner { unknown }.object(&custom.schema, object, "", true)
}

/// Sets the defaults. Fails as soon as they are larger than an object may be; some are set then.
pub(crate) fn complete(custom: &Custom, object: &mut Value) -> Result<(), Failure> {
    let properties = custom.schema["properties"].as_object();
    let Some(fields) = object.as_object_mut() else { return Ok(()) };
    let mut defaults = Defaults { space: object_size::MOST };
    for (name, schema) in properties.into_iter().flatten().filter(|(name, _)| !is_envelope(name)) {
        defaults.fill(schema, name, fields)?;
    }
    Ok(())
}

/// Whether every object has the field, with any schema.
fn is_envelope(name: &str) -> bool {
    matches!(name, "apiVersion" | "kind" | "metadata")
}

fn preserves(schema: &Value) -> bool {
    schema["x-kubernetes-preserve-unknown-fields"] == true
}

fn is_embedded(schema: &Value) -> bool {
    schema["x-kubernetes-embedded-resource"] == true
}

/// The schema of additional properties.
fn additional(schema: &Value) -> Option<&Value> {
    Some(&schema["additionalProperties"]).filter(|schema| schema.is_object())
}

/// The path of a field.
fn below(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
}

struct Pruner<'a> {
    unknown: &'a mut Vec<String>,
}

impl Pruner<'_> {
    fn value(&mut self, schema: &Value, value: &mut Value, path: &str) -> Result<(), String> {
        match value {
            Value::Array(items) => items.iter_mut().enumerate().try_for_each(|(index, item)| {
                self.value(&schema["items"], item, &format!("{path}[{index}]"))
            }),
            Value::Object(_) => self.object(schema, value, path, is_embedded(schema)),
            _ => Ok(()),
        }
    }

    fn object(&mut self, schema: &Value, value: &mut Value, path: &str, whole: bool) -> Result<(), String> {
        let root = path.is_empty();
        if whole && !root && value.get("metadata").is_some() {
            let metadata = &mut value["metadata"];
            let original = metadata.to_string();
            let field_path = below(path, "metadata");
            decoder::metadata(metadata, &field_path, self.unknown)
                .map_err(|detail| format!("{field_path}: Invalid value: {original}: {detail}"))?;
        }
        let Some(fields) = value.as_object_mut() else { return Ok(()) };
        let mut pruned = Map::new();
        for (name, mut value) in std::mem::take(fields) {
            let field_path = below(path, &name);
            let field_schema = schema["properties"].get(&name).or_else(|| additional(schema));
            match field_schema {
                _ if whole && is_envelope(&name) => {}
                Some(schema) => self.value(schema, &mut value, &field_path)?,
                None if preserves(schema) => {}
                None => {
                    self.unknown.push(field_path);
                    continue;
                }
            }
            pruned.insert(name, value);
        }
        *fields = pruned;
        Ok(())
    }
}

/// Removes nulls from fields that are not nullable and have no default.
pub(crate) fn drop_nulls(custom: &Custom, object: &mut Value) {
    let properties = custom.schema["properties"].as_object();
    for (name, schema) in properties.into_iter().flatten().filter(|(name, _)| !is_envelope(name)) {
        if let Some(fields) = object.as_object_mut() {
            drop_null(schema, name, fields);
        }
    }
}

fn drop_null(schema: &Value, name: &str, fields: &mut Map<String, Value>) {
    if is_invalid_null(schema, fields.get(name)) && schema.get("default").is_none() {
        fields.shift_remove(name);
    }
    if let Some(value) = fields.get_mut(name) {
        drop_nulls_below(schema, value);
    }
}

fn drop_nulls_below(schema: &Value, value: &mut Value) {
    match value {
        Value::Object(fields) => {
            let names: Vec<String> = fields.keys().cloned().collect();
            for name in names {
                let field_schema = schema["properties"].get(&name).or_else(|| additional(schema));
                if let Some(schema) = field_schema {
                    drop_null(schema, &name, fields);
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| drop_nulls_below(&schema["items"], item)),
        _ => {}
    }
}

/// Whether a field is null but not nullable.
fn is_invalid_null(schema: &Value, value: Option<&Value>) -> bool {
    value.is_some_and(Value::is_null) && schema["nullable"] != true
}

/// Sets defaults. A list of many empty items would otherwise have as many copies of a long default.
struct Defaults {
    /// The bytes that further defaults may have.
    space: usize,
}

impl Defaults {
    /// Sets the default of an absent field. Null counts as absent in fields that are not nullable.
    fn fill(&mut self, schema: &Value, name: &str, fields: &mut Map<String, Value>) -> Result<(), Failure> {
        if is_invalid_null(schema, fields.get(name)) && schema.get("default").is_some() {
            fields.shift_remove(name);
        }
        if let Some(default) = schema.get("default").filter(|_| !fields.contains_key(name)) {
            let size = object_size::field(name, default);
            self.space = self.space.checked_sub(size).ok_or_else(object_size::too_large)?;
            fields.insert(name.to_owned(), default.clone());
        }
        match fields.get_mut(name) {
            Some(value) => self.fill_below(schema, value),
            None => Ok(()),
        }
    }

    fn fill_below(&mut self, schema: &Value, value: &mut Value) -> Result<(), Failure> {
        match value {
            Value::Object(fields) => {
                let properties = schema["properties"].as_object();
                for (name, schema) in properties.into_iter().flatten() {
                    self.fill(schema, name, fields)?;
                }
                let named = |name: &str| properties.is_some_and(|properties| properties.contains_key(name));
                let Some(schema) = additional(schema) else { return Ok(()) };
                let mut others = fields.iter_mut().filter(|(name, _)| !named(name));
                others.try_for_each(|(_, value)| self.fill_below(schema, value))
            }
            Value::Array(items) => {
                items.iter_mut().try_for_each(|item| self.fill_below(&schema["items"], item))
            }
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests;
