//! Removal of fields from a value.

use serde_json::{Map, Value};

use super::field_set::FieldSet;
use super::path::Element;
use super::types::{Form, Type};

/// A value without these fields. What this leaves empty becomes null, unless it is one of the fields itself.
pub(super) fn remove(ty: &Type, value: &Value, gone: &FieldSet) -> Value {
    match (ty.form(Some(value)), value) {
        (Form::List(list), Value::Array(items)) if !list.is_atomic() => {
            let left = items.iter().filter_map(|item| match list.element(item) {
                Ok(step) => left(&list.item, &step, item, gone),
                Err(_) => Some(item.clone()),
            });
            something(left.collect::<Vec<_>>())
        }
        (Form::Map(map), Value::Object(fields)) if !map.atomic => {
            let left = fields.iter().filter_map(|(name, value)| {
                let ty = map.field(name).unwrap_or(&Type::Deduced);
                Some((name.clone(), left(ty, &Element::field(name), value, gone)?))
            });
            something(left.collect::<Map<_, _>>())
        }
        // Nothing below an atomic value can be removed but all of it.
        (Form::List(_) | Form::Map(_), Value::Array(_) | Value::Object(_)) => Value::Null,
        _ => value.clone(),
    }
}

fn left(ty: &Type, step: &Element, value: &Value, gone: &FieldSet) -> Option<Value> {
    if gone.members.contains(step) {
        return None;
    }
    Some(gone.below(step).map_or_else(|| value.clone(), |gone| remove(ty, value, gone)))
}

fn something(left: impl Into<Value>) -> Value {
    match left.into() {
        Value::Array(items) if items.is_empty() => Value::Null,
        Value::Object(fields) if fields.is_empty() => Value::Null,
        left => left,
    }
}
