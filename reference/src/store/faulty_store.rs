//! `FaultyStore`: the right store behind a wrapper that plays the faults.

mod read;
mod semantics;
mod store_fault;
mod version;

pub(crate) use semantics::FaultySemantics;
pub use store_fault::StoreFault;
pub(crate) use store_fault::StoreFaults;

use std::collections::HashMap;
use std::collections::HashSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use futures::future::BoxFuture;
use serde_json::Value;

use super::memory::History;
use super::{
    Available, Batch, Commit, Cursor, Decide, Decision, Filter, MemoryStore, Object, Page, Range, Read,
    Store, StoreData, Unavailable, Written,
};
use crate::failure::Failure;
use crate::metadata;

/// The duration of [`StoreFault::WaitsInVain`]: far longer than a slow writer needs for the version.
const IN_VAIN: Duration = Duration::from_secs(10);

/// The age up to which a collection is fresh, so that scenarios can observe [`StoreFault::EmptyWhileFresh`].
const FRESH_AND_EMPTY: Duration = Duration::from_secs(3);

pub(crate) struct FaultyStore {
    right: MemoryStore,
    store_faults: StoreFaults,
    /// The revisions of paged lists, for [`StoreFault::PinsPagedLists`].
    paged: Mutex<HashMap<String, u64>>,
    /// Whether the first list failed, for [`StoreFault::EmptyWhileFresh`].
    refused: AtomicBool,
}

impl FaultyStore {
    pub(crate) fn new(store_faults: StoreFaults) -> Self {
        let forgets = store_faults.has(StoreFault::ForgetsAtOnce);
        let history = if forgets { History::NONE } else { History::USUAL };
        let right = MemoryStore::with(version::of(store_faults.clone()), history);
        Self { right, store_faults, paged: Mutex::default(), refused: AtomicBool::new(false) }
    }

    /// Whether clients get an empty collection. The first list fails.
    fn is_hidden(&self, collection: &str) -> Available<bool> {
        let hidden = self.store_faults.has(StoreFault::EmptyWhileFresh) && self.is_fresh(collection);
        if hidden && !self.refused.swap(true, Ordering::Relaxed) {
            let failure = Failure::made_up(429, "Warming", "the cache is not ready");
            return Err(Unavailable::Refused(Box::new(failure)));
        }
        Ok(hidden)
    }

    /// The faulty decision.
    fn faulty_decision(&self, current: Option<&Object>, decision: Decision) -> Decision {
        match (decision, current) {
            (Decision::Put(mut next), Some(current))
                if self.store_faults.has(StoreFault::BumpsWithoutChange) && next == **current =>
            {
                next["metadata"]["resourceVersion"] = "".into();
                Decision::Put(next)
            }
            (Decision::Put(next), Some(current))
                if self.store_faults.has(StoreFault::IgnoresFinalizers)
                    && metadata::is_deleted(&next)
                    && metadata::remains_after_deletion(&next) =>
            {
                let mut last = Value::clone(current);
                last["metadata"]["finalizers"] = next["metadata"]["finalizers"].clone();
                metadata::tidy(&mut last);
                Decision::Remove(last)
            }
            (decision, _) => decision,
        }
    }
}

impl Store for FaultyStore {
    fn open(&self, collection: &str, from_start: bool) {
        self.right.open(collection, from_start);
    }

    fn close(&self, collection: &str) {
        self.right.close(collection);
    }

    fn refresh(&self, collection: &str) {
        self.right.refresh(collection);
    }

    fn is_fresh(&self, collection: &str) -> bool {
        if self.store_faults.has(StoreFault::EmptyWhileFresh) {
            return self.right.age(collection).is_some_and(|age| age < FRESH_AND_EMPTY);
        }
        self.right.is_fresh(collection)
    }

    fn revision(&self) -> u64 {
        self.right.revision()
    }

    fn oldest(&self, collection: &str) -> u64 {
        self.right.oldest(collection)
    }

    fn compact(&self, revision: u64) {
        self.right.compact(revision);
    }

    fn current(&self, collection: &str, key: &str) -> Option<Object> {
        self.right.current(collection, key)
    }

