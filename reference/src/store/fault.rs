//! Store faults: stale reads and other errors inside the store.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use serde_json::Value;

use super::{Commit, Object};

/// A way in which the store is wrong. Faults that no rewriting at the HTTP boundary can enact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StoreFlaw {
    /// Reads in a namespace show the state before the last write there, unless they name a version.
    StaleReads,
    /// Reads of one object at a version show the state before the last write in its namespace, whatever the version.
    StaleAtVersions,
    /// Reads in a namespace that name a version, also 0, show the state before the last write there, whatever the version.
    LaggingReplica,
    /// Reads of one object at version 0 show the data of its newest state and the annotations of the state before.
    MixesStates,
    /// Lists of a namespace show every other object as it was before its last change.
    MixesLists,
    /// Lists of a type that was just defined, or whose definition just changed, are empty; the first is refused for a reason
    /// of its own.
    EmptyWhileFresh,
    /// The initial state of a watch of a namespace is that before the last write there.
    WatchesFromBefore,
    /// A watch of all namespaces tells of those that were there when it was opened.
    WatchesKnownNamespaces,
    /// The selector of a watch does not look at changed objects.
    TellsAllModified,
    /// Every write is acknowledged and forgotten.
    LosesWrites,
    /// A change of an object keeps the version it had.
    KeepsVersion,
    /// A change of an object's status (and nothing else) keeps the version it had.
    KeepsVersionOnStatus,
    /// A deletion leaves its object at the version that it had.
    DeletesAtLastVersion,
    /// The create of a name that was used before is answered with the version of the write after it.
    AnswersRecreateTooLate,
    /// A write without a change takes a new version.
    BumpsWithoutChange,
    /// Versions that clients make up are stored.
    TakesVersions,
    /// Objects are read with the store's version instead of their own.
    ReadsCurrentVersion,
    /// Versions are padded with zeros.
    PadsVersions,
    /// Versions are counted per object.
    CountsPerObject,
    /// Preconditions (`resourceVersion` and `uid` of an update or delete) are not looked at.
    IgnoresPreconditions,
    /// A dry run is carried out.
    PersistsDryRun,
    /// Finalizers do not hold a deletion back.
    IgnoresFinalizers,
    /// Contents of a deleted namespace stay.
    KeepsNamespaceContents,
    /// No version but the newest is held.
    ForgetsAtOnce,
    /// Who waits for a version does not notice that it has come.
    WaitsInVain,
    /// What was once listed in pages is listed in that state for ever.
    PinsPagedLists,
    /// A list of a version that is forgotten, or a token of one, begins a new list.
    RestartsExpiredLists,
    /// Asking for health writes to every config map.
    HealthWrites,
    /// Writes into a namespace that is not there are accepted.
    IgnoresMissingNamespace,
}

/// The flaws of one store.
#[derive(Debug, Default)]
pub(crate) struct Flaws {
    chosen: Vec<StoreFlaw>,
    /// The revisions of lists that were paged, for [`StoreFlaw::PinsPagedLists`].
    paged: Mutex<HashMap<String, u64>>,
    /// Whether a list was refused, for [`StoreFlaw::EmptyWhileFresh`].
    refused: AtomicBool,
}

impl Flaws {
    pub(crate) fn new(flaws: impl IntoIterator<Item = StoreFlaw>) -> Self {
        Self { chosen: flaws.into_iter().collect(), ..Self::default() }
    }

    pub(crate) fn has(&self, flaw: StoreFlaw) -> bool {
        self.chosen.contains(&flaw)
    }

    /// Whether this is the first time that it is asked.
    pub(crate) fn refuses_first(&self) -> bool {
        !self.refused.swap(true, Ordering::Relaxed)
    }

    /// Takes note that a list is read in pages, at a revision.
    pub(crate) fn paged(&self, list: &str, revision: u64) {
        if self.has(StoreFlaw::PinsPagedLists) {
            let mut paged = self.paged.lock().unwrap_or_else(PoisonError::into_inner);
            paged.entry(list.to_owned()).or_insert(revision);
        }
    }

