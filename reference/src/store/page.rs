//! Pages: key range and limit of a read, and its result.

use super::Object;

/// A key range of a collection.
pub(crate) struct Range<'a> {
    /// The prefix of all keys: `namespace/`, or empty.
    pub(crate) prefix: &'a str,
    /// The first key of the range.
    pub(crate) start: String,
    /// The maximum number of items.
    pub(crate) limit: Option<usize>,
}

impl<'a> Range<'a> {
    pub(crate) fn all(prefix: &'a str) -> Self {
        Self { prefix, start: prefix.to_owned(), limit: None }
    }
}

/// A page of a collection at one revision.
#[derive(Debug)]
pub(crate) struct Page {
    /// The items, in key order.
    pub(crate) items: Vec<Object>,
    /// The revision of the read.
    pub(crate) revision: u64,
    /// The last examined key.
    pub(crate) last_key: String,
    /// The number of objects in the range after the last key, matching or not.
    pub(crate) more: usize,
    /// The number of objects in the range up to the last key that do not match.
    pub(crate) passed_over: usize,
}

impl Page {
    pub(super) fn empty(revision: u64) -> Self {
        Self { items: Vec::new(), revision, last_key: String::new(), more: 0, passed_over: 0 }
    }
}
