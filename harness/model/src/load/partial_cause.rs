//! The causes of a partial run that its verdict distinguishes.

use serde::{Deserialize, Serialize};

/// Why a run is partial.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PartialCause {
    /// It ended early, or a part of its measurements is missing.
    #[default]
    EndedEarly,
    /// The load ran to its end, and then every read of what it had written ended in 5xx.
    ReadBackRejected,
    /// The load ran to its end, and no write succeeded that watches were to deliver, or a closed loop had hardly any
    /// response or measured requests of at most half of its senders, or no request at the end of the load had a response.
    Unmeasured,
    /// Another program deleted a namespace of the run: no number says anything about the server.
    NamespaceDeleted,
}

impl PartialCause {
    /// Whether it is the default, which files leave out.
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
    pub(super) fn is_default(&self) -> bool {
        *self == Self::default()
    }
}
