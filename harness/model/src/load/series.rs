//! One series: all measurements under one key.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::histogram::Histogram;
use super::key::SeriesKey;
use super::quantile::Quantile;

/// All measurements under one key, in the measure phase.
///
/// Every attempt is in `count`, a successful one also in `histogram`. An error response is in `errors` only: a fast
/// rejection must not look like a fast success. An attempt without a response (a timeout, a cut, the end of the run)
/// has a lower bound in `censored`; if the client gave it up, it is in `errors` as well.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Series {
    /// Its key.
    #[serde(flatten)]
    pub key: SeriesKey,
    /// The number of attempts.
    pub count: u64,
    /// Those of them that ended before or after the measured time, such as watches that open before it: rates leave them
    /// out. Requests without a place in the schedule of the measured time are in no series.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub outside: u64,
    /// The number of failed attempts, by class.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub errors: BTreeMap<ErrorClass, u64>,
    /// Rightful rejections, such as the conflict of an apply: values of the histogram, not errors.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub conflicts: u64,
    /// Bytes of all response bodies.
    #[serde(default)]
    pub bytes: u64,
    /// Negative values, possible only for a lag after an acknowledgement; the histogram has them as 0.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub early: u64,
    /// The values, in microseconds.
    pub histogram: Histogram,
    /// Lower bounds of unfinished attempts.
    #[serde(default, skip_serializing_if = "Histogram::is_empty")]
    pub censored: Histogram,
    /// Upper bounds of all values, if clocks of several machines leave some of them uncertain; `histogram` then has
    /// the lower bounds. Empty if every value is exact.
    #[serde(default, skip_serializing_if = "Histogram::is_empty")]
    pub upper: Histogram,
}

/// Whether JSON omits the field.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
pub(super) fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// The class of a failed attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum ErrorClass {
    /// A response with this status.
    Status(u16),
    /// A 2xx response whose body cannot be what was asked: another object, or no list.
    InvalidBody,
    /// No connection.
    Connect,
    /// No complete response in time.
    Timeout,
    /// The connection or the stream ended early.
    Cut,
}

impl ErrorClass {
    const WORDS: [(Self, &'static str); 4] = [
        (Self::InvalidBody, "invalid-body"),
        (Self::Connect, "connect"),
        (Self::Timeout, "timeout"),
        (Self::Cut, "cut"),
    ];

    /// Whether the server sent a complete response.
    pub fn is_response(self) -> bool {
        matches!(self, Self::Status(_) | Self::InvalidBody)
    }

    /// Its name for readers: a status with the words of HTTP, `429 Too Many Requests`.
    pub fn title(self) -> String {
        let words = match self {
            Self::Status(status) => http::StatusCode::from_u16(status).ok(),
            _ => None,
        };
        let words = words.and_then(|status| status.canonical_reason());
        words.map_or_else(|| self.to_string(), |words| format!("{self} {words}"))
    }
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
        known.or_else(status).ok_or_else(|| format!("{text:?} is not an error class"))
    }
}

impl std::fmt::Display for ErrorClass {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(&String::from(*self))
    }
}

impl Series {
    /// An empty series.
    pub fn new(key: SeriesKey) -> Self {
        Self {
            key,
            count: 0,
            outside: 0,
            errors: BTreeMap::new(),
            conflicts: 0,
            bytes: 0,
            early: 0,
            histogram: Histogram::default(),
            censored: Histogram::default(),
            upper: Histogram::default(),
        }
    }

    /// Counts a successful attempt.
    pub fn record(&mut self, micros: u64) {
        self.count += 1;
        self.histogram.record(micros);
    }

    /// Counts an attempt with an error response.
    pub fn fail(&mut self, class: ErrorClass) {
        self.count += 1;
        *self.errors.entry(class).or_default() += 1;
    }

    /// Counts an attempt that the client gave up after this time, a lower bound of its duration.
    pub fn give_up(&mut self, class: ErrorClass, after: u64) {
        self.fail(class);
        self.censored.record(after);
    }

    /// Counts an attempt that was pending for this time at the end of the run.
    pub fn pend(&mut self, for_now: u64) {
        self.count += 1;
        self.censored.record(for_now);
    }

    /// Adds another series with the same key.
    pub fn add(&mut self, other: &Self) {
        self.count += other.count;
        self.outside += other.outside;
        for (class, count) in &other.errors {
            *self.errors.entry(*class).or_default() += count;
        }
        self.conflicts += other.conflicts;
        self.bytes += other.bytes;
        self.early += other.early;
        if !(self.upper.is_empty() && other.upper.is_empty()) {
            let mut upper = self.upper_bounds().clone();
            upper.add(other.upper_bounds());
            self.upper = upper;
        }
        self.histogram.add(&other.histogram);
        self.censored.add(&other.censored);
    }

    /// The upper bound of every value.
    fn upper_bounds(&self) -> &Histogram {
        if self.upper.is_empty() { &self.histogram } else { &self.upper }
    }

    /// The number of failed attempts.
    pub fn failed(&self) -> u64 {
        self.errors.values().sum()
    }

    /// The failures that the credentials explain: each 401, and each 403 if no attempt succeeded. A server that allows
    /// some of the requests may be wrong to forbid others.
    pub fn refused(&self) -> u64 {
        let with = |status| self.errors.get(&ErrorClass::Status(status)).copied().unwrap_or_default();
        with(401) + if self.histogram.is_empty() { with(403) } else { 0 }
    }

