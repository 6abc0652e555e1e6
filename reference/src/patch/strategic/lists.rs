//! Merge of lists by the keys of their items.
//!
//! The items are found by their keys, not by a search: a patch can have 100,000 of them.

use std::collections::{HashMap, HashSet, VecDeque};

use serde_json::{Map, Value};

use super::{DELETE_FROM, Directive, Fields, ORDER, PATCH, directive, kind_of, merge, without_directives};
use crate::kind::{Field, Kind, Merge};

/// Applies the list directives for lists without changes in the patch.
pub(super) fn direct_lists(kind: Option<&Kind>, fields: &mut Fields, changes: &Fields) -> Result<(), String> {
    for (name, change) in changes {
        if let Some(list) = name.strip_prefix(DELETE_FROM)
            && let Some(items) = fields.get_mut(list).and_then(Value::as_array_mut)
        {
            let removed: HashSet<&Value> = change.as_array().into_iter().flatten().collect();
            items.retain(|item| !removed.contains(item));
        }
    }
    for (name, order) in changes {
        let Some(list) = name.strip_prefix(ORDER).filter(|list| !changes.contains_key(*list)) else {
            continue;
        };
        if let (Some(field), Some(value)) = (kind.and_then(|kind| kind.field(list)), fields.get_mut(list)) {
            merge_list(field, value, &[], Some(order))?;
        }
    }
    Ok(())
}

/// Merges a list: changed items follow the patch's order, other items keep their place.
pub(super) fn merge_list(
    field: &Field,
    value: &mut Value,
    changes: &[Value],
    order: Option<&Value>,
) -> Result<(), String> {
    let before = value.as_array().cloned().unwrap_or_default();
    let is_replace = |change: &Value| change[PATCH] == "replace";
    if changes.iter().any(is_replace) {
        let kept = changes.iter().filter(|change| !is_replace(change)).cloned();
        *value = Value::Array(kept.collect());
        return Ok(());
    }
    let mut items = KeyedItems::new(field.merge, &before);
    for change in changes {
        let key = required_key(field.merge, change)?;
        let deleted = matches!(change.as_object().map(directive).transpose()?, Some(Directive::Delete));
        match (items.first(key), deleted) {
            (Some(_), true) => items.remove_first(key),
            (Some(item), false) => merge(kind_of(&field.shape), item, change)?,
            (None, true) => {}
            (None, false) => items.push(change.as_object().map_or_else(|| change.clone(), new_item)),
        }
    }
    let named = order.and_then(Value::as_array).map_or(changes, Vec::as_slice);
    *value = Value::Array(sort_items(field.merge, items.into_items(), named, &before));
    Ok(())
}

fn new_item(fields: &Map<String, Value>) -> Value {
    Value::Object(without_directives(fields))
}

/// The items of a list, and where those of each key are.
struct KeyedItems {
    merge: Merge,
    /// `None` for a removed item.
    items: Vec<Option<Value>>,
    /// The indices of the remaining items: a stored list can have several with the same key.
    indices: HashMap<Value, VecDeque<usize>>,
}

impl KeyedItems {
    fn new(merge: Merge, items: &[Value]) -> Self {
        let mut keyed = Self { merge, items: Vec::with_capacity(items.len()), indices: HashMap::new() };
        for item in items {
            keyed.push(item.clone());
        }
        keyed
    }

    fn push(&mut self, item: Value) {
        if let Some(key) = key_of(self.merge, &item) {
            self.indices.entry(key.clone()).or_default().push_back(self.items.len());
        }
        self.items.push(Some(item));
    }

    /// The first item with a key.
    fn first(&mut self, key: &Value) -> Option<&mut Value> {
        let index = *self.indices.get(key)?.front()?;
        self.items.get_mut(index)?.as_mut()
    }

    fn remove_first(&mut self, key: &Value) {
        let index = self.indices.get_mut(key).and_then(VecDeque::pop_front);
        if let Some(item) = index.and_then(|index| self.items.get_mut(index)) {
            *item = None;
        }
    }

    fn into_items(self) -> Vec<Value> {
        self.items.into_iter().flatten().collect()
    }
}

/// Sorts the items: those of the patch in its order, each before later items of the old list. New items are first.
fn sort_items(merge: Merge, items: Vec<Value>, named: &[Value], before: &[Value]) -> Vec<Value> {
    let (named, before) = (first_indices(merge, named), first_indices(merge, before));
    let place = |indices: &HashMap<&Value, usize>, item: &Value| {
        key_of(merge, item).and_then(|key| indices.get(key).copied())
    };
    let mut sorted = Vec::with_capacity(items.len());
    let (mut in_patch, others): (Vec<Value>, Vec<Value>) =
        items.into_iter().partition(|item| place(&named, item).is_some());
    in_patch.sort_by_cached_key(|item| place(&named, item));
    let (mut in_patch, mut others) = (in_patch.into_iter().peekable(), others.into_iter().peekable());
    loop {
        let patch_is_next = match (in_patch.peek(), others.peek()) {
            (None, None) => return sorted,
            (Some(one), Some(other)) => place(&before, one) < place(&before, other),
            (one, _) => one.is_some(),
        };
        sorted.extend(if patch_is_next { in_patch.next() } else { others.next() });
    }
}

/// The index of the first item with each key.
fn first_indices(merge: Merge, items: &[Value]) -> HashMap<&Value, usize> {
    let mut indices = HashMap::new();
    for (index, item) in items.iter().enumerate() {
        if let Some(key) = key_of(merge, item) {
            indices.entry(key).or_insert(index);
        }
    }
    indices
}

/// The merge key of an item: itself in a set, its key field in other lists. `None` without a key.
fn key_of(merge: Merge, item: &Value) -> Option<&Value> {
    let Merge::By(key) = merge else { return Some(item) };
    item.get(key).filter(|found| !found.is_null())
}

fn required_key(merge: Merge, item: &Value) -> Result<&Value, String> {
    key_of(merge, item).ok_or_else(|| {
        let key = if let Merge::By(key) = merge { key } else { "" };
        format!("map: {item} does not contain declared merge key: {key}")
    })
}
