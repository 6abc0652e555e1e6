//! The generator's own cost and delay: the share of every number that is not the server's.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::histogram::Histogram;

/// The longest delay of a timer that a busy machine explains, in microseconds: beyond it, the generator stood still.
///
/// With ten runnable threads on two processors, p99 of the delays was 0.12 s, and no delay was as long.
const LONGEST_DELAY: u64 = 1_000_000;

/// The cost and delay of the generator.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Generator {
    /// The number of processors that it can use.
    pub cores: u32,
    /// Processor time that it used while measuring, in microseconds.
    pub cpu: u64,
    /// Its peak memory, in bytes.
    pub memory: u64,
    /// How much later than requested a sleeping thread woke up.
    pub timer_lag: Histogram,
    /// How long received bytes waited until the generator read them.
    #[serde(default, skip_serializing_if = "Histogram::is_empty")]
    pub queueing: Histogram,
    /// Events that the generator parsed whole, to verify the quick scan.
    #[serde(default)]
    pub checked: u64,
    /// Events whose scan and parse differ: anything but 0 is a bug of the generator.
    #[serde(default)]
    pub misread: u64,
}

impl Generator {
    /// The longest time for which it stood still: stopped by a signal, or on a machine that was paused or suspended.
    pub fn standstill(&self) -> Option<Duration> {
        let longest = self.timer_lag.max();
        (longest > LONGEST_DELAY).then(|| Duration::from_micros(longest))
    }
}
