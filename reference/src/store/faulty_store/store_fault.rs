//! The faults inside the store, by name.

use crate::variant::Behaviour;

/// A fault inside the server that no change of requests or responses can produce.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StoreFault {
    /// Reads in a namespace show the state before the last write there, unless they name a version.
    StaleReads,
    /// Reads of one object at a version show the state before the last write in its namespace, whatever the version.
    StaleAtVersions,
    /// Reads in a namespace that name a version, also 0, show the state before the last write there, whatever the version.
    LaggingReplica,
    /// Reads of one object at version 0 show its newest data and the annotations before its last change.
    MixesStates,
    /// Lists of a namespace show every other object as it was before its last change.
    MixesLists,
    /// Lists of a type whose definition is new or just changed are empty; the first fails with an unknown reason.
    EmptyWhileFresh,
    /// The initial events of a watch of a namespace show the state before the last write there.
    WatchesFromBefore,
    /// A watch of all namespaces sends only events of namespaces that existed when it was opened.
    WatchesKnownNamespaces,
    /// A watch ignores its selector for changed objects.
    TellsAllModified,
    /// The server acknowledges writes and does not store them.
    LosesWrites,
    /// A change of an object keeps its version.
    KeepsVersion,
    /// A change of an object's status alone keeps its version.
    KeepsVersionOnStatus,
    /// A deletion keeps the object's version.
    DeletesAtLastVersion,
    /// The response to a create of a name that was used before shows the next version.
    AnswersRecreateTooLate,
    /// A write without a change takes a new version.
    BumpsWithoutChange,
    /// The server stores versions that clients invent.
    TakesVersions,
    /// Objects are read with the store's version instead of their own.
    ReadsCurrentVersion,
    /// Versions are padded with zeros.
    PadsVersions,
    /// Versions are counted per object.
    CountsPerObject,
    /// Updates and deletions ignore their preconditions (`resourceVersion` and `uid`).
    IgnoresPreconditions,
    /// Dry runs store their changes.
    PersistsDryRun,
    /// Finalizers do not hold a deletion back.
    IgnoresFinalizers,
    /// The deletion of a namespace keeps its contents.
    KeepsNamespaceContents,
    /// The store retains only the newest version.
    ForgetsAtOnce,
    /// A read at a future version waits even after that version exists.
    WaitsInVain,
    /// Lists repeat the state that was first listed in pages.
    PinsPagedLists,
    /// A list at a compacted version, or with a token of one, starts a new list.
    RestartsExpiredLists,
    /// Health requests write to every `ConfigMap`.
    HealthWrites,
    /// Creates succeed in namespaces that do not exist.
    IgnoresMissingNamespace,
}

/// The faults of one store.
#[derive(Debug, Clone, Default)]
pub(crate) struct StoreFaults(Vec<StoreFault>);

impl StoreFaults {
    /// Whether it is one of them.
    pub(crate) fn has(&self, store_fault: StoreFault) -> bool {
        self.0.contains(&store_fault)
    }

    /// The behavior of a variant that is a fault of this server.
    pub(crate) fn behaviour(&self) -> Option<Behaviour> {
        self.has(StoreFault::IgnoresMissingNamespace).then_some(Behaviour::NeedsNoNamespace)
    }

    /// Whether there are none.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl FromIterator<StoreFault> for StoreFaults {
    fn from_iter<T: IntoIterator<Item = StoreFault>>(store_faults: T) -> Self {
        Self(store_faults.into_iter().collect())
    }
}
