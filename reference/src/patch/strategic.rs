//! Strategic merge patch, as far as the built-in types of this server need it: maps are merged, lists of
//! known fields are merged by key, all else is replaced; `$patch`, `$retainKeys`, `$setElementOrder/…` and
//! `$deleteFromPrimitiveList/…` are understood.

use serde_json::{Map, Value};

const PATCH: &str = "$patch";
const RETAIN_KEYS: &str = "$retainKeys";
const ORDER: &str = "$setElementOrder/";
const DELETE_FROM: &str = "$deleteFromPrimitiveList/";

/// How the lists of one field are merged.
#[derive(Clone, Copy)]
enum Merge {
    /// As a set of scalars.
    Set,
    /// By the value of a field.
    By(&'static str),
    /// Not at all.
    Replace,
}

fn strategy(field: &str) -> Merge {
    match field {
        "metadata.finalizers" => Merge::Set,
        "metadata.ownerReferences" => Merge::By("uid"),
        "status.conditions" => Merge::By("type"),
        "secrets" | "imagePullSecrets" => Merge::By("name"),
        _ => Merge::Replace,
    }
}

/// Merges a patch into the value at a field.
pub(super) fn merge(target: &mut Value, patch: &Value, field: &str) -> Result<(), String> {
    let Value::Object(changes) = patch else {
        *target = patch.clone();
        return Ok(());
    };
    match changes.get(PATCH).map(|directive| directive.as_str().unwrap_or_default()) {
        None | Some("merge") => {}
        Some("replace") => {
            *target = Value::Object(without_directives(changes));
            return Ok(());
        }
        Some("delete") => {
            *target = Value::Object(Map::new());
            return Ok(());
        }
        Some(other) => return Err(format!("Unknown patch type found: {other}")),
    }
    if !target.is_object() {
        *target = Value::Object(Map::new());
    }
    let Some(fields) = target.as_object_mut() else { return Ok(()) };
    retain(fields, changes);
    let (orders, merges): (Vec<_>, Vec<_>) = changes.iter().partition(|(name, _)| name.starts_with(ORDER));
    for (name, change) in merges.into_iter().chain(orders) {
        merge_field(fields, name, change, field)?;
    }
    Ok(())
}

fn merge_field(
    fields: &mut Map<String, Value>,
    name: &str,
    change: &Value,
    parent: &str,
) -> Result<(), String> {
    let below = |name: &str| if parent.is_empty() { name.to_owned() } else { format!("{parent}.{name}") };
    if name.starts_with('$') {
        direct(fields, name, change, below);
        return Ok(());
    }
    if change.is_null() {
        fields.shift_remove(name);
        return Ok(());
    }
    let value = fields.entry(name).or_insert(Value::Null);
    match (change.as_array(), strategy(&below(name))) {
        (Some(changes), Merge::Set) => merge_set(value, changes),
        (Some(changes), Merge::By(key)) => merge_list(value, changes, key, &below(name))?,
        _ => merge(value, change, &below(name))?,
    }
    Ok(())
}

/// Does what a directive says about a list beside it.
fn direct(fields: &mut Map<String, Value>, name: &str, change: &Value, below: impl Fn(&str) -> String) {
    let mut items = |list: &str| fields.get_mut(list).and_then(Value::as_array_mut).map(std::mem::take);
    if let Some(list) = name.strip_prefix(DELETE_FROM)
        && let Some(mut items) = items(list)
    {
        let gone = change.as_array().cloned().unwrap_or_default();
        items.retain(|item| !gone.contains(item));
        fields.insert(list.to_owned(), items.into());
    } else if let Some(list) = name.strip_prefix(ORDER)
        && let Some(mut items) = items(list)
    {
        order(&mut items, change, strategy(&below(list)));
        fields.insert(list.to_owned(), items.into());
    }
}

fn retain(fields: &mut Map<String, Value>, changes: &Map<String, Value>) {
    if let Some(kept) = changes.get(RETAIN_KEYS).and_then(Value::as_array) {
        fields.retain(|name, _| kept.iter().any(|one| one == name));
    }
}

fn merge_set(value: &mut Value, changes: &[Value]) {
    let mut items = value.as_array().cloned().unwrap_or_default();
    for change in changes {
        if !items.contains(change) {
            items.push(change.clone());
        }
    }
    *value = Value::Array(items);
}

fn merge_list(value: &mut Value, changes: &[Value], key: &str, field: &str) -> Result<(), String> {
    let mut items = value.as_array().cloned().unwrap_or_default();
    if changes.iter().any(|change| change[PATCH] == "replace") {
        items.clear();
    }
    for change in changes {
        let same = |item: &Value| item[key] == change[key];
        if change[PATCH] == "replace" && change.get(key).is_none() {
            continue;
        }
        if change.get(key).is_none() {
            return Err(format!("map: {change} does not contain declared merge key: {key}"));
        }
        match items.iter().position(same) {
            Some(index) if change[PATCH] == "delete" => {
                items.remove(index);
            }
            Some(index) => merge(&mut items[index], change, field)?,
            None if change[PATCH] == "delete" => {}
            None => items.push(Value::Object(change.as_object().map(without_directives).unwrap_or_default())),
        }
    }
    *value = Value::Array(items);
    Ok(())
}

fn order(items: &mut [Value], wanted: &Value, strategy: Merge) {
    let wanted = wanted.as_array().map(Vec::as_slice).unwrap_or_default();
    let place = |item: &Value| {
        let found = wanted.iter().position(|one| match strategy {
            Merge::By(key) => one[key] == item[key],
            Merge::Set | Merge::Replace => one == item,
        });
        found.unwrap_or(wanted.len())
    };
    items.sort_by_key(place);
}

fn without_directives(changes: &Map<String, Value>) -> Map<String, Value> {
    changes
        .iter()
        .filter(|(name, value)| !name.starts_with('$') && !value.is_null())
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect()
}
