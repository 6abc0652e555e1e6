//! Store: versioned objects under one revision counter, with their history.
//!
//! Every write takes the next revision. The store keeps all versions of an object until compaction
//! ([`Store::compact`]), so a list can read a collection exactly at any retained revision.
//! Watches are cursors into one shared history: a slow watch delays no other, and ends with 410
//! once compaction removes its next changes.

mod collection;
mod cursor;
mod fault;
mod page;

pub(crate) use collection::{Change, Object};
pub(crate) use cursor::{Batch, Cursor};
pub(crate) use fault::Flaws;
pub use fault::StoreFlaw;
pub(crate) use page::{Page, Range};

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};
use std::time::Duration;

use serde_json::Value;
use tokio::sync::watch;

use collection::Collection;

/// The revision of an empty store. Like that of a server with a past, it is not the first number.
const FIRST_REVISION: u64 = 100;

/// How many revisions are remembered at most before the older half is forgotten.
const HISTORY: u64 = 100_000;

/// How long [`StoreFlaw::WaitsInVain`] waits: long after a slow writer has reached the version.
const IN_VAIN: Duration = Duration::from_secs(10);

/// How long a collection counts as just opened; longer where [`StoreFlaw::EmptyWhileFresh`] is to be noticed.
const FRESH: Duration = Duration::from_millis(300);
const FRESH_AND_EMPTY: Duration = Duration::from_secs(3);

/// What a writer decides after having seen the current state.
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

/// Why a version cannot be read.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Unavailable {
    /// It is forgotten.
    Expired,
    /// It is not there yet: asked for, and the current one.
    Future(u64, u64),
}

/// Versioned objects under one counter.
pub(crate) struct Store {
    shelves: RwLock<Shelves>,
    head: watch::Sender<u64>,
    flaws: Flaws,
}

/// What the lock protects, and what a writer may look at while it decides.
pub(crate) struct Shelves {
    revision: u64,
    floor: u64,
    collections: HashMap<String, Collection>,
}

impl Shelves {
    /// The current state of one object.
    pub(crate) fn get(&self, collection: &str, key: &str) -> Option<Object> {
        self.collections.get(collection)?.at(key, self.revision).cloned()
    }
}

impl Store {
    /// An empty store.
    pub(crate) fn new(flaws: Flaws) -> Self {
        let shelves = Shelves { revision: FIRST_REVISION, floor: 1, collections: HashMap::new() };
        Self { shelves: RwLock::new(shelves), head: watch::Sender::new(FIRST_REVISION), flaws }
    }

    /// Opens a collection: its history begins now (or with the store itself, `from_the_start`).
    pub(crate) fn open(&self, collection: &str, from_the_start: bool) {
        let mut shelves = self.write_lock();
        let began = if from_the_start { 1 } else { shelves.revision };
        shelves.collections.entry(collection.to_owned()).or_insert_with(|| Collection::new(began));
    }

    /// Drops a collection with everything in it, silently.
    pub(crate) fn close(&self, collection: &str) {
        self.write_lock().collections.remove(collection);
    }

    /// The newest revision.
    pub(crate) fn revision(&self) -> u64 {
        self.read_lock().revision
    }

    /// The revision that a reader of one namespace is shown instead of the newest, if a flaw has it so: that before the
    /// last write there. What is written elsewhere does not hide that it lags behind.
    pub(crate) fn behind(&self, flaw: StoreFlaw, collection: &str, prefix: &str) -> Option<u64> {
        if !self.flaws.has(flaw) || prefix.is_empty() {
            return None;
        }
        Some(self.read_lock().collections.get(collection)?.last_change(prefix)? - 1)
    }

    /// Reads one object as it was at a revision, or as it is now.
    pub(crate) fn get(&self, collection: &str, key: &str, at: Option<u64>) -> Option<Object> {
        let shelves = self.read_lock();
        let object = shelves.collections.get(collection)?.at(key, at.unwrap_or(shelves.revision))?;
        Some(self.flaws.read(object, shelves.revision))
    }

    /// An object that was read, with half of the state before it.
    pub(crate) fn mixed(&self, collection: &str, object: &Object) -> Object {
        let shelves = self.read_lock();
        let before = shelves.collections.get(collection).and_then(|found| found.before(object));
        before.map_or_else(|| object.clone(), |before| Flaws::mixed(object, &before))
    }

    /// Reads a part of a collection as it was at a revision, or as it is now.
    pub(crate) fn page(
        &self,
        collection: &str,
        range: &Range<'_>,
        at: Option<u64>,
        keep: impl Fn(&Value) -> bool,
    ) -> Result<Page, Unavailable> {
        let shelves = self.read_lock();
        let at = at.map_or(Ok(shelves.revision), |at| shelves.readable(at))?;
        let mut page = Page::empty(at);
        if let Some(collection) = shelves.collections.get(collection) {
            page = collection.page(range, at, keep);
            if !range.prefix.is_empty() {
                self.flaws.mix(&mut page.items, |object| collection.before(object));
            }
        }
        for object in &mut page.items {
            *object = self.flaws.read(object, shelves.revision);
        }
        Ok(page)
    }

