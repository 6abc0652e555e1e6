//! A body that may be a Status of failure, or no JSON, although the status of its response is 2xx.

use std::sync::LazyLock;

use memchr::memmem::Finder;
use serde::de::IgnoredAny;
use serde_json::Value;

/// The maximum length of a Status, in bytes.
const LONGEST: usize = 16 << 10;

static FAILURE: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("\"Failure\""));

/// The maximum length of a body that is always parsed, in bytes. Of the longer ones up to [`LONGEST`], one in
/// [`PARSE_ONE_IN`] is: a parser needs 10 µs or more for each of them.
const ALWAYS_PARSED: usize = 4 << 10;
const PARSE_ONE_IN: u32 = 16;

/// A body so far.
pub(super) struct ShortBody {
    /// `None` once it is longer than any Status.
    kept: Option<Vec<u8>>,
    /// The last byte that is no white space.
    last: Option<u8>,
}

impl ShortBody {
    /// Without a piece yet.
    pub(super) fn empty() -> Self {
        Self { kept: Some(Vec::new()), last: None }
    }

    /// Takes the next piece of the body.
    pub(super) fn take(&mut self, piece: &[u8]) {
        self.last = piece.iter().rfind(|byte| !byte.is_ascii_whitespace()).copied().or(self.last);
        match &mut self.kept {
            Some(body) if body.len() + piece.len() <= LONGEST => body.extend_from_slice(piece),
            body => *body = None,
        }
    }

    /// Whether the complete body is a Status of failure. It parses only bodies with this word.
    pub(super) fn is_failure(&self) -> bool {
        let Some(body) = self.kept.as_ref().filter(|body| FAILURE.find(body).is_some()) else { return false };
        let status: Value = serde_json::from_slice(body).unwrap_or_default();
        status["kind"] == "Status" && status["status"] == "Failure"
    }

    /// Whether the complete body is no object of JSON, as far as that is known. No body is malformed.
    pub(super) fn is_malformed(&self) -> bool {
        let Some(last) = self.last else { return false };
        let parses = |body: &[u8]| body.len() <= ALWAYS_PARSED || fastrand::u32(..PARSE_ONE_IN) == 0;
        let parsed = self.kept.as_ref().filter(|body| parses(body));
        last != b'}' || parsed.is_some_and(|body| serde_json::from_slice::<IgnoredAny>(body).is_err())
    }
}
