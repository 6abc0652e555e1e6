//! A change of an object that a history knows of.

use super::finding::Kept;

/// What an operation shows of an object: name, version, and value unless it is gone.
pub(super) type Sighting<'a> = (&'a str, &'a str, Option<&'a str>);

/// One write that happened. Its position is its place in the order, counted from 1; at 0 there was nothing.
pub(super) struct OrderedWrite<'a> {
    pub(super) name: &'a str,
    pub(super) version: &'a str,
    /// None for a deletion.
    pub(super) value: Option<&'a str>,
    /// The operation that did it; a deletion's is not known.
    pub(super) write: Option<usize>,
    /// The operations that saw it.
    pub(super) seen_by: Vec<usize>,
    /// The deletions that may have done it.
    pub(super) deleters: Vec<usize>,
}

impl OrderedWrite<'_> {
    /// What it makes of its object.
    pub(super) fn as_text(&self) -> String {
        as_text((self.name, self.version, self.value))
    }

    /// An operation that shows that it happened: the write itself, or else the first that saw it.
    pub(super) fn witness(&self, kept: &Kept) -> Option<usize> {
        self.write.iter().chain(&self.seen_by).copied().find(|operation| kept.has(*operation))
    }
}

/// What a version makes of an object: a value, or that it is gone.
pub(super) fn as_text((name, version, value): Sighting<'_>) -> String {
    match value {
        Some(value) => format!("{name} = {value} at {version}"),
        None => format!("{name} is gone at {version}"),
    }
}
