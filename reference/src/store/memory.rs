//! `MemoryStore`: the store, in memory behind one lock for readers, and one for writers.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};
use std::time::Duration;

use futures::future::BoxFuture;
use serde_json::Value;
use tokio::sync::watch;

use super::collection::Collection;
use super::retained::RetainedChange;
use super::{
    Available, Batch, Change, Commit, Cursor, Decide, Decision, Filter, Object, Page, Range, Read, Store,
    Unavailable, Written,
};

use crate::metadata::text;

/// The revision of an empty store. A server with a history does not start at 1 either.
const FIRST_REVISION: u64 = 100;

/// The maximum of retained revisions and of their bytes; beyond it the older half is compacted.
#[derive(Debug, Clone, Copy)]
pub(super) struct History {
    pub(super) revisions: u64,
    pub(super) bytes: usize,
}

impl History {
    pub(super) const USUAL: Self = Self { revisions: 100_000, bytes: 128 << 20 };
    /// Nothing but the present.
    pub(super) const NONE: Self = Self { revisions: 0, ..Self::USUAL };
}

/// The age up to which a collection is fresh.
const FRESH: Duration = Duration::from_millis(300);

/// A function that returns the resourceVersion of a write.
pub(super) type Version = Box<dyn Fn(&Write<'_>) -> String + Send + Sync>;

/// A write before it is stored.
pub(super) struct Write<'a> {
    pub(super) revision: u64,
    pub(super) before: Option<&'a Value>,
    pub(super) after: &'a Value,
    pub(super) removed: bool,
}

/// Versioned objects in memory.
pub(crate) struct MemoryStore {
    data: RwLock<StoreData>,
    /// Held by the only writer. It locks `data` when it has decided: reads go on until then.
    writer: Mutex<()>,
    head: watch::Sender<u64>,
    version: Version,
    history: History,
}

/// The state behind the lock; writers can read it in their decision.
pub(crate) struct StoreData {
    pub(super) revision: u64,
    compacted: u64,
    collections: HashMap<String, Collection>,
    /// The UIDs of all objects.
    uids: HashSet<String>,
}

impl StoreData {
    pub(crate) fn get(&self, collection: &str, key: &str) -> Option<Object> {
        self.at(collection, key, self.revision)
    }

    /// The state of an object at a revision.
    pub(super) fn at(&self, collection: &str, key: &str, revision: u64) -> Option<Object> {
        self.collections.get(collection)?.at(key, revision)
    }

    /// The retained changes of a collection, oldest first.
    pub(super) fn changes(&self, collection: &str) -> impl DoubleEndedIterator<Item = &RetainedChange> {
        self.collections.get(collection).into_iter().flat_map(Collection::changes)
    }
}

impl MemoryStore {
    pub(crate) fn new() -> Self {
        Self::with(Box::new(|write| write.revision.to_string()), History::USUAL)
    }

    /// An empty store with the given versions and history limit.
    pub(super) fn with(version: Version, history: History) -> Self {
        let (collections, uids) = Default::default();
        let data = StoreData { revision: FIRST_REVISION, compacted: 1, collections, uids };
        let (data, head) = (RwLock::new(data), watch::Sender::new(FIRST_REVISION));
        Self { data, writer: Mutex::default(), head, version, history }
    }

    /// The age of a collection or its definition: `None` for collections as old as the store.
    pub(super) fn age(&self, collection: &str) -> Option<Duration> {
        self.read_lock().collections.get(collection).filter(|found| found.began() > 1).map(Collection::age)
    }

