//! Validation of a value against its type before a merge.

use serde_json::Value;

use super::path::Element;
use super::types::{Form, ListType, MapType, ScalarType, Type};

/// What keeps a value from being one of a type, in the words that kube-apiserver has for it.
pub(crate) fn validate(ty: &Type, value: &Value) -> Result<(), String> {
    check(ty, value, true)
}

/// The same for what is stored, in which the same item may come twice.
pub(crate) fn validate_stored(ty: &Type, value: &Value) -> Result<(), String> {
    check(ty, value, false)
}

fn check(ty: &Type, value: &Value, once: bool) -> Result<(), String> {
    let mut found = Vec::new();
    Walk { once, found: &mut found }.value(ty, value, "");
    match found.as_slice() {
        [] => Ok(()),
        [one] => Err(one.clone()),
        several => Err(format!("errors:\n  {}", several.join("\n  "))),
    }
}

struct Walk<'a> {
    once: bool,
    found: &'a mut Vec<String>,
}

impl Walk<'_> {
    fn value(&mut self, ty: &Type, value: &Value, here: &str) {
        let wrong = match (ty.form(Some(value)), value) {
            (_, Value::Null) => None,
            (Form::Scalar(scalar), value) => wrong_scalar(scalar, value),
            (Form::List(list), Value::Array(items)) => {
                self.items(list, items, here);
                None
            }
            (Form::Map(map), Value::Object(_)) => {
                self.fields(map, value, here);
                None
            }
            (Form::List(_), value) => Some(format!("expected list, got &{{{}}}", go_text(value))),
            (Form::Map(_), value) => Some(format!("expected map, got &{{{}}}", go_text(value))),
        };
        if let Some(wrong) = wrong {
            self.tell(here, &wrong);
        }
    }

    fn items(&mut self, list: &ListType, items: &[Value], here: &str) {
        let mut known: Vec<Element> = Vec::new();
        for (index, item) in items.iter().enumerate() {
            let step = if list.is_atomic() {
                Ok(Element::Index(i64::try_from(index).unwrap_or(i64::MAX)))
            } else {
                list.element(item)
            };
            let step = match step {
                Ok(step) => step,
                Err(why) => return self.tell(here, &format!("element {index}: {why}")),
            };
            if self.once && known.contains(&step) {
                self.tell(here, &format!("duplicate entries for key {step}"));
            }
            self.value(&list.item, item, &format!("{here}{step}"));
            known.push(step);
        }
    }

    fn fields(&mut self, map: &MapType, value: &Value, here: &str) {
        for (name, value) in value.as_object().into_iter().flatten() {
            let there = format!("{here}.{name}");
            match map.field(name) {
                Some(ty) => self.value(ty, value, &there),
                // One is enough: what comes behind it is not looked at.
                None => return self.tell(&there, "field not declared in schema"),
            }
        }
    }

    fn tell(&mut self, here: &str, what: &str) {
        self.found.push(if here.is_empty() { what.to_owned() } else { format!("{here}: {what}") });
    }
}

fn wrong_scalar(scalar: ScalarType, value: &Value) -> Option<String> {
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

/// A value as Go prints it.
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

/// A value as it would stand in a Go program.
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
