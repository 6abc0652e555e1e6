//! Field set of a value: the fields that its manager owns.

use serde_json::Value;

use super::field_set::FieldSet;
use super::path::{Element, Path};
use super::types::{Form, ListType, MapType, Type};

/// The fields that a value has, by its type.
pub(crate) fn fields_of(ty: &Type, value: &Value) -> FieldSet {
    let mut set = FieldSet::default();
    collect(ty, value, &Path::default(), &mut set);
    set
}

fn collect(ty: &Type, value: &Value, here: &Path, set: &mut FieldSet) {
    match (ty.form(Some(value)), value) {
        (Form::Scalar(_), _) => set.insert(here),
        (Form::List(list), _) if list.is_atomic() => set.insert(here),
        (Form::Map(map), _) if map.atomic => set.insert(here),
        (Form::List(list), Value::Array(items)) => collect_items(list, items, here, set),
        (Form::Map(map), Value::Object(_)) => collect_fields(map, value, here, set),
        // Nothing is owned by whoever says that there is nothing; its field is, see below.
        _ => {}
    }
}

/// Items that come twice are owned together, without what is in them.
fn collect_items(list: &ListType, items: &[Value], here: &Path, set: &mut FieldSet) {
    let steps: Vec<Option<Element>> = items.iter().map(|item| list.element(item).ok()).collect();
    for (step, item) in steps.iter().zip(items) {
        let Some(step) = step else { continue };
        let there = here.then(step.clone());
        let once = steps.iter().flatten().filter(|other| *other == step).count() == 1;
        if once {
            collect(&list.item, item, &there, set);
        }
        set.insert(&there);
    }
}

/// A field with a name in the type is owned by what is in it, unless there is nothing in it; an entry of a map always is.
fn collect_fields(map: &MapType, value: &Value, here: &Path, set: &mut FieldSet) {
    for (name, value) in value.as_object().into_iter().flatten() {
        let there = here.then(Element::field(name));
        if let Some(ty) = map.field(name) {
            collect(ty, value, &there, set);
        }
        let nothing = value.is_null() || value.as_object().is_some_and(serde_json::Map::is_empty);
        if nothing || !map.names(name) {
            set.insert(&there);
        }
    }
}