    pub(super) fn read_lock(&self) -> RwLockReadGuard<'_, StoreData> {
        self.data.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn only_writer(&self) -> MutexGuard<'_, ()> {
        self.writer.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writers have [`Self::only_writer`] first: readers would have to wait for one that waits.
    fn write_lock(&self) -> RwLockWriteGuard<'_, StoreData> {
        self.data.write().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Store for MemoryStore {
    fn open(&self, collection: &str, from_start: bool) {
        let _writer = self.only_writer();
        let mut data = self.write_lock();
        let began = if from_start { 1 } else { data.revision };
        data.collections.entry(collection.to_owned()).or_insert_with(|| Collection::new(began));
    }

    fn close(&self, collection: &str) {
        let _writer = self.only_writer();
        let mut data = self.write_lock();
        if let Some(closed) = data.collections.remove(collection) {
            for uid in closed.uids() {
                data.uids.remove(uid);
            }
        }
    }

    fn refresh(&self, collection: &str) {
        let _writer = self.only_writer();
        if let Some(collection) = self.write_lock().collections.get_mut(collection) {
            collection.refresh();
        }
    }

    fn is_fresh(&self, collection: &str) -> bool {
        self.age(collection).is_some_and(|age| age < FRESH)
    }

    fn revision(&self) -> u64 {
        self.read_lock().revision
    }

    fn oldest(&self, collection: &str) -> u64 {
        let data = self.read_lock();
        data.collections.get(collection).map_or(data.compacted, |found| found.began().max(data.compacted))
    }

    fn compact(&self, revision: u64) {
        let _writer = self.only_writer();
        let mut data = self.write_lock();
        let compacted = revision.min(data.revision);
        if compacted > data.compacted {
            data.compact(compacted);
        }
    }

    fn current(&self, collection: &str, key: &str) -> Option<Object> {
        self.read_lock().get(collection, key)
    }

    fn all(&self, collection: &str, prefix: &str) -> Vec<Object> {
        let page = self.read_lock().page(collection, &Range::all(prefix), None, &|_| true);
        page.map(|page| page.items).unwrap_or_default()
    }

    fn governed(&self, collection: &str) -> Vec<Object> {
        self.read_lock().collections.get(collection).map(Collection::governed).unwrap_or_default()
    }

    fn has_uid(&self, uid: &str) -> bool {
        self.read_lock().uids.contains(uid)
    }

    fn takes_more(&self, collection: &str, prefix: &str, bytes: usize) -> bool {
        self.read_lock().collections.get(collection).is_some_and(|found| found.takes_more(prefix, bytes))
    }

    fn occupied(&self, prefix: &str) -> HashSet<String> {
        let data = self.read_lock();
        let occupied = data.collections.iter().filter(|(_, found)| found.is_occupied(prefix));
        occupied.map(|(name, _)| name.clone()).collect()
    }

    fn get(&self, collection: &str, key: &str, read: Read) -> Option<Object> {
        let data = self.read_lock();
        data.at(collection, key, read.revision().unwrap_or(data.revision))
    }

    fn list(&self, collection: &str, range: &Range<'_>, read: Read, keep: Filter<'_>) -> Available<Page> {
        self.read_lock().page(collection, range, read.revision(), keep)
    }

    fn snapshot(&self, collection: &str, range: &Range<'_>, keep: Filter<'_>) -> Available<(Page, Cursor)> {
        let page = self.list(collection, range, Read::Newest, keep)?;
        let cursor = self.cursor(collection, page.revision)?;
        Ok((page, cursor))
    }

    fn cursor(&self, collection: &str, after: u64) -> Available<Cursor> {
        let data = self.read_lock();
        let Some(found) = data.collections.get(collection) else { return Err(Unavailable::Expired) };
        if after < data.compacted || after < found.began() {
            return Err(Unavailable::Expired);
        }
        Ok(Cursor::new(collection.to_owned(), after, found.subscribe()))
    }

    fn changes(&self, cursor: &mut Cursor) -> Batch {
        cursor.mark_read();
        let data = self.read_lock();
        let Some(collection) = data.collections.get(cursor.collection()) else { return Batch::Closed };
        let Some((changes, are_all)) = collection.after(cursor.position()) else { return Batch::Lost };
        let complete = match changes.last() {
            Some(last) if !are_all => last.revision,
            _ => data.revision,
        };
        cursor.advance(complete);
        Batch::Changes(changes, cursor.position())
    }

    fn reach(&self, revision: u64, patience: Duration) -> BoxFuture<'_, Available<()>> {
        Box::pin(async move {
            let mut head = self.head.subscribe();
            let reached = head.wait_for(|current| *current >= revision);
            match tokio::time::timeout(patience, reached).await {
                Ok(Ok(_)) => Ok(()),
                _ => Err(Unavailable::Future(revision, self.revision())),
            }
        })
    }