    /// Writes one object, atomically: `decide` sees the current state and says what becomes of it.
    /// Answers the object as written (for a removal: as it was, with the removal's version).
    pub(crate) fn write<E>(
        &self,
        collection: &str,
        key: &str,
        commit: Commit,
        decide: impl FnOnce(&Shelves, Option<&Object>) -> Result<Decision, E>,
    ) -> Result<Object, E> {
        let mut shelves = self.write_lock();
        let current = shelves.get(collection, key);
        let decision = decide(&shelves, current.as_ref())?;
        let (state, gone) = match decision {
            Decision::Put(value) => (value, false),
            Decision::Remove(value) => (value, true),
        };
        if self.flaws.dry(commit) || self.flaws.loses_write() {
            return Ok(Arc::new(state));
        }
        if !gone && current.as_deref() == Some(&state) && !self.flaws.bumps_without_change() {
            return Ok(Arc::new(state));
        }
        let again =
            current.is_none() && shelves.collections.get(collection).is_some_and(|all| all.knows(key));
        let written = shelves.commit(collection, key, current, state, gone, &self.flaws);
        self.head.send_replace(shelves.revision);
        Ok(self.flaws.answered(written, again, shelves.revision))
    }

    /// Forgets all history up to now: older versions can no longer be read or watched from.
    pub(crate) fn compact(&self) {
        let mut shelves = self.write_lock();
        let floor = shelves.revision;
        shelves.forget(floor);
    }

    /// Forgets all history up to a revision.
    pub(crate) fn compact_to(&self, revision: u64) {
        let mut shelves = self.write_lock();
        let floor = revision.min(shelves.revision);
        if floor > shelves.floor {
            shelves.forget(floor);
        }
    }

    /// Waits until the store has reached a revision, at most for `patience`.
    pub(crate) async fn reach(&self, revision: u64, patience: Duration) -> Result<(), Unavailable> {
        let mut head = self.head.subscribe();
        let in_vain = self.flaws.has(StoreFlaw::WaitsInVain) && self.revision() < revision;
        let reached = async {
            if in_vain {
                std::future::pending::<()>().await;
            }
            head.wait_for(|current| *current >= revision).await.is_ok()
        };
        let patience = if in_vain { IN_VAIN } else { patience };
        match tokio::time::timeout(patience, reached).await {
            Ok(true) => Ok(()),
            _ => Err(Unavailable::Future(revision, self.revision())),
        }
    }

    /// Opens a cursor on the changes of a collection after a revision.
    pub(crate) fn cursor(&self, collection: &str, after: u64) -> Result<Cursor, Unavailable> {
        let shelves = self.read_lock();
        let Some(found) = shelves.collections.get(collection) else { return Err(Unavailable::Expired) };
        if after < shelves.floor || after < found.began() {
            return Err(Unavailable::Expired);
        }
        Ok(Cursor::new(collection.to_owned(), after, found.subscribe()))
    }

    /// The oldest revision that can still be watched from.
    pub(crate) fn oldest(&self, collection: &str) -> u64 {
        let shelves = self.read_lock();
        shelves.collections.get(collection).map_or(shelves.floor, |found| found.began().max(shelves.floor))
    }

    /// Has a collection count as just opened: its definition has changed.
    pub(crate) fn refresh(&self, collection: &str) {
        if let Some(collection) = self.write_lock().collections.get_mut(collection) {
            collection.refresh();
        }
    }

    /// Whether a collection was opened only just now.
    pub(crate) fn is_fresh(&self, collection: &str) -> bool {
        let empty = self.flaws.has(StoreFlaw::EmptyWhileFresh);
        let fresh = if empty { FRESH_AND_EMPTY } else { FRESH };
        self.read_lock().collections.get(collection).is_some_and(|found| found.age() < fresh)
    }

    /// The ways in which this store is wrong.
    pub(crate) fn flaws(&self) -> &Flaws {
        &self.flaws
    }

    fn read_lock(&self) -> RwLockReadGuard<'_, Shelves> {
        self.shelves.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write_lock(&self) -> RwLockWriteGuard<'_, Shelves> {
        self.shelves.write().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Shelves {
    fn readable(&self, at: u64) -> Result<u64, Unavailable> {
        match at {
            at if at > self.revision => Err(Unavailable::Future(at, self.revision)),
            at if at < self.floor => Err(Unavailable::Expired),
            at => Ok(at),
        }
    }

    fn commit(
        &mut self,
        collection: &str,
        key: &str,
        before: Option<Object>,
        mut state: Value,
        gone: bool,
        flaws: &Flaws,
    ) -> Object {
        self.revision += 1;
        let revision = self.revision;
        let shown = flaws.stamp(revision, before.as_deref(), &state, gone);
        state["metadata"]["resourceVersion"] = Value::String(shown);
        let state = Arc::new(state);
        let change = Change::new(revision, key, before, state.clone(), gone);
        self.collections.entry(collection.to_owned()).or_insert_with(|| Collection::new(1)).record(change);
        if revision - self.floor > HISTORY {
            self.forget(revision - HISTORY / 2);
        }
        if flaws.has(StoreFlaw::ForgetsAtOnce) {
            self.forget(revision);
        }
        state
    }

    fn forget(&mut self, floor: u64) {
        self.floor = floor;
        for collection in self.collections.values_mut() {
            collection.forget(floor);
        }
    }
}

#[cfg(test)]
mod tests;
