//! One series: all that was measured under one name.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::histogram::Histogram;
use super::key::SeriesKey;
use super::quantile::Quantile;

/// All that was measured under one name, in the phase that counts.
///
/// Every attempt is in `count`. One that succeeded is in `histogram`. One that was answered with an error is in
/// `errors` only: a fast refusal must not look like a fast answer. One that had no answer (a timeout, a cut, the end of
/// the run) took at least so long: it is in `censored`, and in `errors` as well if it was given up.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Series {
    /// Its name.
    #[serde(flatten)]
    pub key: SeriesKey,
    /// How many attempts there were.
    pub count: u64,
    /// Those that failed, by class.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub errors: BTreeMap<ErrorClass, u64>,
    /// Answers that refuse and are right to, such as the conflict of an apply: no errors, and among the values.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub conflicts: u64,
    /// Bytes of all answers' bodies.
    #[serde(default)]
    pub bytes: u64,
    /// Negative values, which only a lag behind an acknowledgement can have; they stand in the histogram as 0.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub early: u64,
    /// The values, in microseconds.
    pub histogram: Histogram,
    /// Lower bounds of what did not come to an end.
    #[serde(default, skip_serializing_if = "Histogram::is_empty")]
    pub censored: Histogram,
}

/// What is left out of a file.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
pub(super) fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// Why an attempt failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum ErrorClass {
    /// An answer of this status.
    Status(u16),
    /// No connection.
    Connect,
    /// No whole answer in time.
    Timeout,
    /// The connection or the stream ended in the middle.
    Cut,
}

impl ErrorClass {
    const WORDS: [(Self, &'static str); 3] =
        [(Self::Connect, "connect"), (Self::Timeout, "timeout"), (Self::Cut, "cut")];
}

impl From<ErrorClass> for String {
    fn from(class: ErrorClass) -> Self {
        let word = ErrorClass::WORDS.iter().find(|(known, _)| *known == class).map(|(_, word)| *word);
        match class {
            ErrorClass::Status(status) => status.to_string(),
            _ => word.unwrap_or_default().to_owned(),
        }
    }
}

impl TryFrom<String> for ErrorClass {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let known = Self::WORDS.iter().find(|(_, word)| *word == text).map(|(class, _)| *class);
        let status = || text.parse().ok().map(Self::Status);
        known.or_else(status).ok_or_else(|| format!("{text:?} is no class of errors"))
    }
}

impl std::fmt::Display for ErrorClass {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(&String::from(*self))
    }
}

impl Series {
    /// Nothing measured yet.
    pub fn new(key: SeriesKey) -> Self {
        Self {
            key,
            count: 0,
            errors: BTreeMap::new(),
            conflicts: 0,
            bytes: 0,
            early: 0,
            histogram: Histogram::default(),
            censored: Histogram::default(),
        }
    }

    /// An attempt that came to its end.
    pub fn record(&mut self, micros: u64) {
        self.count += 1;
        self.histogram.record(micros);
    }

    /// An attempt that was answered with an error.
    pub fn fail(&mut self, class: ErrorClass) {
        self.count += 1;
        *self.errors.entry(class).or_default() += 1;
    }

    /// An attempt that was given up after a time: it would have taken longer.
    pub fn give_up(&mut self, class: ErrorClass, after: u64) {
        self.fail(class);
        self.censored.record(after);
    }

    /// An attempt that was still under way when the run ended.
    pub fn pend(&mut self, for_now: u64) {
        self.count += 1;
        self.censored.record(for_now);
    }

    /// Adds all that another has of the same name.
    pub fn add(&mut self, other: &Self) {
        self.count += other.count;
        for (class, count) in &other.errors {
            *self.errors.entry(*class).or_default() += count;
        }
        self.conflicts += other.conflicts;
        self.bytes += other.bytes;
        self.early += other.early;
        self.histogram.add(&other.histogram);
        self.censored.add(&other.censored);
    }

    /// How many attempts failed.
    pub fn failed(&self) -> u64 {
        self.errors.values().sum()
    }

    /// How many attempts had neither succeeded nor failed when the run ended.
    pub fn unanswered(&self) -> u64 {
        self.count.saturating_sub(self.failed() + self.histogram.len())
    }

    /// Whether there were attempts, and all of them failed.
    pub fn is_hopeless(&self) -> bool {
        self.count > 0 && self.failed() == self.count
    }