    fn all(&self, collection: &str, prefix: &str) -> Vec<Object> {
        if self.store_faults.has(StoreFault::KeepsNamespaceContents) && !prefix.is_empty() {
            return Vec::new();
        }
        self.right.all(collection, prefix)
    }

    fn governed(&self, collection: &str) -> Vec<Object> {
        self.right.governed(collection)
    }

    fn has_uid(&self, uid: &str) -> bool {
        self.right.has_uid(uid)
    }

    fn takes_more(&self, collection: &str, prefix: &str, bytes: usize) -> bool {
        self.right.takes_more(collection, prefix, bytes)
    }

    fn occupied(&self, prefix: &str) -> HashSet<String> {
        self.right.occupied(prefix)
    }

    fn get(&self, collection: &str, key: &str, read: Read) -> Option<Object> {
        let prefix = key.rfind('/').map_or("", |slash| &key[..=slash]);
        let object = self.right.get(collection, key, self.stale_get(collection, prefix, read))?;
        Some(self.with_faulty_version(self.mixed(collection, object, read)))
    }

    fn list(&self, collection: &str, range: &Range<'_>, read: Read, keep: Filter<'_>) -> Available<Page> {
        let hidden = self.is_hidden(collection)?;
        let keep = |object: &Value| !hidden && keep(object);
        let read = self.stale_list(collection, range.prefix, read);
        let mut page = self.right.list(collection, range, read, &keep);
        if page.is_err() && self.store_faults.has(StoreFault::RestartsExpiredLists) {
            let restarted = Range { limit: range.limit, ..Range::all(range.prefix) };
            page = self.right.list(collection, &restarted, Read::Newest, &keep);
        }
        let page = page?;
        self.pin(collection, range.prefix, &page);
        Ok(self.faulty_page(collection, range.prefix, page))
    }

    fn snapshot(&self, collection: &str, range: &Range<'_>, keep: Filter<'_>) -> Available<(Page, Cursor)> {
        let read = self.stale_snapshot(collection, range.prefix);
        let page = self.right.list(collection, range, read, keep)?;
        let cursor = self.right.cursor(collection, page.revision)?;
        Ok((self.faulty_page(collection, range.prefix, page), cursor))
    }

    fn cursor(&self, collection: &str, after: u64) -> Available<Cursor> {
        self.right.cursor(collection, after)
    }

    fn changes(&self, cursor: &mut Cursor) -> Batch {
        loop {
            match self.right.changes(cursor) {
                Batch::Changes(mut found, complete)
                    if self.store_faults.has(StoreFault::WatchesKnownNamespaces) && !found.is_empty() =>
                {
                    found.retain(|change| self.namespace_existed(cursor.start(), change.namespace()));
                    if !found.is_empty() {
                        return Batch::Changes(found, complete);
                    }
                }
                batch => return batch,
            }
        }
    }

    fn reach(&self, revision: u64, patience: Duration) -> BoxFuture<'_, Available<()>> {
        if !self.store_faults.has(StoreFault::WaitsInVain) || self.revision() >= revision {
            return self.right.reach(revision, patience);
        }
        Box::pin(async move {
            tokio::time::sleep(IN_VAIN).await;
            Err(Unavailable::Future(revision, self.revision()))
        })
    }

    fn write(&self, collection: &str, key: &str, commit: Commit, decide: Decide<'_>) -> Written {
        let commit = match commit {
            Commit::Real if self.store_faults.has(StoreFault::LosesWrites) => Commit::Dry,
            Commit::Dry if self.store_faults.has(StoreFault::PersistsDryRun) => Commit::Real,
            commit => commit,
        };
        let mut is_recreated = false;
        let decide = |data: &StoreData, current: Option<&Object>| {
            let decision = decide(data, current)?;
            let existed = || data.changes(collection).any(|change| change.key == key);
            is_recreated =
                self.store_faults.has(StoreFault::AnswersRecreateTooLate) && current.is_none() && existed();
            Ok(self.faulty_decision(current, decision))
        };
        let written = self.right.write(collection, key, commit, Box::new(decide))?;
        Ok(if is_recreated && commit == Commit::Real { version::next(&written) } else { written })
    }
}
