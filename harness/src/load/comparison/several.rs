//! Pairs of runs, number by number, and how sure each has to be when there are many.

use super::change::Measure;
use super::paired::{Paired, pairs_needed};
use crate::load::key::{Kind, SeriesKey};
use crate::load::run::LoadRun;

/// How often, in all, a set of pairs may call something worse that is the same.
const FALSE_ALARMS: f64 = 0.01;

/// What is judged: the typical and the slow. More would be the same again, and each costs certainty.
const MEASURES: [Measure; 2] = [Measure::Percentile(50.0), Measure::Percentile(99.0)];

/// A number of a series, over all pairs.
#[derive(Debug, Clone, PartialEq)]
pub struct PairedChange {
    /// The series.
    pub series: SeriesKey,
    /// Which number.
    pub measure: Measure,
    /// What the pairs say; `None` if there are too few of them, or some had no such value.
    pub paired: Option<Paired>,
    /// How many pairs it would take at least.
    pub needed: usize,
}

/// The latencies and lags that all runs have. Each is held to its share of the false alarms that are allowed for all.
pub fn paired_changes(runs: &[(LoadRun, LoadRun)]) -> Vec<PairedChange> {
    let keys = shared(runs);
    #[expect(clippy::cast_precision_loss, reason = "there are few")]
    let wrong = FALSE_ALARMS / (keys.len() * MEASURES.len()).max(1) as f64;
    let needed = pairs_needed(wrong);
    let judged = keys.iter().flat_map(|key| MEASURES.map(|measure| (key.clone(), measure)));
    judged
        .map(|(series, measure)| {
            let values: Option<Vec<(f64, f64)>> = runs
                .iter()
                .map(|(base, new)| Some((value(base, &series, measure)?, value(new, &series, measure)?)))
                .collect();
            let paired = values.and_then(|values| Paired::of(&values, wrong));
            PairedChange { series, measure, paired, needed }
        })
        .collect()
}

fn shared(runs: &[(LoadRun, LoadRun)]) -> Vec<SeriesKey> {
    let Some((first, _)) = runs.first() else { return Vec::new() };
    let judged =
        first.series.iter().filter(|series| matches!(series.key.kind, Kind::Latency | Kind::LagSent));
    let everywhere = |key: &SeriesKey| {
        runs.iter().all(|(base, new)| base.series(key).is_some() && new.series(key).is_some())
    };
    judged.map(|series| series.key.clone()).filter(everywhere).collect()
}

/// A lower bound is no value: a pair with one says nothing.
#[expect(clippy::cast_precision_loss, reason = "no time of a run comes near 2^52 µs")]
fn value(run: &LoadRun, key: &SeriesKey, measure: Measure) -> Option<f64> {
    measure.of(run.series(key)?, run)?.value().map(|micros| micros as f64)
}
