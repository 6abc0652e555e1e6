//! Time as scenarios read it.

use std::ops::{Add, Sub};
use std::time::Duration;

use tokio::time::{Instant as Time, sleep_until};

use crate::branch::Branch;

/// An instant. Full evidence records each reading, and the branch of a scenario reads the same time in a replay.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Instant(Time);

impl Instant {
    /// The time now.
    pub fn now() -> Self {
        Self(Branch::current().now().unwrap_or_else(Time::now))
    }

    /// How long ago it was.
    pub fn elapsed(self) -> Duration {
        Self::now() - self
    }

    /// Waits for it.
    pub async fn reached(self) {
        sleep_until(self.0).await;
    }
}

impl Add<Duration> for Instant {
    type Output = Self;

    fn add(self, time: Duration) -> Self {
        Self(self.0 + time)
    }
}

/// The time since an earlier instant; zero since a later one.
impl Sub for Instant {
    type Output = Duration;

    fn sub(self, earlier: Self) -> Duration {
        self.0.saturating_duration_since(earlier.0)
    }
}
