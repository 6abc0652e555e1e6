//! Profiles: how much runs. Each one includes the one before it.

use model::Clause;
use serde::{Deserialize, Serialize};

/// How much runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Profile {
    /// The needs of a partial server or a mock: the basic clauses of the catalogue only.
    Basic,
    /// The scenarios for every server.
    #[default]
    Core,
    /// Slow and heavy scenarios, too.
    Full,
}

impl Profile {
    /// Whether a clause is in its scope.
    pub fn holds(self, clause: &Clause) -> bool {
        self != Self::Basic || clause.basic
    }

    /// The word as users write it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Basic => "basic",
            Self::Core => "core",
            Self::Full => "full",
        }
    }
}
