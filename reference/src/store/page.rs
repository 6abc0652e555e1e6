//! Pages: key range and limit of a read, and its result.

use super::Object;

/// The part of a collection that a list asks for.
pub(crate) struct Range<'a> {
    /// What all keys begin with: `namespace/`, or nothing.
    pub(crate) prefix: &'a str,
    /// The first key that may be in it.
    pub(crate) start: String,
    /// How many items at most.
    pub(crate) limit: Option<usize>,
}

impl<'a> Range<'a> {
    /// All keys with a prefix.
    pub(crate) fn all(prefix: &'a str) -> Self {
        Self { prefix, start: prefix.to_owned(), limit: None }
    }
}

/// Some items of a collection, as they were at one revision.
#[derive(Debug)]
pub(crate) struct Page {
    /// The items, in key order.
    pub(crate) items: Vec<Object>,
    /// The revision that they were read at.
    pub(crate) revision: u64,
    /// The last key that was looked at.
    pub(crate) last_key: String,
    /// How many objects of the range come after it, selected or not.
    pub(crate) more: usize,
    /// How many objects of the range came before the last key and were not selected.
    pub(crate) passed_over: usize,
}

impl Page {
    pub(super) fn empty(revision: u64) -> Self {
        Self { items: Vec::new(), revision, last_key: String::new(), more: 0, passed_over: 0 }
    }
}
