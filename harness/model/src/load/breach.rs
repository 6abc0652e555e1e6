//! What the server did wrong while it was under load.

use serde::{Deserialize, Serialize};

/// A rule that was broken, how often, and an example. It fails the run: it is no matter of speed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Breach {
    /// The rule in one word: `lost`, `repeated`, `reordered`, `version-went-back`.
    pub rule: String,
    /// How often.
    pub count: u64,
    /// What was legal.
    pub expected: String,
    /// What came, of the first that was seen.
    pub actual: String,
    /// The stream and the frames around it, redacted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub evidence: Vec<String>,
}
