//! Changes between two runs, number by number.

use crate::load::key::{DurationKind, SeriesKey};
use crate::load::quantile::Quantile;
use crate::load::run::LoadRun;
use crate::load::series::Series;

/// A number of a series, in both runs.
#[derive(Debug, Clone, PartialEq)]
pub struct Change {
    /// The series.
    pub series: SeriesKey,
    /// Which number.
    pub measure: Measure,
    /// In the base: the value, or its lower bound.
    pub base: Quantile,
    /// In the new run.
    pub new: Quantile,
    /// Whether both runs have enough values for this number: fewer are chance.
    pub firm: bool,
}

/// Which number of a series.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Measure {
    /// A percentile of its times, in microseconds: less is better.
    Percentile(f64),
    /// The slowest time, in microseconds.
    Max,
    /// Attempts in a thousand seconds: more is better.
    Rate,
    /// Failures per million attempts: less is better.
    Failures,
}

/// The effect of a change, given a tolerance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// Better by more than the tolerance.
    Better,
    /// Within it.
    Same,
    /// Unknown: too few values, or too many unfinished attempts.
    Unknown,
    /// Worse by more than the tolerance.
    Worse,
}

/// The percentiles of a comparison.
const PERCENTILES: [f64; 4] = [50.0, 90.0, 99.0, 99.9];

/// The least number of values beyond a percentile: fewer are chance.
const BEYOND: f64 = 10.0;

/// The rise of failures per million attempts that is worse by itself: errors are fast, and percentiles hide them.
const FAILURES_MORE: u64 = 10_000;

/// Every number of every series that both runs have.
pub fn changes(base: &LoadRun, new: &LoadRun) -> Vec<Change> {
    let both = base.series.iter().filter_map(|series| Some((series, new.series(&series.key)?)));
    both.flat_map(|(one, other)| compare_series(one, other, base, new)).collect()
}

fn compare_series(one: &Series, other: &Series, base: &LoadRun, new: &LoadRun) -> Vec<Change> {
    let change = |measure: Measure| {
        let (before, after) = (measure.of(one, base)?, measure.of(other, new)?);
        let firm = measure.is_firm(one) && measure.is_firm(other);
        Some(Change { series: one.key.clone(), measure, base: before, new: after, firm })
    };
    let mut measures: Vec<Measure> = PERCENTILES.map(Measure::Percentile).to_vec();
    measures.push(Measure::Max);
    if one.key.kind == DurationKind::Latency {
        measures.extend([Measure::Rate, Measure::Failures]);
    }
    measures.into_iter().filter_map(change).collect()
}

impl Measure {
    /// Its value in a run.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "counts")]
    pub(in crate::load) fn of(self, series: &Series, run: &LoadRun) -> Option<Quantile> {
        match self {
            Self::Percentile(percent) => series.quantile(percent / 100.0),
            Self::Max => series.max(),
            Self::Rate => series
                .rate(run.measured())
                .map(|each_second| Quantile::exactly((each_second * 1e3).round() as u64)),
            Self::Failures if series.count > 0 => {
                let millionths = u128::from(series.failed()) * 1_000_000 / u128::from(series.count);
                u64::try_from(millionths).ok().map(Quantile::exactly)
            }
            Self::Failures => None,
        }
    }

    #[expect(clippy::cast_precision_loss, reason = "no count of a run comes near 2^52")]
    /// Whether the series has enough values for it: fewer are chance.
    pub(in crate::load) fn is_firm(self, series: &Series) -> bool {
        let values = (series.histogram.len() + series.censored.len()) as f64;
        match self {
            // 99.9 % leave 0.1 %, but 1 - 0.999 is a little less in floating point.
            Self::Percentile(percent) => values * (100.0 - percent) / 100.0 >= BEYOND - 1e-6,
            Self::Max => false,
            Self::Rate | Self::Failures => values >= BEYOND,
        }
    }

    /// Its name for readers.
    pub fn name(self) -> String {
        match self {
            Self::Percentile(percent) => format!("p{percent}"),
            Self::Max => "max".to_owned(),
            Self::Rate => "rate".to_owned(),
            Self::Failures => "errors".to_owned(),
        }
    }
}

impl Change {
    /// The new value as a multiple of the base, if both are known.
    #[expect(clippy::cast_precision_loss, reason = "it is printed with few digits")]
    pub fn ratio(&self) -> Option<f64> {
        let (base, new) = (self.base.value()?, self.new.value()?);
        (base > 0).then(|| new as f64 / base as f64)
    }

