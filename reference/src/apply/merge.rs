//! Merge of an applied configuration into the live object.

use serde_json::{Map, Value};

use super::comparison::{entry, indexed};
use super::path::Element;
use super::types::{Form, ListType, MapType, Type};

/// The value after an apply of `config`.
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

/// Items in only one of the lists keep their place among their neighbours. Shared items follow the order of the applied
/// list.
fn items(list: &ListType, live: Option<&Value>, config: Option<&Value>) -> Option<Value> {
    let (live, config) = (indexed(list, live), indexed(list, config));
    let applied = |step: &Element| config.iter().find(|(other, _)| other == step).map(|(_, item)| *item);
    let live_item = |step: &Element| unique_item(&live, step);
    let is_live = |step: &Element| live.iter().any(|(other, _)| other == step);
    let mut shared = config.iter().map(|(step, _)| step).filter(|step| is_live(step)).peekable();
    let mut merged: Vec<Value> = Vec::new();
    let mut done: Vec<&Element> = Vec::new();
    let (mut live_items, mut applied_items) = (live.iter().peekable(), config.iter().peekable());
    while live_items.peek().is_some() || applied_items.peek().is_some() {
        if let (Some((step, _)), Some((applied_step, item))) = (live_items.peek(), applied_items.peek()) {
            if step == applied_step {
                merged.extend(both(&list.item, live_item(step), Some(item)));
                done.push(step);
                live_items.next();
                applied_items.next();
                shared.next();
                continue;
            }
            // An applied item that is not next is merged later.
            if applied(step).is_some() && shared.peek().is_some_and(|next| *next != step) {
                live_items.next();
                continue;
            }
        }
        if let Some((step, item)) = live_items.peek() {
            if applied(step).is_none() {
                merged.push(Value::clone(item));
                live_items.next();
                continue;
            }
            if done.contains(&step) {
                live_items.next();
            }
        }
        if let Some((step, item)) = applied_items.next() {
            merged.extend(both(&list.item, live_item(step), Some(item)));
            done.push(step);
            if shared.peek().is_some_and(|next| *next == step) {
                shared.next();
            }
        }
    }
    (!merged.is_empty()).then_some(Value::Array(merged))
}

/// The item of an element, if it is unique.
fn unique_item<'a>(items: &[(Element, &'a Value)], step: &Element) -> Option<&'a Value> {
    let mut found = items.iter().filter(|(other, _)| other == step).map(|(_, item)| *item);
    let first = found.next()?;
    // Duplicates are not merged.
    found.next().is_none().then_some(first)
}
