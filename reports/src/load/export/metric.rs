//! The numbers of a result that trackers keep, each with a name that stays the same from result to result.

use model::load::{LoadRun, Series};

use crate::escape::one_line;

/// The quantiles that trackers keep.
const QUANTILES: [(&str, f64); 3] = [("p50", 0.5), ("p90", 0.9), ("p99", 0.99)];

/// The unit of a metric.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unit {
    Microseconds,
    PerSecond,
    Percent,
}

/// One number of a series.
pub(super) struct Metric<'a> {
    pub(super) run: &'a LoadRun,
    pub(super) series: &'a Series,
    /// `p50`, `p90`, `p99`, `failed` or `rate`.
    pub(super) name: &'static str,
    pub(super) unit: Unit,
    pub(super) value: f64,
}

impl Metric<'_> {
    /// `crud-mix/LIST configmaps namespace latency`
    pub(super) fn benchmark(&self) -> String {
        one_line(&format!("{}/{}", self.run.workload.name, self.series.key))
    }

    pub(super) fn smaller_is_better(&self) -> bool {
        self.unit != Unit::PerSecond
    }
}

/// The series that comparisons judge, without the watches that read slowly on purpose.
pub(super) fn tracked(run: &LoadRun) -> impl Iterator<Item = &Series> {
    run.series.iter().filter(|series| series.key.is_compared() && series.count > 0)
}

/// The quantiles with enough values, in microseconds. One of which only a lower bound is known is left out: as a number it
/// would look like an improvement.
pub(super) fn quantiles(series: &Series) -> impl Iterator<Item = (&'static str, f64)> {
    QUANTILES.into_iter().filter(|(_, q)| series.carries(*q)).filter_map(|(name, q)| {
        let micros = series.quantile(q)?.value()?;
        Some((name, float(micros)))
    })
}

/// The metrics of a result.
pub(super) fn metrics(run: &LoadRun) -> impl Iterator<Item = Metric<'_>> {
    tracked(run).flat_map(move |series| {
        let metric = move |name, unit, value| Metric { run, series, name, unit, value };
        let quantiles = quantiles(series).map(move |(name, micros)| metric(name, Unit::Microseconds, micros));
        let failed = metric("failed", Unit::Percent, 100.0 * float(series.failed()) / float(series.count));
        let rate = series.rate(run.measured()).map(|rate| metric("rate", Unit::PerSecond, rate));
        quantiles.chain([failed]).chain(rate)
    })
}

#[expect(clippy::cast_precision_loss, reason = "no number of a run comes near 2^52")]
pub(super) fn float(number: u64) -> f64 {
    number as f64
}