    /// The effect under a tolerance, such as 0.1. A maximum is one value: its effect is unknown.
    #[expect(clippy::cast_precision_loss, reason = "no time of a run comes near 2^52 µs")]
    pub fn effect(&self, tolerance: f64) -> Effect {
        let (least, most) = (self.new.at_least as f64, self.new.at_most.map(|most| most as f64));
        let (base_least, base_most) = (self.base.at_least as f64, self.base.at_most.map(|most| most as f64));
        let factor = 1.0 + tolerance;
        match self.measure {
            Measure::Failures if self.new.at_least > self.base.at_least + FAILURES_MORE => Effect::Worse,
            Measure::Failures => Effect::Same,
            _ if !self.firm => Effect::Unknown,
            Measure::Rate if least * factor < base_least => Effect::Worse,
            Measure::Rate if least > base_least * factor => Effect::Better,
            Measure::Rate => Effect::Same,
            // Worse if its lower bound exceeds the upper bound of the base.
            _ if base_most.is_some_and(|base| least > base * factor) => Effect::Worse,
            _ if most.is_some_and(|most| most * factor < base_least) => Effect::Better,
            _ if self.base.is_open() || self.new.is_open() => Effect::Unknown,
            _ => Effect::Same,
        }
    }

    /// Whether the server causes it: a send error is the generator's.
    pub fn is_of_server(&self) -> bool {
        self.series.kind != DurationKind::SendError
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::load::{ErrorClass, Phase, PhaseName, Scope, Workload};
    use crate::target_info::TargetInfo;

    fn run(millis: u64, count: u64) -> LoadRun {
        let at = jiff::Timestamp::UNIX_EPOCH;
        let mut run = LoadRun::new("kube-assay 0", "a", Workload::default(), TargetInfo::default(), at);
        run.phases = vec![Phase { name: PhaseName::Measure, from_ms: 0, to_ms: 10_000 }];
        let mut series =
            Series::new(SeriesKey::new("GET", "pods", Scope::Resource, DurationKind::Latency, ""));
        (0..count).for_each(|_| series.record(millis * 1_000));
        run.series = vec![series];
        run
    }

    fn effects(base: &LoadRun, new: &LoadRun) -> Vec<(String, Effect)> {
        changes(base, new).iter().map(|change| (change.measure.name(), change.effect(0.1))).collect()
    }

    #[test]
    fn a_change_beyond_the_tolerance_is_better_or_worse_given_enough_values() {
        use Effect::{Better, Same, Unknown, Worse};
        let named = |effects: [Effect; 7]| {
            let names = ["p50", "p90", "p99", "p99.9", "max", "rate", "errors"].map(str::to_owned);
            names.into_iter().zip(effects).collect::<Vec<_>>()
        };
        let (many, few) = (10_000, 200);
        assert_eq!(
            effects(&run(20, many), &run(23, many)),
            named([Worse, Worse, Worse, Worse, Unknown, Same, Same])
        );
        assert_eq!(
            effects(&run(20, many), &run(21, many)),
            named([Same, Same, Same, Same, Unknown, Same, Same])
        );
        assert_eq!(
            effects(&run(20, few), &run(10, few)),
            named([Better, Better, Unknown, Unknown, Unknown, Same, Same])
        );
        assert_eq!(
            changes(&run(20, many), &run(23, many))[0].ratio().map(|ratio| (ratio * 100.0).round()),
            Some(115.0)
        );
    }

    #[test]
    fn a_falling_rate_and_rising_failures_are_worse() {
        let mut new = run(20, 8_000);
        assert!(effects(&run(20, 10_000), &new).contains(&("rate".to_owned(), Effect::Worse)));
        (0..100).for_each(|_| new.series[0].fail(ErrorClass::Status(429)));
        assert!(effects(&run(20, 8_000), &new).contains(&("errors".to_owned(), Effect::Worse)));
    }

    #[test]
    fn unfinished_attempts_are_worse_only_by_their_lower_bound() {
        let p90 = |new: &LoadRun| changes(&run(20, 1_000), new)[1].effect(0.1);
        let mut new = run(20, 1_000);
        (0..500).for_each(|_| new.series[0].pend(1));
        assert_eq!(p90(&new), Effect::Unknown);
        (0..500).for_each(|_| new.series[0].pend(9_000_000));
        assert_eq!(p90(&new), Effect::Worse);
    }
}
