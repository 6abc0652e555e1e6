//! When requests start: a schedule of instants that does not depend on the responses.
//!
//! In an open loop the schedule is fixed. A late start stays late: it goes out as soon as possible and counts from
//! its intended instant, and the schedule does not change. In a closed loop there is no schedule: each sender sends its
//! next request when it has the response.

mod clock;

pub use clock::Clock;

use std::time::Duration;

/// When requests start.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Pace {
    /// This rate per second, at equal distances.
    Fixed(f64),
    /// This average rate per second, at random distances, like independent clients.
    Random {
        /// Requests per second.
        per_second: f64,
        /// The same seed gives the same distances.
        seed: u64,
    },
    /// This number of senders; each sends its next request when it has the response.
    Closed(usize),
}

/// The instants of an open loop, as distances from its start, ascending.
#[derive(Debug, Clone)]
pub struct Schedule {
    rule: StartTimes,
    number: u64,
    length: Duration,
}

#[derive(Debug, Clone)]
enum StartTimes {
    Fixed(f64),
    Random { per_second: f64, random: fastrand::Rng, at: f64 },
    Never,
}

impl Pace {
    /// Its instants within a time; none in a closed loop or for an invalid rate.
    pub fn plan(self, length: Duration) -> Schedule {
        let rule = match self {
            Self::Fixed(rate) if rate.is_normal() && rate > 0.0 => StartTimes::Fixed(rate),
            Self::Random { per_second, seed } if per_second.is_normal() && per_second > 0.0 => {
                StartTimes::Random { per_second, random: fastrand::Rng::with_seed(seed), at: 0.0 }
            }
            _ => StartTimes::Never,
        };
        Schedule { rule, number: 0, length }
    }
}

impl Iterator for Schedule {
    type Item = Duration;

    fn next(&mut self) -> Option<Duration> {
        let seconds = match &mut self.rule {
            // Each from the start: a sum of distances would drift.
            #[expect(clippy::cast_precision_loss, reason = "exact for longer than any run")]
            StartTimes::Fixed(rate) => self.number as f64 / *rate,
            StartTimes::Random { per_second, random, at } => {
                *at -= (1.0 - random.f64()).ln() / *per_second;
                *at
            }
            StartTimes::Never => return None,
        };
        self.number += 1;
        Duration::try_from_secs_f64(seconds).ok().filter(|at| *at < self.length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINUTE: Duration = Duration::from_mins(1);

    #[test]
    fn a_fixed_pace_has_exactly_its_number_of_starts() {
        for (rate, count) in [(1.0, 60), (0.5, 30), (3.0, 180), (1_000.0, 60_000), (333.3, 19_998)] {
            let all: Vec<Duration> = Pace::Fixed(rate).plan(MINUTE).collect();
            assert_eq!(all.len(), count, "{rate}");
            assert!(all.is_sorted() && all[0].is_zero());
        }
    }

    #[test]
    fn a_random_pace_is_the_same_for_the_same_seed() {
        let plan = |seed| Pace::Random { per_second: 100.0, seed }.plan(MINUTE).collect::<Vec<_>>();
        assert_eq!(plan(1), plan(1));
        assert_ne!(plan(1), plan(2));
        assert!(plan(1).is_sorted());
        // Six standard deviations.
        assert!(plan(1).len().abs_diff(6_000) < 465, "{}", plan(1).len());
    }

    #[test]
    fn what_is_no_rate_starts_nothing() {
        for rate in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert_eq!(Pace::Fixed(rate).plan(MINUTE).count(), 0);
            assert_eq!(Pace::Random { per_second: rate, seed: 0 }.plan(MINUTE).count(), 0);
        }
        assert_eq!(Pace::Closed(3).plan(MINUTE).count(), 0);
    }
}
