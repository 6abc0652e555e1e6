//! The faults inside the store, by name.

use crate::variant::Behaviour;

/// A fault inside the server that no change of requests or responses can produce.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StoreFault {
    /// Reads in a namespace return the state before its last write, unless the request has a version.
    StaleReads,
    /// Reads of one object at a version return the state before the last write in its namespace, for any version.
    StaleAtVersions,
    /// Reads in a namespace at a version, also 0, return the state before its last write, for any version.
    LaggingReplica,
    /// Reads of one object at version 0 return its newest data and the annotations before its last change.
    MixesStates,
    /// Lists of a namespace return every other object in the state before its last change.
    MixesLists,
    /// Lists of a type with a new or changed definition are empty; the first fails with an unknown reason.
    EmptyWhileFresh,
    /// The initial events of a watch in a namespace have the state before its last write.
    WatchesFromBefore,
    /// A watch of all namespaces sends only events of namespaces that existed at its start.
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
    /// The response to a create of a previously used name has the next version.
    AnswersRecreateTooLate,
    /// A frame of a watch over `WebSocket` holds half of an event.
    SplitsFrames,
    /// A write without a change takes a new version.
    BumpsWithoutChange,
    /// The server stores versions of clients.
    TakesVersions,
    /// Objects have the version of the store instead of their own.
    ReadsCurrentVersion,
    /// The versions have leading zeros.
    PadsVersions,
    /// Each object counts its own versions.
    CountsPerObject,
    /// Updates and deletions ignore their preconditions (`resourceVersion` and `uid`).
    IgnoresPreconditions,
    /// Dry runs store their changes.
    PersistsDryRun,
    /// Finalizers do not delay a deletion.
    IgnoresFinalizers,
    /// The deletion of a namespace keeps its contents.
    KeepsNamespaceContents,
    /// The store retains only the newest version.
    ForgetsAtOnce,
    /// A read at a future version waits even after that version exists.
    WaitsInVain,
    /// Lists repeat the state of the first paged list.
    PinsPagedLists,
    /// A list at a compacted version, or with a continue token of one, starts again.
    RestartsExpiredLists,
    /// Health requests write to every `ConfigMap`.
    HealthWrites,
    /// Creates succeed in namespaces that do not exist.
    IgnoresMissingNamespace,
}

#[derive(Debug, Clone, Default)]
pub(crate) struct StoreFaults(Vec<StoreFault>);

impl StoreFaults {
    pub(crate) fn has(&self, store_fault: StoreFault) -> bool {
        self.0.contains(&store_fault)
    }

    /// The variant behaviour that is a fault without the variant.
    pub(crate) fn behaviour(&self) -> Option<Behaviour> {
        self.has(StoreFault::IgnoresMissingNamespace).then_some(Behaviour::NeedsNoNamespace)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl FromIterator<StoreFault> for StoreFaults {
    fn from_iter<T: IntoIterator<Item = StoreFault>>(store_faults: T) -> Self {
        Self(store_faults.into_iter().collect())
    }
}
