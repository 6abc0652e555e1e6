//! A body that may be a Status of failure although the status of its response is 2xx.

use std::sync::LazyLock;

use memchr::memmem::Finder;
use serde_json::Value;

/// The maximum length of a Status, in bytes.
const LONGEST: usize = 16 << 10;

static FAILURE: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("\"Failure\""));

/// A body so far; `None` once it is longer than any Status.
pub(super) struct ShortBody(Option<Vec<u8>>);

impl ShortBody {
    /// Without a piece yet.
    pub(super) fn empty() -> Self {
        Self(Some(Vec::new()))
    }

    /// Takes the next piece of the body.
    pub(super) fn take(&mut self, piece: &[u8]) {
        match &mut self.0 {
            Some(body) if body.len() + piece.len() <= LONGEST => body.extend_from_slice(piece),
            body => *body = None,
        }
    }

    /// Whether the complete body is a Status of failure. It parses only bodies with this word.
    pub(super) fn is_failure(&self) -> bool {
        let Some(body) = self.0.as_ref().filter(|body| FAILURE.find(body).is_some()) else { return false };
        let status: Value = serde_json::from_slice(body).unwrap_or_default();
        status["kind"] == "Status" && status["status"] == "Failure"
    }
}
