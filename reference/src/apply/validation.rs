//! Validation of a value against its type before a merge.

use std::collections::BTreeSet;

use serde_json::Value;

use super::path::Element;
use super::types::{Form, ListType, MapType, ScalarType, Type};

/// Checks a value against its type. Errors have the text of kube-apiserver.
pub(crate) fn validate(ty: &Type, value: &Value) -> Result<(), String> {
    check(ty, value, true)
}

/// The same for stored values, which may contain duplicates.
pub(crate) fn validate_stored(ty: &Type, value: &Value) -> Result<(), String> {
    check(ty, value, false)
}

fn check(ty: &Type, value: &Value, unique: bool) -> Result<(), String> {
    let mut found = Vec::new();
    Walk { unique, found: &mut found }.value(ty, value, "");
    match found.as_slice() {
        [] => Ok(()),
        [one] => Err(one.clone()),
        several => Err(format!("errors:\n  {}", several.join("\n  "))),
    }
}

struct Walk<'a> {
    unique: bool,
    found: &'a mut Vec<String>,
}

impl Walk<'_> {
    fn value(&mut self, ty: &Type, value: &Value, path: &str) {
        let error = match (ty.form(Some(value)), value) {
            (_, Value::Null) => None,
            (Form::Scalar(scalar), value) => scalar_error(scalar, value),
            (Form::List(list), Value::Array(items)) => {
                self.items(list, items, path);
                None
            }
            (Form::Map(map), Value::Object(_)) => {
                self.fields(map, value, path);
                None
            }
            (Form::List(_), value) => Some(format!("expected list, got &{{{}}}", go_text(value))),
            (Form::Map(_), value) => Some(format!("expected map, got &{{{}}}", go_text(value))),
        };
        if let Some(error) = error {
            self.report(path, &error);
        }
    }

    fn items(&mut self, list: &ListType, items: &[Value], path: &str) {
        let mut keys: BTreeSet<Element> = BTreeSet::new();
        for (index, item) in items.iter().enumerate() {
            let step = if list.is_atomic() {
                Ok(Element::Index(i64::try_from(index).unwrap_or(i64::MAX)))
            } else {
                list.element(item)
            };
            let step = match step {
                Ok(step) => step,
                Err(detail) => return self.report(path, &format!("element {index}: {detail}")),
            };
            if self.unique && keys.contains(&step) {
                self.report(path, &format!("duplicate entries for key {step}"));
            }
            self.value(&list.item, item, &format!("{path}{step}"));
            keys.insert(step);
        }
    }

    fn fields(&mut self, map: &MapType, value: &Value, path: &str) {
        for (name, value) in value.as_object().into_iter().flatten() {
            let field_path = format!("{path}.{name}");
            match map.field(name) {
                Some(ty) => self.value(ty, value, &field_path),
                // The first unknown field ends the check.
                None => return self.report(&field_path, "field not declared in schema"),
            }
        }
    }

    fn report(&mut self, path: &str, error: &str) {
        self.found.push(if path.is_empty() { error.to_owned() } else { format!("{path}: {error}") });
    }
}

fn scalar_error(scalar: ScalarType, value: &Value) -> Option<String> {
    match scalar {
        ScalarType::Text if !value.is_string() => {
            Some(format!("expected string, got &value.valueUnstructured{{Value:{}}}", go_syntax(value)))
        }
        ScalarType::Number if !value.is_number() => {
            Some(format!("expected numeric (int or float), got {}", go_type(value)))
        }
        ScalarType::Bool if !value.is_boolean() => {
            Some(format!("expected boolean, got &{{{}}}", go_text(value)))
        }
        ScalarType::Any if value.is_array() || value.is_object() => {
            Some(format!("expected any scalar, got &{{{}}}", go_text(value)))
        }
        _ => None,
    }
}

/// A value in Go's `%v` format.
fn go_text(value: &Value) -> String {
    match value {
        Value::Null => "<nil>".to_owned(),
        Value::String(text) => text.clone(),
        Value::Array(items) => format!("[{}]", items.iter().map(go_text).collect::<Vec<_>>().join(" ")),
        Value::Object(fields) => {
            let mut fields: Vec<_> =
                fields.iter().map(|(name, value)| format!("{name}:{}", go_text(value))).collect();
            fields.sort();
            format!("map[{}]", fields.join(" "))
        }
        other => other.to_string(),
    }
}

/// A value in Go's `%#v` format.
fn go_syntax(value: &Value) -> String {
    match value {
        Value::Null => "interface {}(nil)".to_owned(),
        Value::Array(items) => {
            format!("[]interface {{}}{{{}}}", items.iter().map(go_syntax).collect::<Vec<_>>().join(", "))
        }
        Value::Object(fields) => {
            let fields = fields.iter().map(|(name, value)| format!("{name:?}:{}", go_syntax(value)));
            format!("map[string]interface {{}}{{{}}}", fields.collect::<Vec<_>>().join(", "))
        }
        other => other.to_string(),
    }
}

fn go_type(value: &Value) -> &'static str {
    match value {
        Value::String(_) => "string",
        Value::Bool(_) => "bool",
        Value::Array(_) => "[]interface {}",
        Value::Object(_) => "map[string]interface {}",
        Value::Number(number) if number.is_f64() => "float64",
        Value::Number(_) => "int64",
        Value::Null => "<nil>",
    }
}
