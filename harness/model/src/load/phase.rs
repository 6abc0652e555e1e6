//! The phases of a load run.

use serde::{Deserialize, Serialize};

/// A stretch of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Phase {
    /// What was done in it.
    pub name: PhaseName,
    /// When it began, in milliseconds since the run began.
    pub from_ms: u64,
    /// When it ended.
    pub to_ms: u64,
}

/// What a stretch of a run is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PhaseName {
    /// The population is created and checked.
    Populate,
    /// Connections and watches are opened.
    Ramp,
    /// The load is there and does not count yet.
    WarmUp,
    /// What happens now counts.
    Measure,
    /// Nothing new is asked: what is under way may arrive.
    Drain,
    /// What was created is removed.
    CleanUp,
}

impl PhaseName {
    /// Its name for readers.
    pub fn word(self) -> &'static str {
        match self {
            Self::Populate => "populate",
            Self::Ramp => "ramp",
            Self::WarmUp => "warm-up",
            Self::Measure => "measure",
            Self::Drain => "drain",
            Self::CleanUp => "clean-up",
        }
    }
}
