//! A watch event in the form of the checkers: small, and borrowed from its JSON.

/// One event.
#[derive(Debug, Clone, Copy)]
pub enum Event<'a> {
    /// A change of an object, or its state at the start.
    Change(WatchEventType, EventObject<'a>),
    /// The server has sent all changes up to a version.
    Bookmark {
        /// The version.
        version: &'a str,
        /// Whether it closes the initial events.
        closes_state: bool,
        /// Whether it has nothing but the version.
        bare: bool,
    },
    /// The end of the stream, with a reason.
    Error {
        /// Whether the reason is a Status.
        status: bool,
    },
    /// An event of an unknown type.
    Unknown(&'a str),
}

/// The type of a change, from the view of the stream's selector.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WatchEventType {
    /// The object is new, entered the selection, or existed at the start.
    Added,
    /// The object changed.
    Modified,
    /// The object is deleted, or left the selection.
    Deleted,
}

impl WatchEventType {
    /// The name in events.
    pub fn name(self) -> &'static str {
        match self {
            Self::Added => "ADDED",
            Self::Modified => "MODIFIED",
            Self::Deleted => "DELETED",
        }
    }
}

/// The object of an event.
#[derive(Debug, Clone, Copy, Default)]
pub struct EventObject<'a> {
    /// `apiVersion`.
    pub api_version: &'a str,
    /// `kind`.
    pub kind: &'a str,
    /// `metadata.namespace`; empty without one.
    pub namespace: &'a str,
    /// `metadata.name`; empty for a table without objects.
    pub name: &'a str,
    /// `metadata.resourceVersion`.
    pub version: &'a str,
    /// `metadata.labels`.
    pub labels: &'a [(&'a str, &'a str)],
    /// The digest of the whole content without the version; `None` if the event has only a part of it.
    pub digest: Option<u64>,
    /// The digest of what an immediate deletion leaves as it was; `None` if the event has only a part of the object, or
    /// something else removes the object later.
    pub lasting: Option<u64>,
}
