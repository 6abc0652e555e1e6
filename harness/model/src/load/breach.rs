//! Requirements that the server broke under load.

use serde::{Deserialize, Serialize};

/// A broken requirement, with a count and an example. It fails the run: it is no matter of speed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Breach {
    /// The requirement in one word: `lost`, `repeated`, `reordered`, `malformed`, `invalid-event`, `list-short`, `unselected`,
    /// `no-conflict`, `unstored`, `stale`.
    pub rule: String,
    /// The number of breaches.
    pub count: u64,
    /// The legal behaviour.
    pub expected: String,
    /// The server's behaviour at the first breach.
    pub actual: String,
    /// The stream and the frames around it, redacted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub evidence: Vec<String>,
}
