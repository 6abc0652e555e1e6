//! The changes of objects in a history.

use super::finding::Kept;

/// A state of an object in an operation: name, version, and the value unless it is deleted.
pub(super) type Sighting<'a> = (&'a str, &'a str, Option<&'a str>);

/// One write that happened. Its position in the order counts from 1; at 0 no object exists.
pub(super) struct OrderedWrite<'a> {
    pub(super) name: &'a str,
    pub(super) version: &'a str,
    /// `None` for a deletion.
    pub(super) value: Option<&'a str>,
    /// The operation that did it; unknown for a deletion.
    pub(super) write: Option<usize>,
    /// The operations that saw it.
    pub(super) seen_by: Vec<usize>,
    /// The deletions that may have done it.
    pub(super) deleters: Vec<usize>,
}

impl OrderedWrite<'_> {
    /// The state after it, as text.
    pub(super) fn as_text(&self) -> String {
        as_text((self.name, self.version, self.value))
    }

    /// An operation that proves it: the write itself, or the first that saw it.
    pub(super) fn witness(&self, kept: &Kept) -> Option<usize> {
        self.write.iter().chain(&self.seen_by).copied().find(|operation| kept.has(*operation))
    }
}

/// A state as text: a value, or a deletion.
pub(super) fn as_text((name, version, value): Sighting<'_>) -> String {
    match value {
        Some(value) => format!("{name} = {value} at {version}"),
        None => format!("{name} is gone at {version}"),
    }
}
