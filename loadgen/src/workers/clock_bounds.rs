//! The difference of two clocks, between bounds that follow from cause and effect: a document is read after it was written.
//!
//! Each read gives a bound on one side; the best one counts, and weakens with time, because clocks drift. An estimate
//! from the middle of a round trip would be a guess: the way there may take longer than the way back.

use std::time::{Duration, Instant};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// No two sound clocks drift apart faster, in parts per million: what NTP corrects at most.
const DRIFT: u64 = 500;

/// The clock of this process: the machine's at its start, and then a monotonic one.
#[derive(Debug, Clone, Copy)]
pub(crate) struct OwnClock {
    epoch: Instant,
    micros: u64,
}

impl OwnClock {
    pub(crate) fn start(clock: fn() -> Timestamp) -> Self {
        let micros = u64::try_from(clock().as_microsecond()).unwrap_or(0);
        Self { epoch: Instant::now(), micros }
    }

    /// An instant in microseconds since 1970.
    pub(crate) fn micros(self, at: Instant) -> u64 {
        self.micros.saturating_add(crate::recorder::between(self.epoch, at))
    }

    /// The instant at which this clock shows a time.
    pub(crate) fn instant(self, micros: u64) -> Instant {
        match micros.checked_sub(self.micros) {
            Some(since) => self.epoch + Duration::from_micros(since),
            None => self.epoch,
        }
    }
}

/// The coordinator's clock minus that of a worker, in microseconds. A side without a bound is unknown.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ClockBounds {
    pub(crate) at_least: Option<i64>,
    pub(crate) at_most: Option<i64>,
}

impl ClockBounds {
    /// A difference within the bounds: the middle; 0 if it is unknown.
    pub(crate) fn middle(self) -> i64 {
        let both = self.at_least.zip(self.at_most);
        both.map_or(0, |(least, most)| least.saturating_add(most.saturating_sub(least) / 2))
    }

    /// Whether no difference is within the bounds: one of the clocks was changed, or is no clock.
    pub(crate) fn is_contradictory(self) -> bool {
        self.at_least.zip(self.at_most).is_some_and(|(least, most)| least > most)
    }

    /// The bounds of the clock of a worker minus that of another one, both against the coordinator's.
    pub(crate) fn ahead_of(self, other: Self) -> (i64, i64) {
        let difference = |most: Option<i64>, least: Option<i64>| {
            most.zip(least).map(|(most, least)| most.saturating_sub(least))
        };
        let least = difference(other.at_least, self.at_most);
        let most = difference(other.at_most, self.at_least);
        (least.unwrap_or(i64::MIN), most.unwrap_or(i64::MAX))
    }
}

/// What two pairs of bounds of one difference say together; if they contradict each other, either may be right.
pub(crate) fn both((least, most): (i64, i64), (other_least, other_most): (i64, i64)) -> (i64, i64) {
    let (inner_least, inner_most) = (least.max(other_least), most.min(other_most));
    if inner_least <= inner_most {
        (inner_least, inner_most)
    } else {
        (least.min(other_least), most.max(other_most))
    }
}

/// The upper bound of a difference that drifts.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct UpperBound(Option<(i64, Instant)>);

impl UpperBound {
    /// Takes the bound of another read.
    pub(crate) fn take(&mut self, bound: i64, at: Instant) {
        if self.at(at).is_none_or(|known| bound < known) {
            self.0 = Some((bound, at));
        }
    }

    /// The bound at an instant.
    pub(crate) fn at(self, now: Instant) -> Option<i64> {
        let (bound, since) = self.0?;
        let drift = crate::recorder::between(since, now) * DRIFT / 1_000_000;
        Some(bound.saturating_add(drift.cast_signed()))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Two clocks and any delays of documents both ways: the true difference is between the bounds.
        #[test]
        fn bounds_contain_the_truth(
            difference in -5_000_000_000i64..5_000_000_000,
            drift in -450i64..450,
            delays in prop::collection::vec((0..400_000u64, 0..400_000u64), 1..30),
        ) {
            let began = Instant::now();
            let (mut upper, mut lower) = (UpperBound::default(), UpperBound::default());
            for (turn, (there, back)) in (1..).zip(delays) {
                let now = began + Duration::from_secs(turn);
                // What the coordinator's clock shows beyond the worker's.
                let truth = difference + drift * turn.cast_signed();
                upper.take(truth + there.cast_signed(), now);
                lower.take(-(truth - back.cast_signed()), now);
                let bounds = ClockBounds { at_least: lower.at(now).map(|bound| -bound), at_most: upper.at(now) };
                prop_assert!(bounds.at_least.unwrap() <= truth && truth <= bounds.at_most.unwrap());
                prop_assert!(!bounds.is_contradictory());
            }
        }
    }

    #[test]
    fn a_changed_clock_is_a_contradiction() {
        let (mut upper, now) = (UpperBound::default(), Instant::now());
        upper.take(1_000, now);
        let bounds =
            ClockBounds { at_least: Some(3_000_000), at_most: upper.at(now + Duration::from_secs(2)) };
        assert_eq!((bounds.at_most, bounds.is_contradictory()), (Some(2_000), true));
    }

    #[test]
    fn two_workers_differ_by_their_differences() {
        let bounds = |least, most| ClockBounds { at_least: Some(least), at_most: Some(most) };
        // One clock shows 900 to 1,000 less than the coordinator's, the other one 200 to 300 more.
        assert_eq!(bounds(900, 1_000).ahead_of(bounds(-300, -200)), (-1_300, -1_100));
        assert_eq!(both((-10, 10), (3, 40)), (3, 10));
        assert_eq!(both((-10, 10), (30, 40)), (-10, 40));
        let (least, most) = ClockBounds::default().ahead_of(bounds(0, 0));
        assert_eq!((least, most), (i64::MIN, i64::MAX));
    }
}
