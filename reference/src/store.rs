//! Store: versioned objects under one revision counter, with their history.
//!
//! [`Store`] is its interface. [`MemoryStore`] implements it; [`FaultyStore`] wraps that one, and is the only one that
//! knows of faults.

mod collection;
mod cursor;
mod faulty_store;
mod memory;
mod page;

pub(crate) use collection::{Change, Object};
pub(crate) use cursor::{Batch, Cursor};
pub use faulty_store::StoreFault;
pub(crate) use faulty_store::{FaultySemantics, FaultyStore, StoreFaults};
pub(crate) use memory::{MemoryStore, StoreData};
pub(crate) use page::{Page, Range};

use std::time::Duration;

use futures::future::BoxFuture;
use serde_json::Value;

use crate::failure::Failure;

/// Versioned objects under one revision counter.
///
/// Every write takes the next revision. The store keeps all versions of an object until compaction
/// ([`Store::compact`]), so a list can read a collection exactly at any retained revision.
/// Watches are cursors into one shared history: a slow watch delays no other, and ends with 410
/// once compaction removes its next changes.
pub(crate) trait Store: Send + Sync {
    /// Opens a collection: its history begins now (or with the store itself, `from_the_start`).
    fn open(&self, collection: &str, from_the_start: bool);

    /// Drops a collection with everything in it, silently.
    fn close(&self, collection: &str);

    /// Counts a collection as just opened: its definition has changed.
    fn refresh(&self, collection: &str);

    /// Whether a collection was opened, or its definition changed, only just now.
    fn is_fresh(&self, collection: &str) -> bool;

    /// The newest revision.
    fn revision(&self) -> u64;

    /// The oldest revision that can still be watched from.
    fn oldest(&self, collection: &str) -> u64;

    /// Drops all history up to a revision: older versions can no longer be read or watched from.
    fn compact(&self, revision: u64);

    /// The newest state of one object, for the server itself.
    fn current(&self, collection: &str, key: &str) -> Option<Object>;

    /// The newest state of all objects whose key has a prefix, for the server itself.
    fn all(&self, collection: &str, prefix: &str) -> Vec<Object>;

    /// Reads one object for a client.
    fn get(&self, collection: &str, key: &str, read: Read) -> Option<Object>;

    /// Reads the selected objects of a part of a collection for a client.
    fn list(&self, collection: &str, range: &Range<'_>, read: Read, keep: Filter<'_>) -> Available<Page>;

    /// Reads the newest state of a part of a collection, with a cursor on the changes after it.
    fn snapshot(&self, collection: &str, range: &Range<'_>, keep: Filter<'_>) -> Available<(Page, Cursor)>;

    /// Opens a cursor on the changes of a collection after a revision.
    fn cursor(&self, collection: &str, after: u64) -> Available<Cursor>;

    /// The next changes at a cursor.
    fn changes(&self, cursor: &mut Cursor) -> Batch;

    /// Waits until the store has reached a revision, at most for `patience`.
    fn reach(&self, revision: u64, patience: Duration) -> BoxFuture<'_, Available<()>>;

    /// Writes one object, atomically: `decide` sees the current state and decides on the next one.
    /// Returns the object as written (for a removal: its last state, with the removal's version).
    fn write(&self, collection: &str, key: &str, commit: Commit, decide: Decide<'_>) -> Written;
}

/// Whether a list selects an object.
pub(crate) type Filter<'a> = &'a dyn Fn(&Value) -> bool;

/// What was read, or why it cannot be.
pub(crate) type Available<T> = Result<T, Unavailable>;

/// The object as written, or why the writer refused.
pub(crate) type Written = Result<Object, Failure>;

/// A writer's decision, given the current state.
pub(crate) type Decide<'a> = Box<dyn FnOnce(&StoreData, Option<&Object>) -> Result<Decision, Failure> + 'a>;

/// The next state of an object.
pub(crate) enum Decision {
    /// The object becomes this. A new state equal to the current one writes nothing.
    Put(Value),
    /// The object goes; the value is its last state.
    Remove(Value),
}

/// Whether a write is carried out.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Commit {
    /// The store changes.
    Real,
    /// Everything but the change of the store (`dryRun=All`).
    Dry,
}

/// The state that a client's read asks for.
#[derive(Clone, Copy)]
pub(crate) enum Read {
    /// The newest.
    Newest,
    /// Any, perhaps from a cache (`resourceVersion=0`).
    Any,
    /// One that is not older than a revision.
    NotOlder(u64),
    /// That of a revision.
    Exactly(u64),
}

/// Why a version cannot be read.
#[derive(Debug)]
pub(crate) enum Unavailable {
    /// It was compacted.
    Expired,
    /// It does not exist yet: the requested revision, and the current one.
    Future(u64, u64),
    /// The store has a reason of its own.
    Refused(Box<Failure>),
}

#[cfg(test)]
mod tests;
