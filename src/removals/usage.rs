//! The uses of removed and deprecated APIs, and what could not be read.

use super::range::{Change, Range};
use crate::exit::Exit;
use crate::output::complain;

/// How many uses are kept; further ones are counted.
const MOST: usize = 10_000;

/// Where an API is used.
pub(super) enum Place {
    /// A document of a file.
    Manifest { file: String, line: u64 },
    /// The manifest in an annotation of kubectl.
    LastApplied,
    /// The fields of this manager.
    ManagedFields { manager: String },
    /// The server lists the API; no object shows a use.
    Discovery,
}

/// A use of an API.
pub(super) struct Usage {
    pub(super) place: Place,
    pub(super) namespace: String,
    pub(super) name: String,
    /// The place of the API in the range.
    pub(super) api: usize,
    pub(super) change: Change,
}

/// What a search found, and did not read.
pub(super) struct Usages {
    pub(super) range: Range,
    pub(super) found: Vec<Usage>,
    /// The number of uses that are not kept.
    pub(super) left_out: usize,
    /// The number of objects with version and kind.
    pub(super) objects: usize,
    /// What could not be read, each with the reason.
    pub(super) unread: Vec<String>,
    breaks: bool,
}

impl Usage {
    /// Whether it no longer works after the upgrade. A listed API alone shows no user.
    pub(super) fn breaks(&self) -> bool {
        self.change == Change::Removed && !matches!(self.place, Place::Discovery)
    }
}

impl Usages {
    pub(super) fn new(range: Range) -> Self {
        Self { range, found: Vec::new(), left_out: 0, objects: 0, unread: Vec::new(), breaks: false }
    }

    /// Keeps a use.
    pub(super) fn add(&mut self, usage: Usage) {
        self.breaks |= usage.breaks();
        if self.found.len() < MOST {
            self.found.push(usage);
        } else {
            self.left_out += 1;
        }
    }

    /// Reports and keeps what could not be read.
    pub(super) fn add_unread(&mut self, what: String) {
        complain(&what);
        self.unread.push(what);
        // Each is on standard error already.
        self.unread.truncate(MOST);
    }

    /// Whether something no longer works after the upgrade.
    pub(super) fn any_breaks(&self) -> bool {
        self.breaks
    }

    /// What is found outranks what is not read.
    pub(super) fn exit(&self) -> Exit {
        match (self.breaks, self.unread.is_empty()) {
            (true, _) => Exit::Failed,
            (false, true) => Exit::Passed,
            (false, false) => Exit::Inconclusive,
        }
    }
}
