//! Comparison of two values: removed, modified and added fields.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use super::field_set::FieldSet;
use super::path::{Element, Path};
use super::types::{Form, ListType, MapType, Type};

/// What differs between a value and the one that it becomes.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Comparison {
    /// The fields that are gone.
    pub(crate) removed: FieldSet,
    /// The fields that have another value.
    pub(crate) modified: FieldSet,
    /// The fields that are new.
    pub(crate) added: FieldSet,
}

impl Comparison {
    /// What of it is neither one of these fields nor below one.
    #[must_use]
    pub(crate) fn without(&self, fields: &FieldSet) -> Self {
        let left = |set: &FieldSet| set.recursive_difference(fields);
        Self { removed: left(&self.removed), modified: left(&self.modified), added: left(&self.added) }
    }

    /// The fields that have another value, or one at all.
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

/// Whether two values are the same; numbers are, however they are written.
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
    fn value(&mut self, ty: &Type, here: &Path, old: Option<&Value>, new: Option<&Value>) {
        // A value that changes its form is gone in one and new in the other.
        let mut leaf = false;
        let forms = [old.map(|old| ty.form(Some(old))), new.map(|new| ty.form(Some(new)))];
        for (index, form) in forms.iter().enumerate() {
            let Some(form) = form else { continue };
            if index == 0 && forms[1].is_some_and(|new| is_like(form, &new)) {
                continue;
            }
            leaf = self.form(*form, here, old, new);
        }
        match (old, new) {
            (None, Some(_)) if !leaf => self.added.insert(here),
            (Some(_), None) if !leaf => self.removed.insert(here),
            _ => {}
        }
    }

    /// Compares two values of a form; whether they were compared as a whole.
    fn form(&mut self, form: Form<'_>, here: &Path, old: Option<&Value>, new: Option<&Value>) -> bool {
        let nothing = parts(form, old) == 0 && parts(form, new) == 0;
        match form {
            Form::List(list) if !(list.is_atomic() || nothing) => {
                self.items(list, here, old, new);
                false
            }
            Form::Map(map) if !(map.atomic || nothing) => {
                self.fields(map, here, old, new);
                false
            }
            _ => {
                self.leaf(here, old, new);
                true
            }
        }
    }

    fn leaf(&mut self, here: &Path, old: Option<&Value>, new: Option<&Value>) {
        match (old, new) {
            (None, _) => self.added.insert(here),
            (_, None) => self.removed.insert(here),
            (Some(old), Some(new)) if !same(old, new) => self.modified.insert(here),
            _ => {}
        }
    }

    fn fields(&mut self, map: &MapType, here: &Path, old: Option<&Value>, new: Option<&Value>) {
        let (old, new) = (old.and_then(Value::as_object), new.and_then(Value::as_object));
        let only_new =
            new.into_iter().flatten().filter(|(name, _)| !old.is_some_and(|old| old.contains_key(*name)));
        for name in old.into_iter().flatten().chain(only_new).map(|(name, _)| name) {
            let ty = map.field(name).unwrap_or(&Type::Deduced);
            self.value(ty, &here.then(Element::field(name)), entry(old, name), entry(new, name));
        }
    }

    fn items(&mut self, list: &ListType, here: &Path, old: Option<&Value>, new: Option<&Value>) {
        let (old, new) = (grouped(list, old), grouped(list, new));
        let steps: BTreeSet<&Element> = old.keys().chain(new.keys()).collect();
        for step in steps {
            let at = |items: &BTreeMap<Element, Vec<_>>| items.get(step).cloned().unwrap_or_default();
            self.item(&list.item, &here.then(step.clone()), &at(&old), &at(&new));
        }
    }

    /// Compares what is the same item. Where it comes more than once, all of it is one value.
    fn item(&mut self, ty: &Type, here: &Path, old: &[&Value], new: &[&Value]) {
        match (old, new) {
            ([] | [_], [] | [_]) => self.value(ty, here, old.first().copied(), new.first().copied()),
            ([_, _, ..], [_, _, ..]) => {
                if old.len() != new.len() || old.iter().zip(new).any(|(old, new)| !same(old, new)) {
                    self.modified.insert(here);
                }
            }
            ([_, _, ..], new) => {
                if new.len() == 1 {
                    self.value(ty, here, None, new.first().copied());
                }
                self.removed.insert(here);
            }
            (old, _) => {
                if old.len() == 1 {
                    self.value(ty, here, old.first().copied(), None);
                }
                self.added.insert(here);
            }
        }
    }
}

fn is_like(one: &Form<'_>, other: &Form<'_>) -> bool {
    std::mem::discriminant(one) == std::mem::discriminant(other)
}

/// How many parts of a form a value has.
fn parts(form: Form<'_>, value: Option<&Value>) -> usize {
    match (form, value) {
        (Form::List(_), Some(Value::Array(items))) => items.len(),
        (Form::Map(_), Some(Value::Object(fields))) => fields.len(),
        _ => 0,
    }
}

/// The items of a list, by what tells them apart.
fn grouped<'a>(list: &ListType, value: Option<&'a Value>) -> BTreeMap<Element, Vec<&'a Value>> {
    let mut groups: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for (step, item) in indexed(list, value) {
        groups.entry(step).or_default().push(item);
    }
    groups
}

/// A field of a map, if there is a map.
pub(super) fn entry<'a>(fields: Option<&'a Map<String, Value>>, name: &str) -> Option<&'a Value> {
    fields?.get(name)
}

/// The items of a list, with what tells them apart.
pub(super) fn indexed<'a>(list: &ListType, value: Option<&'a Value>) -> Vec<(Element, &'a Value)> {
    let items = value.and_then(Value::as_array).into_iter().flatten();
    items.filter_map(|item| Some((list.element(item).ok()?, item))).collect()
}