    fn write(&self, collection: &str, key: &str, commit: Commit, decide: Decide<'_>) -> Written {
        let _writer = self.only_writer();
        let data = self.read_lock();
        let current = data.get(collection, key);
        let (state, removed) = match decide(&data, current.as_ref())? {
            Decision::Put(value) => (value, false),
            Decision::Remove(value) => (value, true),
        };
        drop(data);
        let unchanged = !removed && current.as_deref() == Some(&state);
        if commit == Commit::Dry || unchanged {
            return Ok(Arc::new(state));
        }
        let mut data = self.write_lock();
        let object = data.record(collection, key, current, (state, removed), &self.version);
        data.trim(self.history);
        self.head.send_replace(data.revision);
        Ok(object)
    }
}

impl StoreData {
    fn page(
        &self,
        collection: &str,
        range: &Range<'_>,
        at: Option<u64>,
        keep: Filter<'_>,
    ) -> Available<Page> {
        let at = at.map_or(Ok(self.revision), |at| self.readable(at))?;
        let found = self.collections.get(collection);
        Ok(found.map_or_else(|| Page::empty(at), |found| found.page(range, at, keep)))
    }

    fn readable(&self, at: u64) -> Available<u64> {
        match at {
            at if at > self.revision => Err(Unavailable::Future(at, self.revision)),
            at if at < self.compacted => Err(Unavailable::Expired),
            at => Ok(at),
        }
    }

    fn record(
        &mut self,
        collection: &str,
        key: &str,
        before: Option<Object>,
        (mut state, removed): (Value, bool),
        version: &Version,
    ) -> Object {
        self.revision += 1;
        let revision = self.revision;
        let write = Write { revision, before: before.as_deref(), after: &state, removed };
        state["metadata"]["resourceVersion"] = version(&write).into();
        let uid = text(&state, "uid");
        if removed {
            self.uids.remove(uid);
        } else if before.is_none() {
            self.uids.insert(uid.to_owned());
        }
        let state = Arc::new(state);
        let change = Change::new(revision, key, before, state.clone(), removed);
        self.collections.entry(collection.to_owned()).or_insert_with(|| Collection::new(1)).record(change);
        state
    }

    /// Compacts the older half of a history that is too long or too large.
    fn trim(&mut self, most: History) {
        if self.revision - self.compacted > most.revisions {
            self.compact(self.revision - most.revisions / 2);
        }
        if self.bytes() > most.bytes {
            self.compact(self.revision_before(most.bytes / 2));
        }
    }

    /// The approximate bytes of all retained changes.
    pub(super) fn bytes(&self) -> usize {
        self.collections.values().map(Collection::bytes).sum()
    }

    /// The newest revision whose later changes have at most this many bytes.
    fn revision_before(&self, most: usize) -> u64 {
        let mut changes: Vec<_> = self.collections.values().flat_map(Collection::sizes).collect();
        changes.sort_unstable();
        let mut bytes = 0;
        let too_many = |(_, size): &&(u64, usize)| {
            bytes += size;
            bytes > most
        };
        changes.iter().rev().find(too_many).map_or(self.compacted, |(revision, _)| *revision)
    }

    fn compact(&mut self, compacted: u64) {
        self.compacted = compacted;
        for collection in self.collections.values_mut() {
            collection.compact(compacted);
        }
    }
}

impl Read {
    /// The revision of an exact read: `None` for the newest, which suits all other reads.
    fn revision(self) -> Option<u64> {
        match self {
            Self::Newest | Self::Any | Self::NotOlder(_) => None,
            Self::Exactly(revision) => Some(revision),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn reads_do_not_wait_for_the_decision_of_a_writer() {
        let store = MemoryStore::new();
        let mut is_readable = false;
        let decide = |_: &StoreData, _: Option<&Object>| {
            is_readable = store.data.try_read().is_ok();
            Ok(Decision::Put(json!({})))
        };
        store.write("things", "a", Commit::Real, Box::new(decide)).unwrap();
        assert!(is_readable);
        assert!(store.writer.try_lock().is_ok() && store.data.try_write().is_ok());
    }
}
