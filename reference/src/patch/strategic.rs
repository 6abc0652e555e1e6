//! Strategic merge patch, with its directives.
//!
//! Maps are merged, lists are merged if their field has a merge strategy, and other values are replaced. The directives
//! are `$patch`, `$retainKeys`, `$setElementOrder/…` and `$deleteFromPrimitiveList/…`.

use serde_json::{Map, Value};

use crate::kind::{self, Field, Kind, Merge, Shape};

const PATCH: &str = "$patch";
const RETAIN_KEYS: &str = "$retainKeys";
const ORDER: &str = "$setElementOrder/";
const DELETE_FROM: &str = "$deleteFromPrimitiveList/";

type Fields = Map<String, Value>;

/// Merges a patch into an object of a kind, if the kind is known.
pub(super) fn merge(kind: Option<&Kind>, target: &mut Value, patch: &Value) -> Result<(), String> {
    let Value::Object(changes) = patch else {
        *target = patch.clone();
        return Ok(());
    };
    match directive(changes)? {
        Directive::Merge => {}
        Directive::Replace => {
            *target = Value::Object(without_directives(changes));
            return Ok(());
        }
        Directive::Delete => {
            *target = Value::Object(Fields::new());
            return Ok(());
        }
    }
    if !target.is_object() {
        *target = Value::Object(Fields::new());
    }
    let Some(fields) = target.as_object_mut() else { return Ok(()) };
    if let Some(kept) = changes.get(RETAIN_KEYS).and_then(Value::as_array) {
        fields.retain(|name, _| kept.iter().any(|key| key == name));
    }
    for (name, change) in changes.iter().filter(|(name, _)| !name.starts_with('$')) {
        merge_field(kind, fields, name, change, changes)?;
    }
    direct_lists(kind, fields, changes)
}

enum Directive {
    Merge,
    Replace,
    Delete,
}

fn directive(changes: &Fields) -> Result<Directive, String> {
    match changes.get(PATCH).map(|directive| directive.as_str().unwrap_or_default()) {
        None | Some("merge") => Ok(Directive::Merge),
        Some("replace") => Ok(Directive::Replace),
        Some("delete") => Ok(Directive::Delete),
        Some(other) => Err(format!("unknown patch type: {other} in map: {}", Value::Object(changes.clone()))),
    }
}

fn merge_field(
    kind: Option<&Kind>,
    fields: &mut Fields,
    name: &str,
    change: &Value,
    changes: &Fields,
) -> Result<(), String> {
    if change.is_null() || change[PATCH] == "delete" {
        fields.shift_remove(name);
        return Ok(());
    }
    let field = kind.and_then(|kind| kind.field(name));
    let value = fields.entry(name).or_insert(Value::Null);
    match (change.as_array(), field) {
        (Some(items), Some(field)) if field.merge != Merge::Replace => {
            merge_list(field, value, items, changes.get(&format!("{ORDER}{name}")))
        }
        _ => merge(field.and_then(|field| kind_of(&field.shape)), value, change),
    }
}

/// Applies the list directives for lists without changes in the patch.
fn direct_lists(kind: Option<&Kind>, fields: &mut Fields, changes: &Fields) -> Result<(), String> {
    for (name, change) in changes {
        if let Some(list) = name.strip_prefix(DELETE_FROM)
            && let Some(items) = fields.get_mut(list).and_then(Value::as_array_mut)
        {
            let removed = change.as_array().map(Vec::as_slice).unwrap_or_default();
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
fn merge_list(
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
    let mut items = before.clone();
    for change in changes {
        let key = key_of(field.merge, change)?;
        let same = items.iter().position(|item| key_of(field.merge, item).as_ref() == Ok(&key));
        let deleted = matches!(change.as_object().map(directive).transpose()?, Some(Directive::Delete));
        match same {
            Some(index) if deleted => {
                items.remove(index);
            }
            Some(index) => merge(kind_of(&field.shape), &mut items[index], change)?,
            None if deleted => {}
            None => items.push(match change.as_object() {
                Some(fields) => Value::Object(without_directives(fields)),
                None => change.clone(),
            }),
        }
    }
    let named = order.and_then(Value::as_array).map_or(changes, Vec::as_slice);
    *value = Value::Array(sort_items(field.merge, &items, named, &before));
    Ok(())
}

/// Sorts the items: those of the patch in its order, each before later items of the old list. New items are first.
fn sort_items(merge: Merge, items: &[Value], named: &[Value], before: &[Value]) -> Vec<Value> {
    let place = |list: &[Value], item: &Value| {
        list.iter().position(|other| key_of(merge, other).is_ok_and(|key| Ok(key) == key_of(merge, item)))
    };
    let (mut in_patch, others): (Vec<&Value>, Vec<&Value>) =
        items.iter().partition(|item| place(named, item).is_some());
    in_patch.sort_by_key(|item| place(named, item));
    let (mut in_patch, mut others) = (in_patch.into_iter().peekable(), others.into_iter().peekable());
    let mut sorted = Vec::new();
    loop {
        let patch_is_next = match (in_patch.peek(), others.peek()) {
            (None, None) => return sorted,
            (Some(one), Some(other)) => place(before, one) < place(before, other),
            (one, _) => one.is_some(),
        };
        let next = if patch_is_next { in_patch.next() } else { others.next() };
        sorted.extend(next.cloned());
    }
}

/// The merge key of an item: itself in a set, its key field in other lists.
fn key_of(merge: Merge, item: &Value) -> Result<Value, String> {
    let Merge::By(key) = merge else { return Ok(item.clone()) };
    let found = item.get(key).filter(|found| !found.is_null());
    found.cloned().ok_or_else(|| format!("map: {item} does not contain declared merge key: {key}"))
}

fn kind_of(shape: &Shape) -> Option<&'static Kind> {
    match shape {
        Shape::Kind(name) => kind::of(name),
        Shape::List(item) => kind_of(item),
        _ => None,
    }
}

fn without_directives(changes: &Fields) -> Fields {
    changes
        .iter()
        .filter(|(name, value)| !name.starts_with('$') && !value.is_null())
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect()
}
