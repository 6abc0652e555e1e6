//! Removal of fields from a value.

use serde_json::{Map, Value};

use super::field_set::FieldSet;
use super::path::Element;
use super::types::{Form, Type};

/// A value without these fields. Emptied lists and maps become null, unless the fields include them.
pub(super) fn remove(ty: &Type, value: &Value, removed: &FieldSet) -> Value {
    match (ty.form(Some(value)), value) {
        (Form::List(list), Value::Array(items)) if !list.is_atomic() => {
            let remaining = items.iter().filter_map(|item| match list.element(item) {
                Ok(step) => without_removed(&list.item, &step, item, removed),
                Err(_) => Some(item.clone()),
            });
            null_if_empty(remaining.collect::<Vec<_>>())
        }
        (Form::Map(map), Value::Object(fields)) if !map.atomic => {
            let remaining = fields.iter().filter_map(|(name, value)| {
                let ty = map.field(name).unwrap_or(&Type::Deduced);
                Some((name.clone(), without_removed(ty, &Element::field(name), value, removed)?))
            });
            null_if_empty(remaining.collect::<Map<_, _>>())
        }
        // Only all of an atomic value can be removed.
        (Form::List(_) | Form::Map(_), Value::Array(_) | Value::Object(_)) => Value::Null,
        _ => value.clone(),
    }
}

fn without_removed(ty: &Type, step: &Element, value: &Value, removed: &FieldSet) -> Option<Value> {
    if removed.members.contains(step) {
        return None;
    }
    Some(removed.below(step).map_or_else(|| value.clone(), |removed| remove(ty, value, removed)))
}

fn null_if_empty(value: impl Into<Value>) -> Value {
    match value.into() {
        Value::Array(items) if items.is_empty() => Value::Null,
        Value::Object(fields) if fields.is_empty() => Value::Null,
        value => value,
    }
}
