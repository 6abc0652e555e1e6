//! One second of a run: for the live view and for charts over time.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::histogram::Histogram;
use super::key::SeriesKey;
use super::phase::PhaseName;
use super::series::{ErrorClass, Series, is_zero};

/// The measurements of one second.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    /// When the second ended, in milliseconds since the run began.
    pub at_ms: u64,
    /// How long it was, in milliseconds: not always 1,000.
    pub length_ms: u64,
    /// The phase that it ended in.
    pub phase: PhaseName,
    /// Every series with values or errors.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub series_intervals: Vec<SeriesInterval>,
    /// Events that all watches received in it.
    #[serde(default)]
    pub events: u64,
    /// Watches that are open.
    #[serde(default)]
    pub watches: u64,
    /// Deliveries that are expected and have not arrived yet.
    #[serde(default)]
    pub pending: u64,
    /// Starts that were dropped in it. A start that waits for a sender is dropped at the end of the load, if at all.
    #[serde(default)]
    pub dropped: u64,
    /// Objects that a clean-up has left, if their number is known: for the live view, not for JSON.
    #[serde(skip)]
    pub left: Option<u64>,
    /// Processor time that the generator used in it, in microseconds.
    #[serde(default)]
    pub cpu: u64,
}

/// One series in one second.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SeriesInterval {
    /// Its key, as one text.
    #[serde(serialize_with = "as_text", deserialize_with = "from_text")]
    pub series: SeriesKey,
    /// Attempts that ended in it.
    pub count: u64,
    /// Those of them that failed.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub errors: u64,
    /// The same by class.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub error_classes: BTreeMap<ErrorClass, u64>,
    /// Rightful rejections, such as the conflict of an apply: no errors.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub conflicts: u64,
    /// Bytes of response bodies.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub bytes: u64,
    /// The median, in microseconds.
    pub p50: u64,
    /// The 99th percentile, in microseconds.
    pub p99: u64,
    /// The greatest value, in microseconds.
    pub max: u64,
    /// The number of values in each bucket: bucket `b` has those from `10^(b/6)` to `10^((b+1)/6)` microseconds.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub buckets: BTreeMap<u8, u64>,
    /// The values themselves, [encoded](Histogram::encode): for the interval log, not for JSON.
    #[serde(skip)]
    pub interval: Option<String>,
}

impl SeriesInterval {
    /// The number of buckets for each decade of time.
    pub const BUCKETS_PER_DECADE: u8 = 6;

    /// The values of one second. Without values the percentiles are 0.
    pub fn of(series: &Series) -> Self {
        let values = &series.histogram;
        let at = |q: f64| values.inner().value_at_quantile(q).min(values.max());
        Self {
            series: series.key.clone(),
            count: values.len() + series.failed(),
            errors: series.failed(),
            error_classes: series.errors.clone(),
            conflicts: series.conflicts,
            bytes: series.bytes,
            p50: at(0.5),
            p99: at(0.99),
            max: values.max(),
            buckets: buckets(values),
            interval: (!values.is_empty()).then(|| values.encode()),
        }
    }

    /// The least value of a bucket, in microseconds.
    pub fn bucket_bound(bucket: u8) -> f64 {
        10f64.powf(f64::from(bucket) / f64::from(Self::BUCKETS_PER_DECADE))
    }
}

fn buckets(values: &Histogram) -> BTreeMap<u8, u64> {
    let mut buckets = BTreeMap::new();
    for (value, count) in values.recorded() {
        *buckets.entry(bucket(value)).or_default() += count;
    }
    buckets
}

#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the logarithm of a number of 64 bits is small and not negative"
)]
fn bucket(micros: u64) -> u8 {
    ((micros.max(1) as f64).log10() * f64::from(SeriesInterval::BUCKETS_PER_DECADE)) as u8
}

fn as_text<S: Serializer>(key: &SeriesKey, out: S) -> Result<S::Ok, S::Error> {
    out.collect_str(key)
}

fn from_text<'de, D: Deserializer<'de>>(input: D) -> Result<SeriesKey, D::Error> {
    String::deserialize(input)?.parse().map_err(serde::de::Error::custom)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::load::{DurationKind, Scope};

    #[test]
    fn a_second_has_every_value_in_one_bucket_and_every_error_in_one_class() {
        let mut series =
            Series::new(SeriesKey::new("GET", "pods", Scope::Resource, DurationKind::Latency, ""));
        for micros in [1, 999, 1_000, 1_001, 2_000_000] {
            series.record(micros);
        }
        series.fail(ErrorClass::Status(429));
        series.fail(ErrorClass::Status(429));
        series.give_up(ErrorClass::Timeout, 9);
        series.bytes = 70;
        let second = SeriesInterval::of(&series);
        assert_eq!((second.count, second.errors, second.bytes), (8, 3, 70));
        assert_eq!(second.error_classes, [(ErrorClass::Status(429), 2), (ErrorClass::Timeout, 1)].into());
        assert_eq!(second.buckets, [(0, 1), (17, 1), (18, 2), (37, 1)].into());
        for (bucket, bound) in [(0, 1.0), (18, 1_000.0), (36, 1e6)] {
            assert!((SeriesInterval::bucket_bound(bucket) / bound - 1.0).abs() < 1e-9);
        }
    }
}
