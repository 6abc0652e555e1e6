//! Store: versioned objects under one revision counter, with their history.
//!
//! [`Store`] is its interface. [`MemoryStore`] implements it. [`FaultyStore`] wraps it, and only that wrapper knows
//! faults.

mod collection;
mod cursor;
mod faulty_store;
mod memory;
mod page;
mod retained;
mod shared_line;

pub(crate) use collection::{Change, Object};
pub(crate) use cursor::{Batch, Cursor};
pub use faulty_store::StoreFault;
pub(crate) use faulty_store::{FaultySemantics, FaultyStore, StoreFaults};
pub(crate) use memory::{MemoryStore, StoreData};
pub(crate) use page::{Page, Range};

use std::collections::HashSet;
use std::time::Duration;

use futures::future::BoxFuture;
use serde_json::Value;

use crate::failure::Failure;

/// Versioned objects under one revision counter.
///
/// Every write takes the next revision. The store keeps all versions of an object until [`Store::compact`], so a list
/// can read a collection exactly at any retained revision. Watches are cursors into one shared history: a slow watch
/// delays no other, and ends with 410 once compaction removes its next changes.
pub(crate) trait Store: Send + Sync {
    /// Opens a collection. Its history starts now, or at the start of the store.
    fn open(&self, collection: &str, from_start: bool);

    /// Removes a collection and its objects without watch events.
    fn close(&self, collection: &str);

    /// Marks a collection as fresh after a change of its definition.
    fn refresh(&self, collection: &str);

    /// Whether a collection or its definition is only milliseconds old.
    fn is_fresh(&self, collection: &str) -> bool;

    /// The newest revision.
    fn revision(&self) -> u64;

    /// The oldest revision for watches.
    fn oldest(&self, collection: &str) -> u64;

    /// Removes history up to a revision: older versions expire.
    fn compact(&self, revision: u64);

    /// The newest state of an object, for internal use.
    fn current(&self, collection: &str, key: &str) -> Option<Object>;

    /// The newest states of all objects with a key prefix, for internal use.
    fn all(&self, collection: &str, prefix: &str) -> Vec<Object>;

    /// The newest states of the objects that controllers act on: those being deleted, and those with owners.
    fn governed(&self, collection: &str) -> Vec<Object>;

    /// Whether an object with this UID exists.
    fn has_uid(&self, uid: &str) -> bool;

    /// Whether the objects with a key prefix take more than this many bytes of memory.
    fn takes_more(&self, collection: &str, prefix: &str, bytes: usize) -> bool;

    /// The collections that have objects with a key prefix.
    fn occupied(&self, prefix: &str) -> HashSet<String>;

    /// Reads one object for a client.
    fn get(&self, collection: &str, key: &str, read: Read) -> Option<Object>;

    /// Reads the matching objects of a key range for a client.
    fn list(&self, collection: &str, range: &Range<'_>, read: Read, keep: Filter<'_>) -> Available<Page>;

    /// Reads the newest state of a key range, with a cursor for later changes.
    fn snapshot(&self, collection: &str, range: &Range<'_>, keep: Filter<'_>) -> Available<(Page, Cursor)>;

    /// Opens a cursor for the changes after a revision.
    fn cursor(&self, collection: &str, after: u64) -> Available<Cursor>;

    fn changes(&self, cursor: &mut Cursor) -> Batch;

    /// Waits for a revision, at most for `patience`.
    fn reach(&self, revision: u64, patience: Duration) -> BoxFuture<'_, Available<()>>;

    /// Writes one object atomically: `decide` gets the current state and returns the next one. Returns the written
    /// object; for a removal the last state, with the version of the removal.
    fn write(&self, collection: &str, key: &str, commit: Commit, decide: Decide<'_>) -> Written;
}

pub(crate) type Filter<'a> = &'a dyn Fn(&Value) -> bool;

/// The result of a read, or the reason why it fails.
pub(crate) type Available<T> = Result<T, Unavailable>;

/// The written object, or the writer's failure.
pub(crate) type Written = Result<Object, Failure>;

/// A writer's decision, given the current state.
pub(crate) type Decide<'a> = Box<dyn FnOnce(&StoreData, Option<&Object>) -> Result<Decision, Failure> + 'a>;

/// The next state of an object.
pub(crate) enum Decision {
    /// The new state. A state equal to the current one writes nothing.
    Put(Value),
    /// The last state of a removed object.
    Remove(Value),
}

/// Whether a write is persisted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Commit {
    /// Persist the write.
    Real,
    /// Do not persist the write (`dryRun=All`).
    Dry,
}

/// The version of a client's read.
#[derive(Clone, Copy)]
pub(crate) enum Read {
    Newest,
    /// Any, perhaps from a cache (`resourceVersion=0`).
    Any,
    /// Any version from a revision on.
    NotOlder(u64),
    /// The version at a revision.
    Exactly(u64),
}

/// The reason why a version is unavailable.
#[derive(Debug)]
pub(crate) enum Unavailable {
    /// The version was compacted.
    Expired,
    /// The version does not exist yet: the requested and the current revision.
    Future(u64, u64),
    /// The store rejects the read.
    Refused(Box<Failure>),
}

#[cfg(test)]
mod tests;
