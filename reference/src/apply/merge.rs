//! Merge of an applied configuration into the live object.

use serde_json::{Map, Value};

use super::comparison::{entry, indexed};
use super::path::Element;
use super::types::{Form, ListType, MapType, Type};

/// What becomes of a value when another is applied to it.
pub(super) fn merge(ty: &Type, live: &Value, config: &Value) -> Value {
    both(ty, Some(live), Some(config)).unwrap_or_default()
}

fn both(ty: &Type, live: Option<&Value>, config: Option<&Value>) -> Option<Value> {
    let empty = |value: Option<&Value>| match value {
        Some(Value::Array(items)) => items.is_empty(),
        Some(Value::Object(fields)) => fields.is_empty(),
        _ => true,
    };
    let nothing = empty(live) && empty(config);
    match ty.form(config.or(live)) {
        Form::List(list) if !(list.is_atomic() || nothing) => items(list, live, config),
        Form::Map(map) if !(map.atomic || nothing) => fields(map, live, config),
        _ => config.or(live).cloned(),
    }
}

fn fields(map: &MapType, live: Option<&Value>, config: Option<&Value>) -> Option<Value> {
    let (live, config) = (live.and_then(Value::as_object), config.and_then(Value::as_object));
    let mut merged = Map::new();
    for name in live.into_iter().chain(config).flat_map(Map::keys) {
        if merged.contains_key(name) {
            continue;
        }
        let ty = map.field(name).unwrap_or(&Type::Deduced);
        if let Some(value) = both(ty, entry(live, name), entry(config, name)) {
            merged.insert(name.clone(), value);
        }
    }
    (!merged.is_empty()).then_some(Value::Object(merged))
}

/// Items that only one of the lists has stay among their neighbours; those of both come in the order in which they are
/// applied.
fn items(list: &ListType, live: Option<&Value>, config: Option<&Value>) -> Option<Value> {
    let (live, config) = (indexed(list, live), indexed(list, config));
    let applied = |step: &Element| config.iter().find(|(other, _)| other == step).map(|(_, item)| *item);
    let there = |step: &Element| once(&live, step);
    let known = |step: &Element| live.iter().any(|(other, _)| other == step);
    let mut shared = config.iter().map(|(step, _)| step).filter(|step| known(step)).peekable();
    let mut merged: Vec<Value> = Vec::new();
    let mut done: Vec<&Element> = Vec::new();
    let (mut left, mut right) = (live.iter().peekable(), config.iter().peekable());
    while left.peek().is_some() || right.peek().is_some() {
        if let (Some((step, _)), Some((wanted, item))) = (left.peek(), right.peek()) {
            if step == wanted {
                merged.extend(both(&list.item, there(step), Some(item)));
                done.push(step);
                left.next();
                right.next();
                shared.next();
                continue;
            }
            // One that is applied, but not next, comes later.
            if applied(step).is_some() && shared.peek().is_some_and(|next| *next != step) {
                left.next();
                continue;
            }
        }
        if let Some((step, item)) = left.peek() {
            if applied(step).is_none() {
                merged.push(Value::clone(item));
                left.next();
                continue;
            }
            if done.contains(&step) {
                left.next();
            }
        }
        if let Some((step, item)) = right.next() {
            merged.extend(both(&list.item, there(step), Some(item)));
            done.push(step);
            if shared.peek().is_some_and(|next| *next == step) {
                shared.next();
            }
        }
    }
    (!merged.is_empty()).then_some(Value::Array(merged))
}

/// An item that comes just once; several are not merged with anything.
fn once<'a>(items: &[(Element, &'a Value)], step: &Element) -> Option<&'a Value> {
    let mut found = items.iter().filter(|(other, _)| other == step).map(|(_, item)| *item);
    let first = found.next()?;
    // Several that are the same are nothing that could be merged.
    found.next().is_none().then_some(first)
}
