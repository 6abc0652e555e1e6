//! One of the workers of a run.

use serde::{Deserialize, Serialize};

use super::host::Host;

/// One of the workers of a run: its machine, its cost and its clock.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkerAccount {
    /// Its index, from 0.
    pub index: usize,
    /// Its machine; empty if its result is missing.
    #[serde(default)]
    pub host: Host,
    /// Processor time that it used while measuring, in microseconds.
    #[serde(default)]
    pub cpu: u64,
    /// Its peak memory, in bytes.
    #[serde(default)]
    pub memory: u64,
    /// The least difference of the coordinator's clock to its own, in microseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock_at_least: Option<i64>,
    /// The greatest difference.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock_at_most: Option<i64>,
    /// What makes its part of the run incomplete, if anything does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
}
