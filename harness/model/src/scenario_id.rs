//! The id of a scenario.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::clause::ClauseId;

/// The first clause that a scenario tests, with `/VARIANT` appended for a variant.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ScenarioId(String);

impl ScenarioId {
    /// The id as printed, and as users pass it.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The scenario's first clause.
    pub fn clause(&self) -> &str {
        self.0.split_once('/').map_or(self.0.as_str(), |(clause, _)| clause)
    }

    /// The id of an invariant check in reports.
    pub fn of_invariant(clause: &ClauseId) -> Self {
        Self(format!("{clause}/invariant"))
    }

    /// The seed of the scenario's random choices: from the seed of the run, for repetition, and from its own id, so
    /// that scenarios differ.
    pub fn seed(&self, run: u64) -> [u8; 32] {
        let mut seed = [0; 32];
        let (first, rest) = seed.split_at_mut(8);
        first.copy_from_slice(&run.to_le_bytes());
        for (index, byte) in self.0.bytes().enumerate() {
            let place = &mut rest[index % 24];
            *place = place.rotate_left(3) ^ byte;
        }
        seed
    }
}

impl From<&str> for ScenarioId {
    fn from(id: &str) -> Self {
        Self(id.to_owned())
    }
}

impl fmt::Display for ScenarioId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}
