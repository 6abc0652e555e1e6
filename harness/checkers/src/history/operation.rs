//! The operations of clients, and the events of watchers.

use std::collections::BTreeMap;
use std::time::Duration;

/// A state of an object in a response or an event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ObjectState {
    /// Its version.
    pub version: String,
    /// The content that a write determines. No two writes have the same.
    pub value: String,
}

/// One operation of a client, or one event of a watcher.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Operation {
    /// The client; its operations do not overlap.
    pub client: String,
    /// The time of the call, counted from the start of the history.
    pub called: Duration,
    /// The time of the response, or of giving up.
    pub returned: Duration,
    /// The operation and its result.
    pub action: Action,
}

/// The kinds of operations, with their results.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Action {
    /// A write of an object.
    Write {
        /// Its name.
        name: String,
        /// The verb.
        verb: Verb,
        /// The outcome.
        response: WriteOutcome,
    },
    /// A read of an object, which may be absent.
    Get {
        /// Its name.
        name: String,
        /// The required freshness.
        freshness: Freshness,
        /// The state in the response.
        shown: Option<ObjectState>,
    },
    /// A list of all objects.
    List {
        /// The required freshness.
        freshness: Freshness,
        /// The list's own version.
        version: String,
        /// The states in the response, by name.
        items: BTreeMap<String, ObjectState>,
    },
    /// A change that a watcher receives, which has watched from the beginning.
    Event {
        /// The object's name.
        name: String,
        /// The change's version.
        version: String,
        /// The new value; `None` for a deletion.
        value: Option<String>,
    },
}

/// The verb of a write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verb {
    /// Creates an object with a value, if none exists.
    Create(String),
    /// Sets a value, if the object has this version.
    Update {
        /// The value.
        value: String,
        /// The required version.
        from: String,
    },
    /// Sets a value, if the object exists.
    Patch(String),
    /// Deletes the object.
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

/// The outcome of a write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WriteOutcome {
    /// The server acknowledged it, with this version; a deletion has none.
    Done(Option<String>),
    /// The server refused it.
    Refused(Refusal),
    /// No response: it may have happened, may not, or may still happen.
    Unknown,
}

/// The reason for a refusal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// The object has another version.
    Conflict,
    /// The object does not exist.
    Missing,
    /// The object exists already.
    Exists,
    /// A reason unrelated to the object.
    Other,
}

/// The freshness that a read requires.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Freshness {
    /// The most recent state: a read without resourceVersion.
    MostRecent,
    /// Any state of the past: a read with resourceVersion 0.
    Any,
}

/// All operations of a history.
#[derive(Debug, Clone, Default)]
pub struct History {
    pub(super) operations: Vec<Operation>,
}

impl History {
    /// Takes the operations of all clients, those of each client in order.
    pub fn new(mut operations: Vec<Operation>) -> Self {
        operations.sort_by_key(|operation| operation.called);
        Self { operations }
    }

    /// The operations, ordered by the time of their calls.
    pub fn operations(&self) -> &[Operation] {
        &self.operations
    }
}
