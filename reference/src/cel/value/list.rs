//! Lists, whose equality and sums depend on their schema.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::{Key, Value};
use crate::cel::evaluator::EvalError;
use crate::cel::work::{ITEM, Work, all, position};

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
    pub(in crate::cel) fn contains(&self, value: &Value, work: &Work) -> Result<bool, EvalError> {
        Ok(position(&self.items, |item| item.is_equal(value, work))?.is_some())
    }

    pub(super) fn is_equal(&self, other: &Self, work: &Work) -> Result<bool, EvalError> {
        if self.items.len() != other.items.len() {
            return Ok(false);
        }
        match &self.kind {
            ListKind::Atomic => {
                all(self.items.iter().zip(&other.items), |(left, right)| left.is_equal(right, work))
            }
            ListKind::Set => {
                let members = Members::of(other);
                all(&self.items, |item| members.has(item, work))
            }
            ListKind::Map(keys) => {
                let positions = positions(keys, &other.items, work)?;
                all(&self.items, |item| match positions.get(&key_of(keys, item)) {
                    Some(position) => item.is_equal(&other.items[*position], work),
                    None => Ok(false),
                })
            }
        }
    }

    /// The sum of lists: sets are united, and entries of a map of the other list replace those with their key.
    pub(crate) fn plus(&self, other: &Self, work: &Work) -> Result<Self, EvalError> {
        work.reserve((self.items.len() + other.items.len()) as u64 * ITEM)?;
        let mut items = self.items.clone();
        match &self.kind {
            ListKind::Atomic => items.extend(other.items.iter().cloned()),
            ListKind::Set => {
                let members = Members::of(self);
                for item in &other.items {
                    if !members.has(item, work)? {
                        items.push(item.clone());
                    }
                }
            }
            ListKind::Map(keys) => {
                let mut positions = positions(keys, &items, work)?;
                for item in &other.items {
                    work.visit(item)?;
                    let position = *positions.entry(key_of(keys, item)).or_insert(items.len());
                    match items.get_mut(position) {
                        Some(own) => *own = item.clone(),
                        None => items.push(item.clone()),
                    }
                }
            }
        }
        Ok(Self { items, kind: self.kind.clone() })
    }
}

/// The members of a set. They are sorted if all are texts or integers, as in nearly every set.
pub(in crate::cel) struct Members<'a> {
    list: &'a List,
    sorted: Option<BTreeSet<Key>>,
}

impl<'a> Members<'a> {
    pub(in crate::cel) fn of(list: &'a List) -> Self {
        Self { list, sorted: list.items.iter().map(member).collect() }
    }

    pub(in crate::cel) fn has(&self, value: &Value, work: &Work) -> Result<bool, EvalError> {
        work.visit(value)?;
        match (&self.sorted, member(value)) {
            (Some(sorted), Some(value)) => Ok(sorted.contains(&value)),
            _ => self.list.contains(value, work),
        }
    }
}

fn member(value: &Value) -> Option<Key> {
    matches!(value, Value::Text(_) | Value::Int(_) | Value::Uint(_)).then(|| Key(value.clone()))
}

/// The positions of the entries of a list map by key; the first one of several with the same key.
fn positions(
    keys: &[String],
    items: &[Value],
    work: &Work,
) -> Result<BTreeMap<Vec<Option<Key>>, usize>, EvalError> {
    let mut positions = BTreeMap::new();
    for (position, item) in items.iter().enumerate() {
        work.visit(item)?;
        positions.entry(key_of(keys, item)).or_insert(position);
    }
    Ok(positions)
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
