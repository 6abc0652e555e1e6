//! What a watch delivers.

use model::{Object, store_outage_of_status};

/// One event of a watch.
#[derive(Debug, Clone)]
pub struct WatchEvent {
    /// `ADDED`, `MODIFIED`, `DELETED`, `BOOKMARK`, `ERROR`, or any other type that the server sent.
    pub kind: String,
    /// The event's object.
    pub object: Object,
}

impl WatchEvent {
    /// The event in one line: `MODIFIED a at 17`.
    pub fn brief(&self) -> String {
        if self.kind == "ERROR" {
            return format!("ERROR {}", self.object.json());
        }
        format!("{} {} at {}", self.kind, self.object.name(), self.object.version())
    }

    /// Whether it says that the version of the watch has expired.
    pub fn expired(&self) -> bool {
        self.kind == "ERROR" && self.object.json()["code"] == 410
    }

    /// The advice where it says that the store of the server did not serve the watch: it tells nothing about a clause.
    pub(crate) fn store_outage(&self) -> Option<&'static str> {
        if self.kind == "ERROR" { store_outage_of_status(self.object.json()) } else { None }
    }
}

/// The next result of a watch.
#[derive(Debug, Clone)]
pub enum Next {
    /// An event.
    Event(WatchEvent),
    /// The server ended the stream.
    End,
    /// No event within the time.
    Silence,
}