    /// Attempts a second, over so long a time; `None` if that is none.
    #[expect(clippy::cast_precision_loss, reason = "no count of a run comes near 2^52")]
    pub fn rate(&self, over: Duration) -> Option<f64> {
        (!over.is_zero()).then(|| self.count as f64 / over.as_secs_f64())
    }

    /// A quantile of all that succeeded or had no answer; `None` if that is nothing.
    pub fn quantile(&self, q: f64) -> Option<Quantile> {
        let [one] = self.quantiles([q]);
        one
    }

    /// Several of them.
    ///
    /// What had no answer stands at its lower bound for the lower bound, and at infinity for the upper one.
    pub fn quantiles<const N: usize>(&self, qs: [f64; N]) -> [Option<Quantile>; N] {
        let both = (!self.censored.is_empty()).then(|| {
            let mut both = self.histogram.clone();
            both.add(&self.censored);
            both
        });
        let least = both.as_ref().unwrap_or(&self.histogram);
        qs.map(|q| {
            let rank = rank(q, least.len())?;
            Some(Quantile { at_least: least.of_rank(rank)?, at_most: self.histogram.of_rank(rank) })
        })
    }

    /// The greatest value.
    pub fn max(&self) -> Option<Quantile> {
        self.quantile(1.0)
    }
}

/// The position, from 1, of a quantile among so many.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "clamped"
)]
fn rank(q: f64, all: u64) -> Option<u64> {
    // 0.999 × 1000 is a little more than 999 to a computer, which must not make it the next.
    let exact = q.clamp(0.0, 1.0) * all as f64;
    (all > 0).then(|| ((exact - exact * 1e-12).ceil() as u64).clamp(1, all))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::load::key::{Kind, Scope};

    fn lag() -> Series {
        Series::new(SeriesKey::new("WATCH", "configmaps", Scope::Namespace, Kind::LagSent, ""))
    }

    #[test]
    fn quantiles_of_what_all_arrived_are_exact() {
        let mut series = lag();
        (1..=1_000).for_each(|value| series.record(value));
        for (q, value) in [(0.0, 1), (0.5, 500), (0.9, 900), (0.99, 990), (0.999, 999), (1.0, 1_000)] {
            assert_eq!(series.quantile(q), Some(Quantile::exactly(value)), "{q}");
        }
        assert_eq!(lag().quantile(0.5), None);
    }

    #[test]
    fn a_rank_among_the_censored_has_a_lower_bound_only() {
        let mut series = lag();
        (1..=70).for_each(|_| series.record(193_000));
        (1..=30).for_each(|_| series.pend(3_000_000));
        let p50 = series.quantile(0.5).unwrap();
        assert!(!p50.is_open() && p50.micros().abs_diff(193_000) <= 193, "{p50:?}");
        let p99 = series.quantile(0.99).unwrap();
        assert!(p99.is_open() && p99.at_most.is_none() && p99.micros() >= 2_999_000, "{p99:?}");
        assert_eq!(series.count, 100);
    }

    #[test]
    fn what_had_only_just_begun_may_still_become_the_slowest() {
        let mut series = lag();
        (1..=90).for_each(|value| series.record(value * 1_000));
        (1..=10).for_each(|_| series.pend(1));
        let p50 = series.quantile(0.5).unwrap();
        assert_eq!((p50.at_least / 1_000, p50.at_most.map(|most| most / 1_000)), (40, Some(50)));
        assert!(p50.is_open());
        assert!(series.quantile(0.95).unwrap().at_most.is_none());
    }

    #[test]
    fn an_error_is_an_attempt_but_no_latency() {
        let mut series = lag();
        series.record(10);
        series.fail(ErrorClass::Status(429));
        series.give_up(ErrorClass::Timeout, 30_000_000);
        assert_eq!((series.count, series.failed(), series.histogram.len()), (3, 2, 1));
        assert!(series.max().unwrap().is_open());
    }

    #[test]
    fn a_series_is_read_back_and_sums_are_exact() {
        let mut series = lag();
        series.record(5);
        series.give_up(ErrorClass::Cut, 7);
        series.fail(ErrorClass::Status(503));
        let text = serde_json::to_string(&series).unwrap();
        assert_eq!(serde_json::from_str::<Series>(&text).unwrap(), series);
        let mut twice = series.clone();
        twice.add(&series);
        assert_eq!((twice.count, twice.failed(), twice.censored.len()), (6, 4, 2));
    }
}
