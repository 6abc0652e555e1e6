//! What clients did, and what watchers were told.

use std::collections::BTreeMap;
use std::time::Duration;

/// One state of an object, as somebody was shown it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct State {
    /// Its version.
    pub version: String,
    /// All of it that a write determines. No two writes write the same.
    pub value: String,
}

/// One thing that one client did, or that one watcher was told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Operation {
    /// Who; a client does one thing after the other.
    pub client: String,
    /// When it was begun, counted from the beginning of the history.
    pub called: Duration,
    /// When the response had come, or was not waited for any more.
    pub returned: Duration,
    /// What, and what came of it.
    pub action: Action,
}

/// What is done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Action {
    /// An object is written.
    Write {
        /// Its name.
        name: String,
        /// How.
        verb: Verb,
        /// What came of it.
        response: WriteOutcome,
    },
    /// An object is read; there may be none.
    Get {
        /// Its name.
        name: String,
        /// How new it must be.
        freshness: Freshness,
        /// What is shown.
        shown: Option<State>,
    },
    /// All objects are read.
    List {
        /// How new it must be.
        freshness: Freshness,
        /// The list's own version.
        version: String,
        /// What is shown, by name.
        items: BTreeMap<String, State>,
    },
    /// A watcher, who has watched from the beginning, receives a change.
    Event {
        /// The object's name.
        name: String,
        /// The change's version.
        version: String,
        /// The value that it has now; none if it is gone.
        value: Option<String>,
    },
}

/// How an object is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verb {
    /// With a value, where there is none.
    Create(String),
    /// With a value, where it has this version.
    Update {
        /// The value.
        value: String,
        /// The version that is replaced.
        from: String,
    },
    /// With a value, where there is one, whatever its state.
    Patch(String),
    /// So that it is gone.
    Delete,
}

impl Verb {
    pub(super) fn value(&self) -> Option<&str> {
        match self {
            Self::Create(value) | Self::Update { value, .. } | Self::Patch(value) => Some(value),
            Self::Delete => None,
        }
    }
}

/// What came of a write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WriteOutcome {
    /// It was done, and made this version; that of a deletion is not told.
    Done(Option<String>),
    /// It was not done.
    Refused(Refusal),
    /// There was no response: it may have been done, or not, or be done yet.
    Unknown,
}

/// Why a write was not done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// The object has another version.
    Conflict,
    /// There is no such object.
    Missing,
    /// There is one already.
    Exists,
    /// For a reason that says nothing about the object.
    Other,
}

/// How new a read must be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Freshness {
    /// As new as can be: no resourceVersion was given.
    MostRecent,
    /// Any state that there was: resourceVersion 0 was given.
    Any,
}

/// All that happened in the course of a history.
#[derive(Debug, Clone, Default)]
pub struct History {
    pub(super) operations: Vec<Operation>,
}

impl History {
    /// Takes the operations of all clients, each client's in the order in which they happened.
    pub fn new(mut operations: Vec<Operation>) -> Self {
        operations.sort_by_key(|operation| operation.called);
        Self { operations }
    }

    /// The operations by the time when they were called.
    pub fn operations(&self) -> &[Operation] {
        &self.operations
    }
}