    /// How many attempts had neither succeeded nor failed when the run ended.
    pub fn unfinished(&self) -> u64 {
        self.count.saturating_sub(self.failed() + self.histogram.len())
    }

    /// Whether there were attempts, and all of them failed.
    pub fn is_hopeless(&self) -> bool {
        self.count > 0 && self.failed() == self.count
    }

    /// Attempts per second of this measured time; `None` over no time.
    #[expect(clippy::cast_precision_loss, reason = "no count of a run comes near 2^52")]
    pub fn rate(&self, over: Duration) -> Option<f64> {
        let measured = self.count.saturating_sub(self.outside);
        (!over.is_zero()).then(|| measured as f64 / over.as_secs_f64())
    }

    /// A quantile of the successful and the unfinished attempts; `None` without any.
    pub fn quantile(&self, q: f64) -> Option<Quantile> {
        let [one] = self.quantiles([q]);
        one
    }

    /// Several quantiles at once.
    ///
    /// Lower bounds take unfinished attempts at their own lower bound, upper bounds take them as infinite.
    pub fn quantiles<const N: usize>(&self, qs: [f64; N]) -> [Option<Quantile>; N] {
        let both = (!self.censored.is_empty()).then(|| {
            let mut both = self.histogram.clone();
            both.add(&self.censored);
            both
        });
        let least = both.as_ref().unwrap_or(&self.histogram);
        qs.map(|q| {
            let rank = rank(q, least.len())?;
            Some(Quantile { at_least: least.of_rank(rank)?, at_most: self.upper_bounds().of_rank(rank) })
        })
    }

    /// Whether there are enough values for a quantile: with fewer, it is only the greatest of them.
    #[expect(clippy::cast_precision_loss, reason = "no count of a run comes near 2^52")]
    pub fn carries(&self, q: f64) -> bool {
        // 0.999 leaves 0.001, but 1 - 0.999 is a little less in floating point.
        q >= 1.0 || (self.histogram.len() + self.censored.len()) as f64 * (1.0 - q) >= 1.0 - 1e-6
    }

    /// The greatest value.
    pub fn max(&self) -> Option<Quantile> {
        self.quantile(1.0)
    }
}

/// The position, from 1, of a quantile among this many values.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "clamped"
)]
fn rank(q: f64, all: u64) -> Option<u64> {
    // 0.999 × 1000 is a little more than 999 in floating point, which must not select the next rank.
    let exact = q.clamp(0.0, 1.0) * all as f64;
    (all > 0).then(|| ((exact - exact * 1e-12).ceil() as u64).clamp(1, all))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::load::key::{DurationKind, Scope};

    fn lag() -> Series {
        Series::new(SeriesKey::new("WATCH", "configmaps", Scope::Namespace, DurationKind::LagSent, ""))
    }

    #[test]
    fn a_quantile_needs_a_value_beyond_it() {
        let mut series = lag();
        assert!(!series.carries(0.5));
        (0..99).for_each(|_| series.record(1));
        assert!(series.carries(0.9) && !series.carries(0.99) && series.carries(1.0));
        series.pend(1);
        assert!(series.carries(0.99) && !series.carries(0.999));
        (0..900).for_each(|_| series.record(1));
        assert!(series.carries(0.999));
    }

    #[test]
    fn quantiles_of_finished_attempts_are_exact() {
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
    fn an_attempt_that_just_started_may_still_become_the_slowest() {
        let mut series = lag();
        (1..=90).for_each(|value| series.record(value * 1_000));
        (1..=10).for_each(|_| series.pend(1));
        let p50 = series.quantile(0.5).unwrap();
        assert_eq!((p50.at_least / 1_000, p50.at_most.map(|most| most / 1_000)), (40, Some(50)));
        assert!(p50.is_open());
        assert!(series.quantile(0.95).unwrap().at_most.is_none());
    }

    #[test]
    fn an_error_counts_as_an_attempt_without_a_latency() {
        let mut series = lag();
        series.record(10);
        series.fail(ErrorClass::Status(429));
        series.give_up(ErrorClass::Timeout, 30_000_000);
        assert_eq!((series.count, series.failed(), series.histogram.len()), (3, 2, 1));
        assert!(series.max().unwrap().is_open());
    }

    #[test]
    fn credentials_explain_a_401_and_a_403_without_any_success() {
        let mut series = lag();
        series.fail(ErrorClass::Status(401));
        series.fail(ErrorClass::Status(403));
        series.fail(ErrorClass::Status(500));
        assert_eq!((series.failed(), series.refused()), (3, 2));
        series.record(10);
        assert_eq!((series.failed(), series.refused()), (3, 1));
    }

    #[test]
    fn uncertain_values_have_bounds_and_sums_keep_them() {
        let (mut own, mut other) = (lag(), lag());
        (1..=50).for_each(|_| own.record(1_000));
        (1..=50).for_each(|_| {
            other.record(3_000);
            other.upper.record(9_000);
        });
        for (mut sum, addend) in [(own.clone(), &other), (other.clone(), &own)] {
            sum.add(addend);
            assert_eq!((sum.count, sum.histogram.len(), sum.upper.len()), (100, 100, 100));
            assert_eq!(sum.quantile(0.5), Some(Quantile::exactly(1_000)));
            let p99 = sum.quantile(0.99).unwrap();
            assert!(p99.at_least.abs_diff(3_000) <= 3, "{p99:?}");
            assert!(p99.at_most.unwrap().abs_diff(9_000) <= 9, "{p99:?}");
        }
    }

    #[test]
    fn a_series_survives_a_round_trip_and_sums_are_exact() {
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
