//! An event of a watch as the checkers see it: small, and borrowed from wherever it was read.

/// One event.
#[derive(Debug, Clone, Copy)]
pub enum Event<'a> {
    /// Something happened to an object, or it was there at the start.
    Change(WatchEventType, EventObject<'a>),
    /// All changes up to a version have been told.
    Bookmark {
        /// The version.
        version: &'a str,
        /// Whether it closes the initial events.
        closes_state: bool,
        /// Whether there is nothing but the version.
        bare: bool,
    },
    /// The end of the stream, for a reason.
    Error {
        /// Whether the reason is given as a Status.
        status: bool,
    },
    /// Of a type that does not exist.
    Unknown(&'a str),
}

/// What happened to an object, as seen through the stream's selector.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WatchEventType {
    /// It came to be, entered the selection, or was there at the start.
    Added,
    /// It changed.
    Modified,
    /// It went, or left the selection.
    Deleted,
}

impl WatchEventType {
    /// As in events.
    pub fn name(self) -> &'static str {
        match self {
            Self::Added => "ADDED",
            Self::Modified => "MODIFIED",
            Self::Deleted => "DELETED",
        }
    }
}

/// What an event shows of its object.
#[derive(Debug, Clone, Copy, Default)]
pub struct EventObject<'a> {
    /// `apiVersion`.
    pub api_version: &'a str,
    /// `kind`.
    pub kind: &'a str,
    /// `metadata.namespace`; empty if it has none.
    pub namespace: &'a str,
    /// `metadata.name`; empty where a table shows no objects.
    pub name: &'a str,
    /// `metadata.resourceVersion`.
    pub version: &'a str,
    /// `metadata.labels`.
    pub labels: &'a [(&'a str, &'a str)],
    /// A number that stands for the whole content, the version left out; `None` where only a part is shown.
    pub digest: Option<u64>,
}
