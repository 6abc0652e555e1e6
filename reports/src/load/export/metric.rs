//! The numbers of a result that trackers keep, each with a name that stays the same from result to result.

use model::load::{DurationKind, LoadRun, Series};

/// A quantile that trackers keep.
pub(super) const QUANTILES: [(&str, f64); 3] = [("p50", 0.5), ("p90", 0.9), ("p99", 0.99)];

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
        format!("{}/{}", self.run.workload.name, self.series.key)
    }

    pub(super) fn smaller_is_better(&self) -> bool {
        self.unit != Unit::PerSecond
    }
}

/// The series that comparisons judge, without the watches that read slowly on purpose.
pub(super) fn tracked(run: &LoadRun) -> impl Iterator<Item = &Series> {
    let kinds = [DurationKind::Latency, DurationKind::LagSent, DurationKind::Synced];
    run.series.iter().filter(move |series| kinds.contains(&series.key.kind) && series.count > 0)
}

/// The metrics of a result. A quantile of which only a lower bound is known is none: as a number it would look like an
/// improvement.
pub(super) fn metrics(run: &LoadRun) -> impl Iterator<Item = Metric<'_>> {
    tracked(run).flat_map(move |series| {
        let metric = move |name, unit, value| Metric { run, series, name, unit, value };
        let known = series.quantiles(QUANTILES.map(|(_, q)| q)).map(|known| known?.value());
        let names = QUANTILES.iter().map(|(name, _)| *name);
        let quantiles = names.zip(known).filter_map(|(name, value)| Some((name, value?)));
        let quantiles: Vec<_> =
            quantiles.map(|(name, micros)| metric(name, Unit::Microseconds, float(micros))).collect();
        let failed = metric("failed", Unit::Percent, 100.0 * float(series.failed()) / float(series.count));
        let rate = series.rate(run.measured()).map(|rate| metric("rate", Unit::PerSecond, rate));
        quantiles.into_iter().chain([failed]).chain(rate)
    })
}

#[expect(clippy::cast_precision_loss, reason = "no number of a run comes near 2^52")]
pub(super) fn float(number: u64) -> f64 {
    number as f64
}
