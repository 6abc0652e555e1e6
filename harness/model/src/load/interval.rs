//! One second of a run: for the live view and for charts over time.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::histogram::Histogram;
use super::key::SeriesKey;
use super::phase::PhaseName;
use super::series::is_zero;

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
    /// Starts that were dropped in it.
    #[serde(default)]
    pub dropped: u64,
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
    /// The median, in microseconds.
    pub p50: u64,
    /// The 99th percentile, in microseconds.
    pub p99: u64,
    /// The greatest value, in microseconds.
    pub max: u64,
    /// The values themselves, [encoded](Histogram::encode): for the interval log, not for JSON.
    #[serde(skip)]
    pub interval: Option<String>,
}

impl SeriesInterval {
    /// The values of one second. Without values the percentiles are 0.
    pub fn new(series: SeriesKey, errors: u64, values: &Histogram) -> Self {
        let at = |q: f64| values.inner().value_at_quantile(q).min(values.max());
        Self {
            series,
            count: values.len() + errors,
            errors,
            p50: at(0.5),
            p99: at(0.99),
            max: values.max(),
            interval: (!values.is_empty()).then(|| values.encode()),
        }
    }
}

fn as_text<S: Serializer>(key: &SeriesKey, out: S) -> Result<S::Ok, S::Error> {
    out.collect_str(key)
}

fn from_text<'de, D: Deserializer<'de>>(input: D) -> Result<SeriesKey, D::Error> {
    String::deserialize(input)?.parse().map_err(serde::de::Error::custom)
}
