//! What the generator itself cost and suffered: the share of every number that is not the server's.

use serde::{Deserialize, Serialize};

use super::histogram::Histogram;

/// The generator, looked at by itself.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Generator {
    /// How many processors it could use.
    pub cores: u32,
    /// Processor time that it used while measuring, in microseconds.
    pub cpu: u64,
    /// The most memory that it had, in bytes.
    pub memory: u64,
    /// How much later than asked a sleeping thread woke up.
    pub timer_lag: Histogram,
    /// How long bytes that had arrived waited until they were looked at.
    #[serde(default, skip_serializing_if = "Histogram::is_empty")]
    pub queueing: Histogram,
    /// Events that were parsed as a whole, to check what the quick look had found in them.
    #[serde(default)]
    pub checked: u64,
    /// Those where both did not agree: anything but 0 is a mistake of ours.
    #[serde(default)]
    pub misread: u64,
}
