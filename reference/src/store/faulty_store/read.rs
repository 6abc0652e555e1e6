//! Wrong reads: stale, mixed, or with other versions.

use std::sync::PoisonError;

use serde_json::Value;

use super::{FaultyStore, StoreFault, version};
use crate::store::retained::State;
use crate::store::{Object, Page, Read};

impl FaultyStore {
    /// The version that a get reads.
    pub(super) fn stale_get(&self, collection: &str, prefix: &str, read: Read) -> Read {
        let store_fault = match read {
            Read::NotOlder(_) if !self.store_faults.has(StoreFault::LaggingReplica) => {
                StoreFault::StaleAtVersions
            }
            read => self.staleness(read),
        };
        self.before_last_write(store_fault, collection, prefix).unwrap_or(read)
    }

    /// The version that a list reads.
    pub(super) fn stale_list(&self, collection: &str, prefix: &str, read: Read) -> Read {
        if matches!(read, Read::Exactly(_)) {
            return read;
        }
        let stale = self.before_last_write(self.staleness(read), collection, prefix);
        let paged = self.paged.lock().unwrap_or_else(PoisonError::into_inner);
        let pinned = || paged.get(&name(collection, prefix)).copied().map(Read::Exactly);
        stale.or_else(pinned).unwrap_or(read)
    }

    /// The version of a watch's initial events.
    pub(super) fn stale_snapshot(&self, collection: &str, prefix: &str) -> Read {
        self.before_last_write(StoreFault::WatchesFromBefore, collection, prefix).unwrap_or(Read::Newest)
    }

    /// The fault that applies to a read.
    fn staleness(&self, read: Read) -> StoreFault {
        match read {
            Read::Any if !self.store_faults.has(StoreFault::LaggingReplica) => StoreFault::StaleReads,
            Read::Newest => StoreFault::StaleReads,
            _ => StoreFault::LaggingReplica,
        }
    }

    /// The revision before the last write in one namespace, if the store has the fault. Writes in other namespaces do
    /// not move it.
    fn before_last_write(&self, store_fault: StoreFault, collection: &str, prefix: &str) -> Option<Read> {
        if !self.store_faults.has(store_fault) || prefix.is_empty() {
            return None;
        }
        let data = self.right.read_lock();
        let last = data.changes(collection).rfind(|change| change.key.starts_with(prefix))?;
        Some(Read::Exactly(last.revision - 1))
    }

    /// Records the revision of a paged list.
    pub(super) fn pin(&self, collection: &str, prefix: &str, page: &Page) {
        if page.more > 0 && self.store_faults.has(StoreFault::PinsPagedLists) {
            let mut paged = self.paged.lock().unwrap_or_else(PoisonError::into_inner);
            paged.entry(name(collection, prefix)).or_insert(page.revision);
        }
    }

    pub(super) fn namespace_existed(&self, revision: u64, namespace: &str) -> bool {
        self.right.read_lock().at("namespaces", namespace, revision).is_some()
    }

    /// The object for a get at version 0: its annotations are one change older.
    pub(super) fn mixed(&self, collection: &str, object: Object, read: Read) -> Object {
        if !matches!(read, Read::Any) || !self.store_faults.has(StoreFault::MixesStates) {
            return object;
        }
        let Some(before) = self.before(collection, &object) else { return object };
        let mut copy = Value::clone(&object);
        copy["metadata"]["annotations"] = before["metadata"]["annotations"].clone();
        copy.into()
    }

    /// The object for a client.
    pub(super) fn with_faulty_version(&self, object: Object) -> Object {
        if !self.store_faults.has(StoreFault::ReadsCurrentVersion) {
            return object;
        }
        version::with(&object, self.right.read_lock().revision)
    }

    /// The page for a client.
    pub(super) fn faulty_page(&self, collection: &str, prefix: &str, mut page: Page) -> Page {
        if self.store_faults.has(StoreFault::MixesLists) && !prefix.is_empty() {
            for object in page.items.iter_mut().step_by(2) {
                *object = self.before(collection, object).unwrap_or_else(|| object.clone());
            }
        }
        page.items = page.items.into_iter().map(|object| self.with_faulty_version(object)).collect();
        page
    }

    /// The state of an object before its last change: `None` if it is not retained.
    fn before(&self, collection: &str, object: &Object) -> Option<Object> {
        let data = self.right.read_lock();
        let last = data.changes(collection).rfind(|change| change.after.is(object))?;
        last.before.as_ref().map(State::object)
    }
}

fn name(collection: &str, prefix: &str) -> String {
    format!("{collection} {prefix}")
}
