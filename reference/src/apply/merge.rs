//! Merge of an applied configuration into the live object.

use std::collections::{BTreeMap, BTreeSet};

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
    let unique = unique_items(&live);
    let live_item = |step: &Element| unique.get(step).copied().flatten();
    let applied: BTreeSet<&Element> = config.iter().map(|(step, _)| step).collect();
    let mut shared = config.iter().map(|(step, _)| step).filter(|step| unique.contains_key(step)).peekable();
    let mut merged: Vec<Value> = Vec::new();
    let mut done: BTreeSet<&Element> = BTreeSet::new();
    let (mut live_items, mut applied_items) = (live.iter().peekable(), config.iter().peekable());
    while live_items.peek().is_some() || applied_items.peek().is_some() {
        if let (Some((step, _)), Some((applied_step, item))) = (live_items.peek(), applied_items.peek()) {
            if step == applied_step {
                merged.extend(both(&list.item, live_item(step), Some(item)));
                done.insert(step);
                live_items.next();
                applied_items.next();
                shared.next();
                continue;
            }
            // An applied item that is not next is merged later.
            if applied.contains(step) && shared.peek().is_some_and(|next| *next != step) {
                live_items.next();
                continue;
            }
        }
        if let Some((step, item)) = live_items.peek() {
            if !applied.contains(step) {
                merged.push(Value::clone(item));
                live_items.next();
                continue;
            }
            if done.contains(step) {
                live_items.next();
            }
        }
        if let Some((step, item)) = applied_items.next() {
            merged.extend(both(&list.item, live_item(step), Some(item)));
            done.insert(step);
            if shared.peek().is_some_and(|next| *next == step) {
                shared.next();
            }
        }
    }
    (!merged.is_empty()).then_some(Value::Array(merged))
}

/// The item of each element: `None` for several items, because duplicates are not merged.
fn unique_items<'a, 'b>(items: &'b [(Element, &'a Value)]) -> BTreeMap<&'b Element, Option<&'a Value>> {
    let mut unique = BTreeMap::new();
    for (step, item) in items {
        unique.entry(step).and_modify(|first| *first = None).or_insert(Some(*item));
    }
    unique
}
