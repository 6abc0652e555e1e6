//! A clock that all processes of a machine read alike.

use std::time::{Duration, Instant};

use rustix::time::{ClockId, clock_gettime};

/// An instant by our own clock and by the common one.
pub(crate) struct Anchor {
    own: Instant,
    common: u64,
}

impl Anchor {
    pub(crate) fn now() -> Self {
        Self { own: Instant::now(), common: nanos() }
    }

    /// An instant behind the anchor, as all know it.
    pub(crate) fn nanos(&self, instant: Instant) -> u64 {
        self.common + instant.saturating_duration_since(self.own).as_nanos() as u64
    }
}

/// Now, in nanoseconds.
pub(crate) fn nanos() -> u64 {
    Duration::try_from(clock_gettime(ClockId::Monotonic)).unwrap().as_nanos() as u64
}
