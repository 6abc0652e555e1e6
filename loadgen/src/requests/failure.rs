//! A Status of failure in a response whose status is 2xx.

use std::sync::LazyLock;

use memchr::memmem::Finder;
use serde_json::Value;

/// The maximum length of a Status, in bytes.
const LONGEST: usize = 16 << 10;

static FAILURE: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("\"Failure\""));

/// The start of a body.
#[derive(Default)]
pub(super) struct Start {
    kept: Vec<u8>,
    /// The body is longer than any Status.
    is_cut: bool,
}

impl Start {
    /// Takes the next piece of the body.
    pub(super) fn take(&mut self, piece: &[u8]) {
        self.is_cut |= self.kept.len() + piece.len() > LONGEST;
        if !self.is_cut {
            self.kept.extend_from_slice(piece);
        }
    }

    /// Whether the complete body is a Status of failure. It parses only bodies with this word.
    pub(super) fn is_failure(&self) -> bool {
        if self.is_cut || FAILURE.find(&self.kept).is_none() {
            return false;
        }
        let status: Value = serde_json::from_slice(&self.kept).unwrap_or_default();
        status["kind"] == "Status" && status["status"] == "Failure"
    }
}
