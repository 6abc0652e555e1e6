//! What a history keeps of a load run.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::load::comparison::Measure;
use crate::load::threshold::ThresholdVerdict;
use crate::load::{Host, LoadRun, Series, SeriesKey};

/// The version of the format; a reader rejects a greater one.
pub const HISTORY_FORMAT: u32 = 1;

/// The marker that tells the file from others.
pub const HISTORY_KIND: &str = "load-history";

/// One result of a history: the identity of a run, and its numbers without the histograms.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct HistoryEntry {
    /// [`HISTORY_FORMAT`] of the writer.
    pub format: u32,
    /// [`HISTORY_KIND`].
    pub kind: String,
    /// Name and version of the program that measured.
    pub tool: String,
    /// The id of the run.
    pub run: String,
    /// The seed of its schedule.
    pub seed: u64,
    /// The labels of the run, such as its commit.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub labels: BTreeMap<String, String>,
    /// The requests.
    pub workload: KeptWorkload,
    /// The server.
    pub target: KeptTarget,
    /// The machine of the generator.
    pub host: Host,
    /// When the run began.
    pub began: Timestamp,
    /// The measured time, in milliseconds.
    pub measured_ms: u64,
    /// The verdict on its thresholds.
    pub verdict: ThresholdVerdict,
    /// Whether the generator was the bottleneck: then its numbers are in no trend.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unreliable: bool,
    /// Its warnings, one sentence each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// The numbers of every series.
    pub series: Vec<KeptSeries>,
}

/// The identity of a workload.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptWorkload {
    /// Such as `crud-mix`.
    pub name: String,
    /// The digest of everything that it sends.
    pub digest: String,
}

/// What the server said of itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptTarget {
    /// Its minor version; empty if unknown.
    pub version: String,
    /// `gitVersion`; may be empty.
    pub release: String,
}

/// The numbers of one series.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct KeptSeries {
    /// Its key.
    #[serde(flatten)]
    pub key: SeriesKey,
    /// The number of attempts.
    pub count: u64,
    /// The number of failed attempts.
    #[serde(default, skip_serializing_if = "crate::load::series::is_zero")]
    pub failed: u64,
    /// Attempts per second.
    pub rate: f64,
    /// The quantiles by their names, `p50`, `p90`, `p99`, `p99.9` and `max`. One with only a lower bound is missing: as a
    /// number it would look like an improvement.
    pub quantiles: BTreeMap<String, KeptQuantile>,
}

/// A quantile in microseconds, and how certain it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptQuantile {
    /// The value.
    pub micros: u64,
    /// The lower end of the 95 % interval that follows from the number of values.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub low: Option<u64>,
    /// The upper end. Without an interval the values are too few to compare.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub high: Option<u64>,
}

const QUANTILES: [Measure; 5] = [
    Measure::Percentile(50.0),
    Measure::Percentile(90.0),
    Measure::Percentile(99.0),
    Measure::Percentile(99.9),
    Measure::Max,
];

impl HistoryEntry {
    /// What is kept of a run.
    pub fn of(run: &LoadRun) -> Self {
        let version = run.target.version.map_or(String::new(), |version| version.to_string());
        Self {
            format: HISTORY_FORMAT,
            kind: HISTORY_KIND.to_owned(),
            tool: run.tool.clone(),
            run: run.run.clone(),
            seed: run.seed,
            labels: run.labels.clone(),
            workload: KeptWorkload { name: run.workload.name.clone(), digest: run.workload.digest.clone() },
            target: KeptTarget { version, release: run.target.release.clone() },
            host: run.host.clone(),
            began: run.began,
            measured_ms: u64::try_from(run.measured().as_millis()).unwrap_or(u64::MAX),
            verdict: run.verdict(),
            unreliable: run.is_unreliable(),
            warnings: run.all_warnings().into_iter().map(|warning| warning.says).collect(),
            series: run.series.iter().map(|series| KeptSeries::of(series, run)).collect(),
        }
    }

    /// The series with this key.
    pub fn series(&self, key: &SeriesKey) -> Option<&KeptSeries> {
        self.series.iter().find(|series| series.key == *key)
    }

    /// The name of the result for people: its commit, or another label that tells it from others, or its run.
    pub fn name(&self) -> String {
        let commit = self.labels.get("commit").map(|commit| commit.chars().take(12).collect());
        let other = || self.labels.get("build").map(|build| format!("build {build}"));
        commit.or_else(other).unwrap_or_else(|| format!("run {}", self.run))
    }
}

impl KeptSeries {
    fn of(series: &Series, run: &LoadRun) -> Self {
        let quantiles = QUANTILES.into_iter().filter_map(|measure| {
            let micros = measure.of(series, run)?.value()?;
            let (low, high) = interval(series, measure).unzip();
            Some((measure.name(), KeptQuantile { micros, low, high }))
        });
        Self {
            key: series.key.clone(),
            count: series.count,
            failed: series.failed(),
            rate: series.rate(run.measured()).map_or(0.0, |rate| (rate * 1e3).round() / 1e3),
            quantiles: quantiles.collect(),
        }
    }
}

/// The 95 % interval of a percentile, from the order of its values alone; `None` with too few values beyond it.
fn interval(series: &Series, measure: Measure) -> Option<(u64, u64)> {
    let Measure::Percentile(percent) = measure else { return None };
    if !measure.is_firm(series) {
        return None;
    }
    let q = percent / 100.0;
    let half = 1.96 * (q * (1.0 - q) / float(series.histogram.len() + series.censored.len())).sqrt();
    let [low, high] = series.quantiles([q - half, q + half]).map(|end| end?.value());
    Some((low?, high?))
}

#[expect(clippy::cast_precision_loss, reason = "no count of a run comes near 2^52")]
fn float(count: u64) -> f64 {
    count as f64
}