    /// The revision that a list is shown at, instead of the newest.
    pub(crate) fn pinned(&self, list: &str) -> Option<u64> {
        self.paged.lock().unwrap_or_else(PoisonError::into_inner).get(list).copied()
    }

    /// An object of which half is as it was before.
    pub(super) fn mixed(object: &Object, before: &Object) -> Object {
        let mut copy = Value::clone(object);
        copy["metadata"]["annotations"] = before["metadata"]["annotations"].clone();
        copy.into()
    }

    /// Has every other object of a list be as it was before.
    pub(super) fn mix(&self, items: &mut [Object], before: impl Fn(&Object) -> Option<Object>) {
        if self.has(StoreFlaw::MixesLists) {
            for object in items.iter_mut().step_by(2) {
                *object = before(object).unwrap_or_else(|| object.clone());
            }
        }
    }

    /// Whether a write is to be left undone.
    pub(super) fn dry(&self, commit: Commit) -> bool {
        commit == Commit::Dry && !self.has(StoreFlaw::PersistsDryRun)
    }

    pub(super) fn loses_write(&self) -> bool {
        self.has(StoreFlaw::LosesWrites)
    }

    pub(super) fn bumps_without_change(&self) -> bool {
        self.has(StoreFlaw::BumpsWithoutChange)
    }

    /// The object as a write is answered; `again` where another object had its name before.
    pub(super) fn answered(&self, written: Object, again: bool, revision: u64) -> Object {
        if !again || !self.has(StoreFlaw::AnswersRecreateTooLate) {
            return written;
        }
        let mut copy = Value::clone(&written);
        copy["metadata"]["resourceVersion"] = Value::String((revision + 1).to_string());
        copy.into()
    }

    /// The object as a reader sees it.
    pub(super) fn read(&self, object: &Object, revision: u64) -> Object {
        if !self.has(StoreFlaw::ReadsCurrentVersion) {
            return object.clone();
        }
        let mut copy = Value::clone(object);
        copy["metadata"]["resourceVersion"] = Value::String(revision.to_string());
        copy.into()
    }

    /// The version that a write puts on the object.
    pub(super) fn stamp(&self, revision: u64, before: Option<&Value>, after: &Value, gone: bool) -> String {
        let old = before.and_then(|object| object["metadata"]["resourceVersion"].as_str());
        let only_status = || before.is_some_and(|before| same_but_status(before, after));
        let given = after["metadata"]["resourceVersion"].as_str().filter(|given| old != Some(given));
        match old {
            _ if self.has(StoreFlaw::TakesVersions) && given.is_some() => {
                given.unwrap_or_default().to_owned()
            }
            Some(old) if gone && self.has(StoreFlaw::DeletesAtLastVersion) => old.to_owned(),
            Some(old) if self.has(StoreFlaw::KeepsVersion) => old.to_owned(),
            Some(old) if self.has(StoreFlaw::KeepsVersionOnStatus) && only_status() => old.to_owned(),
            old if self.has(StoreFlaw::CountsPerObject) => {
                let count = old.and_then(|old| old.parse::<u64>().ok()).unwrap_or_default();
                (count + 1).to_string()
            }
            _ if self.has(StoreFlaw::PadsVersions) => format!("{revision:012}"),
            _ => revision.to_string(),
        }
    }
}

/// Whether nothing but the status is another, and who has written it.
fn same_but_status(before: &Value, after: &Value) -> bool {
    let without = |object: &Value| {
        let mut copy = object.clone();
        if let Some(fields) = copy.as_object_mut() {
            fields.remove("status");
        }
        if let Some(metadata) = copy["metadata"].as_object_mut() {
            metadata.remove("managedFields");
        }
        copy
    };
    before.get("status") != after.get("status") && without(before) == without(after)
}
