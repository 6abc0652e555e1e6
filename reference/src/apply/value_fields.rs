//! Field set of a value: the fields that its manager owns.

use std::collections::BTreeMap;

use serde_json::Value;

use super::field_set::FieldSet;
use super::path::{Element, Path};
use super::types::{Form, ListType, MapType, Type};

pub(crate) fn fields_of(ty: &Type, value: &Value) -> FieldSet {
    let mut set = FieldSet::default();
    collect(ty, value, &Path::default(), &mut set);
    set
}

fn collect(ty: &Type, value: &Value, path: &Path, set: &mut FieldSet) {
    match (ty.form(Some(value)), value) {
        (Form::Scalar(_), _) => set.insert(path),
        (Form::List(list), _) if list.is_atomic() => set.insert(path),
        (Form::Map(map), _) if map.atomic => set.insert(path),
        (Form::List(list), Value::Array(items)) => collect_items(list, items, path, set),
        (Form::Map(map), Value::Object(_)) => collect_fields(map, value, path, set),
        // A null list or map owns nothing here; `collect_fields` adds its field.
        _ => {}
    }
}

/// Duplicate items have one owner, without their fields.
fn collect_items(list: &ListType, items: &[Value], path: &Path, set: &mut FieldSet) {
    let steps: Vec<Option<Element>> = items.iter().map(|item| list.element(item).ok()).collect();
    let mut counts: BTreeMap<&Element, usize> = BTreeMap::new();
    for step in steps.iter().flatten() {
        *counts.entry(step).or_default() += 1;
    }
    for (step, item) in steps.iter().zip(items) {
        let Some(step) = step else { continue };
        let nested_path = path.then(step.clone());
        if counts.get(step) == Some(&1) {
            collect(&list.item, item, &nested_path, set);
        }
        set.insert(&nested_path);
    }
}

/// A named field owns through its value, unless that is empty; a map entry always owns itself.
fn collect_fields(map: &MapType, value: &Value, path: &Path, set: &mut FieldSet) {
    for (name, value) in value.as_object().into_iter().flatten() {
        let nested_path = path.then(Element::field(name));
        if let Some(ty) = map.field(name) {
            collect(ty, value, &nested_path, set);
        }
        let nothing = value.is_null() || value.as_object().is_some_and(serde_json::Map::is_empty);
        if nothing || !map.names(name) {
            set.insert(&nested_path);
        }
    }
}
