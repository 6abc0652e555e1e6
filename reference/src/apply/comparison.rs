//! Comparison of two values: removed, modified and added fields.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use super::field_set::FieldSet;
use super::path::{Element, Path};
use super::types::{Form, ListType, MapType, Type};

/// The differences between an old and a new value.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Comparison {
    pub(crate) removed: FieldSet,
    pub(crate) modified: FieldSet,
    pub(crate) added: FieldSet,
}

impl Comparison {
    /// The fields that are neither in `fields` nor below one of them.
    #[must_use]
    pub(crate) fn without(&self, fields: &FieldSet) -> Self {
        let outside = |set: &FieldSet| set.recursive_difference(fields);
        Self {
            removed: outside(&self.removed),
            modified: outside(&self.modified),
            added: outside(&self.added),
        }
    }

    /// The modified and added fields.
    pub(crate) fn written(&self) -> FieldSet {
        self.modified.union(&self.added)
    }
}

/// Compares two values of a type.
pub(crate) fn compare(ty: &Type, old: &Value, new: &Value) -> Comparison {
    let mut comparison = Comparison::default();
    comparison.value(ty, &Path::default(), Some(old), Some(new));
    comparison
}

/// Compares two values; numbers are equal in any notation.
pub(crate) fn same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => one == other || one.as_f64() == other.as_f64(),
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| same(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            let found =
                |(name, value): (&String, &Value)| other.get(name).is_some_and(|other| same(value, other));
            one.len() == other.len() && one.iter().all(found)
        }
        (one, other) => one == other,
    }
}

impl Comparison {
    fn value(&mut self, ty: &Type, path: &Path, old: Option<&Value>, new: Option<&Value>) {
        // A value of another form is removed in the old form and added in the new one.
        let mut leaf = false;
        let forms = [old.map(|old| ty.form(Some(old))), new.map(|new| ty.form(Some(new)))];
        for (index, form) in forms.iter().enumerate() {
            let Some(form) = form else { continue };
            if index == 0 && forms[1].is_some_and(|new| is_like(form, &new)) {
                continue;
            }
            leaf = self.form(*form, path, old, new);
        }
        match (old, new) {
            (None, Some(_)) if !leaf => self.added.insert(path),
            (Some(_), None) if !leaf => self.removed.insert(path),
            _ => {}
        }
    }

    /// Compares two values of a form. True if they were compared as a whole.
    fn form(&mut self, form: Form<'_>, path: &Path, old: Option<&Value>, new: Option<&Value>) -> bool {
        let nothing = parts(form, old) == 0 && parts(form, new) == 0;
        match form {
            Form::List(list) if !(list.is_atomic() || nothing) => {
                self.items(list, path, old, new);
                false
            }
            Form::Map(map) if !(map.atomic || nothing) => {
                self.fields(map, path, old, new);
                false
            }
            _ => {
                self.leaf(path, old, new);
                true
            }
        }
    }

    fn leaf(&mut self, path: &Path, old: Option<&Value>, new: Option<&Value>) {
        match (old, new) {
            (None, _) => self.added.insert(path),
            (_, None) => self.removed.insert(path),
            (Some(old), Some(new)) if !same(old, new) => self.modified.insert(path),
            _ => {}
        }
    }

    fn fields(&mut self, map: &MapType, path: &Path, old: Option<&Value>, new: Option<&Value>) {
        let (old, new) = (old.and_then(Value::as_object), new.and_then(Value::as_object));
        let only_new =
            new.into_iter().flatten().filter(|(name, _)| !old.is_some_and(|old| old.contains_key(*name)));
        for name in old.into_iter().flatten().chain(only_new).map(|(name, _)| name) {
            let ty = map.field(name).unwrap_or(&Type::Deduced);
            self.value(ty, &path.then(Element::field(name)), entry(old, name), entry(new, name));
        }
    }

    fn items(&mut self, list: &ListType, path: &Path, old: Option<&Value>, new: Option<&Value>) {
        let (old, new) = (grouped(list, old), grouped(list, new));
        let keys: BTreeSet<&Element> = old.keys().chain(new.keys()).collect();
        for key in keys {
            let at = |items: &BTreeMap<Element, Vec<_>>| items.get(key).cloned().unwrap_or_default();
            self.item(&list.item, &path.then(key.clone()), &at(&old), &at(&new));
        }
    }

    /// Compares the values of one key. Several items with the same key are one value.
    fn item(&mut self, ty: &Type, path: &Path, old: &[&Value], new: &[&Value]) {
        match (old, new) {
            ([] | [_], [] | [_]) => self.value(ty, path, old.first().copied(), new.first().copied()),
            ([_, _, ..], [_, _, ..]) => {
                if old.len() != new.len() || old.iter().zip(new).any(|(old, new)| !same(old, new)) {
                    self.modified.insert(path);
                }
            }
            ([_, _, ..], new) => {
                if new.len() == 1 {
                    self.value(ty, path, None, new.first().copied());
                }
                self.removed.insert(path);
            }
            (old, _) => {
                if old.len() == 1 {
                    self.value(ty, path, old.first().copied(), None);
                }
                self.added.insert(path);
            }
        }
    }
}

fn is_like(one: &Form<'_>, other: &Form<'_>) -> bool {
    std::mem::discriminant(one) == std::mem::discriminant(other)
}

/// The number of items or fields of a value.
fn parts(form: Form<'_>, value: Option<&Value>) -> usize {
    match (form, value) {
        (Form::List(_), Some(Value::Array(items))) => items.len(),
        (Form::Map(_), Some(Value::Object(fields))) => fields.len(),
        _ => 0,
    }
}

/// The items of a list by key.
fn grouped<'a>(list: &ListType, value: Option<&'a Value>) -> BTreeMap<Element, Vec<&'a Value>> {
    let mut groups: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for (key, item) in indexed(list, value) {
        groups.entry(key).or_default().push(item);
    }
    groups
}

/// A field of a map, if there is a map.
pub(super) fn entry<'a>(fields: Option<&'a Map<String, Value>>, name: &str) -> Option<&'a Value> {
    fields?.get(name)
}

/// The items of a list, each with its key.
pub(super) fn indexed<'a>(list: &ListType, value: Option<&'a Value>) -> Vec<(Element, &'a Value)> {
    let items = value.and_then(Value::as_array).into_iter().flatten();
    items.filter_map(|item| Some((list.element(item).ok()?, item))).collect()
}
