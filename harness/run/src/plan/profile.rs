//! How much is asked: each profile holds all of the one before it.

use model::Clause;
use serde::{Deserialize, Serialize};

/// How much is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Profile {
    /// What a partial server or a mock needs: the clauses that the catalogue calls basic, and no others.
    Basic,
    /// What any server should be asked.
    #[default]
    Core,
    /// Also what is slow or heavy.
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
