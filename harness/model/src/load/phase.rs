//! The phases of a load run.

use serde::{Deserialize, Serialize};

/// A phase of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Phase {
    /// Its purpose.
    pub name: PhaseName,
    /// When it began, in milliseconds since the run began.
    pub from_ms: u64,
    /// When it ended.
    pub to_ms: u64,
}

/// The purpose of a phase.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PhaseName {
    /// kube-assay creates and checks the population.
    Populate,
    /// kube-assay opens connections and watches.
    Ramp,
    /// The load runs without being measured.
    WarmUp,
    /// The load runs and is measured.
    Measure,
    /// No new requests: pending responses and events may arrive.
    Drain,
    /// kube-assay removes its objects.
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
