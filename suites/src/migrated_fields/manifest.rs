//! Manifests: a valid object of each type, and changes of it.

use crate::fields;
pub(super) use crate::fields::json_of;
use crate::prelude::*;
use crate::removed_apis::api::Api;

/// Fields as data: a JSON pointer and a value in JSON. As an expectation, `null` stands for an absent field.
pub(super) type Fields = &'static [(&'static str, &'static str)];

/// In place of a value: the field is removed.
pub(super) const REMOVED: &str = "";

/// A valid object of a type.
#[derive(Debug, Clone, Copy)]
pub(super) struct Manifest {
    pub(super) api: Api,
    /// The optional feature that the type is a part of.
    pub(super) feature: Option<&'static str>,
    /// The object, or its fields other than apiVersion, kind and name, in a namespace.
    pub(super) fields: fn(&Context, &str) -> Value,
}

pub(super) const fn manifest(api: Api, fields: fn(&Context, &str) -> Value) -> Manifest {
    Manifest { api, feature: None, fields }
}

impl Manifest {
    pub(super) const fn of_feature(self, feature: &'static str) -> Self {
        Self { feature: Some(feature), ..self }
    }
}

/// The object with these changes.
pub(super) fn changed(object: &Value, changes: &[(&str, &str)]) -> Value {
    let mut object = object.clone();
    for (pointer, value) in changes {
        change(&mut object, pointer, value);
    }
    object
}

fn change(object: &mut Value, pointer: &str, value: &str) {
    let (parents, field) = pointer.rsplit_once('/').unwrap_or_default();
    let place = parents.split('/').skip(1).fold(object, below);
    if value == REMOVED {
        fields::remove(place, field);
    } else {
        *below(place, field) = json_of(value);
    }
}

/// A field of an object, or an item of a list; one after the last item is new.
fn below<'a>(value: &'a mut Value, part: &str) -> &'a mut Value {
    match (value, part.parse::<usize>()) {
        (Value::Array(items), Ok(index)) => {
            if index == items.len() {
                items.push(Value::Null);
            }
            &mut items[index]
        }
        (value, _) => &mut value[part],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_and_items_are_set_and_removed() {
        let object = json!({ "spec": { "a": 1, "list": [{ "name": "x" }] } });
        let changes =
            [("/spec/a", REMOVED), ("/spec/b/c", "5"), ("/spec/list/0/name", "\"y\""), ("/spec/list/1", "2")];
        let expected = json!({ "spec": { "list": [{ "name": "y" }, 2], "b": { "c": 5 } } });
        assert_eq!(changed(&object, &changes), expected);
    }
}
