//! The name of a scenario.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::clause::ClauseId;

/// The first clause that a scenario answers, and behind a `/` its variant, if it is one.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ScenarioId(String);

impl ScenarioId {
    /// The id as printed and as given by users.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The scenario's first clause.
    pub fn clause(&self) -> &str {
        self.0.split_once('/').map_or(self.0.as_str(), |(clause, _)| clause)
    }

    /// The id under which a rule for every exchange or stream is reported.
    pub fn of_invariant(clause: &ClauseId) -> Self {
        Self(format!("{clause}/invariant"))
    }

    /// What the scenario's random choices are made from: the run's seed, so that they can be repeated, and its own name,
    /// so that they are not everybody's.
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
