//! Lists, whose equality and sums depend on their schema.

use std::sync::Arc;

use super::{Key, Value};

/// A list, with the rules of equality of its schema.
#[derive(Debug, Clone, Default)]
pub(crate) struct List {
    pub(crate) items: Vec<Value>,
    pub(crate) kind: ListKind,
}

/// The type of a list in its schema.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) enum ListKind {
    #[default]
    Atomic,
    Set,
    /// The escaped names of the keys.
    Map(Arc<[String]>),
}

impl List {
    pub(crate) fn contains(&self, value: &Value) -> bool {
        self.items.iter().any(|item| item.equals(value))
    }

    pub(super) fn equals(&self, other: &Self) -> bool {
        if self.items.len() != other.items.len() {
            return false;
        }
        let has = |item: &Value| match &self.kind {
            ListKind::Map(keys) => {
                let entry = other.items.iter().find(|other| key_of(keys, other) == key_of(keys, item));
                entry.is_some_and(|entry| item.equals(entry))
            }
            _ => other.contains(item),
        };
        match self.kind {
            ListKind::Atomic => self.items.iter().zip(&other.items).all(|(left, right)| left.equals(right)),
            _ => self.items.iter().all(has),
        }
    }

    /// The sum of lists: sets are united, and entries of a map of the other list replace those with their key.
    pub(crate) fn plus(&self, other: &Self) -> Self {
        let mut items = self.items.clone();
        match &self.kind {
            ListKind::Atomic => items.extend(other.items.iter().cloned()),
            ListKind::Set => {
                let added = other.items.iter().filter(|item| !self.contains(item));
                items.extend(added.cloned());
            }
            ListKind::Map(keys) => {
                for item in &other.items {
                    match items.iter_mut().find(|own| key_of(keys, own) == key_of(keys, item)) {
                        Some(own) => *own = item.clone(),
                        None => items.push(item.clone()),
                    }
                }
            }
        }
        Self { items, kind: self.kind.clone() }
    }
}

/// Whether two entries of a list map have the same key.
pub(crate) fn have_same_key(keys: &[String], left: &Value, right: &Value) -> bool {
    key_of(keys, left) == key_of(keys, right)
}

/// The key of an entry of a list map.
fn key_of(keys: &[String], entry: &Value) -> Vec<Option<Key>> {
    let field = |name: &String| match entry {
        Value::Object(object) => object.fields.get(name).cloned().map(Key),
        _ => None,
    };
    keys.iter().map(field).collect()
}
