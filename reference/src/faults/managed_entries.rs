//! Edits of `metadata.managedFields` entries in responses.

use serde_json::{Map, Value, json};

pub(super) use super::field_managers::entries as list;

/// The pointer to the entries.
pub(super) const MANAGED: &str = "/metadata/managedFields";

/// Edits each entry.
pub(super) fn each(object: &mut Value, edit: impl FnMut(&mut Value)) {
    list(object).into_iter().flatten().for_each(edit);
}

/// Sets a field of each entry; null removes it.
pub(super) fn set(object: &mut Value, field: &str, value: &Value) {
    each(object, |entry| match value {
        Value::Null => drop(entry.as_object_mut().and_then(|entry| entry.shift_remove(field))),
        value => entry[field] = value.clone(),
    });
}

/// Removes the entries of a manager.
pub(super) fn forget(object: &mut Value, manager: &str) {
    if let Some(entries) = list(object) {
        entries.retain(|entry| entry["manager"] != manager);
    }
}

/// Duplicates the entries of a manager.
pub(super) fn repeat(object: &mut Value, manager: &str) {
    if let Some(entries) = list(object) {
        let duplicates: Vec<_> =
            entries.iter().filter(|entry| entry["manager"] == manager).cloned().collect();
        entries.extend(duplicates);
    }
}

/// Adds an entry of a manager with these fields.
pub(super) fn add(object: &mut Value, manager: &str, operation: &str, fields: &Value) {
    let entry = json!({
        "manager": manager, "operation": operation, "apiVersion": object["apiVersion"],
        "time": object["metadata"]["creationTimestamp"], "fieldsType": "FieldsV1", "fieldsV1": fields,
    });
    if let Some(entries) = list(object) {
        entries.push(entry);
    } else if object["metadata"].is_object() {
        object["metadata"]["managedFields"] = json!([entry]);
    }
}

/// Adds a text to a manager: in the data of a config map, in the annotations of other kinds.
pub(super) fn claim(object: &mut Value, manager: &str, key: &str) {
    list(object).into_iter().flatten().filter(|entry| entry["manager"] == manager).for_each(|entry| {
        for texts in ["/f:data", "/f:metadata/f:annotations"] {
            let owned = entry["fieldsV1"].pointer_mut(texts).filter(|texts| texts.is_object());
            if let Some(texts) = owned {
                texts[format!("f:{key}")] = json!({});
            }
        }
    });
}

/// Replaces the subtree at a pointer in each entry.
pub(super) fn graft(object: &mut Value, place: &str, branch: &Value) {
    each(object, |entry| {
        if let Some(found) = entry["fieldsV1"].pointer_mut(place) {
            *found = branch.clone();
        }
    });
}

/// Edits each nonempty part of each tree.
pub(super) fn branches(object: &mut Value, edit: fn(&mut Map<String, Value>)) {
    each(object, |entry| branches_of(&mut entry["fieldsV1"], edit));
}

fn branches_of(tree: &mut Value, edit: fn(&mut Map<String, Value>)) {
    let Some(below) = tree.as_object_mut().filter(|below| !below.is_empty()) else { return };
    below.values_mut().for_each(|tree| branches_of(tree, edit));
    edit(below);
}

/// Renames the elements at one level.
pub(super) fn rename(below: &mut Map<String, Value>, name: fn(&str) -> String) {
    *below = below.iter().map(|(step, tree)| (name(step), tree.clone())).collect();
}
