//! Pairs of runs, number by number: many numbers share one error probability.

use super::change::Measure;
use super::paired::Paired;
use super::ratios::{Ratios, pairs_needed};
use crate::load::key::SeriesKey;
use crate::load::run::LoadRun;

/// The error probability of a set of pairs: a false "worse", and likewise a false "not worse".
pub(super) const FALSE_ALARMS: f64 = 0.01;

/// The numbers that are judged: typical and slow. More would repeat them, and each costs certainty.
pub const TYPICAL_AND_SLOW: [Measure; 2] = [Measure::Percentile(50.0), Measure::Percentile(99.0)];

/// A number of a series, over all pairs.
#[derive(Debug, Clone, PartialEq)]
pub struct PairedChange {
    /// The series.
    pub series: SeriesKey,
    /// Which number.
    pub measure: Measure,
    /// The number of pairs in which both runs have the value.
    pub known: usize,
    /// The ratios of these pairs; `None` without any.
    pub ratios: Option<Ratios>,
    /// The interval over all pairs, whose error probability covers all numbers; `None` with too few pairs or a missing
    /// value.
    pub paired: Option<Paired>,
    /// The upper bound of the ratio, whose error probability covers this number alone; `None` as above.
    pub at_most: Option<f64>,
}

/// The result of the pairs for a number and a limit, such as 0.1 for 10 %.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Finding {
    /// It is worse by more than the limit.
    Worse,
    /// It is not worse by more than the limit.
    NotWorse,
    /// It scatters too much to decide.
    Unclear,
    /// Too few pairs have the value.
    Unknown,
}

/// The least number of pairs that can judge this many series, if this many looks share the error probability.
pub fn pairs_to_judge(series: usize, looks: usize) -> usize {
    pairs_needed(ErrorShares::of(numbers_of(series), looks).number)
}

/// The number of judged numbers of this many series.
pub fn numbers_of(series: usize) -> usize {
    series * TYPICAL_AND_SLOW.len()
}

/// The numbers of these series, at one of so many looks. Each has its share of the error probability.
pub fn paired_changes(series: &[SeriesKey], runs: &[(LoadRun, LoadRun)], looks: usize) -> Vec<PairedChange> {
    let shares = ErrorShares::of(numbers_of(series.len()), looks);
    let judged = series.iter().flat_map(|key| TYPICAL_AND_SLOW.map(|measure| (key, measure)));
    let change = |(key, measure): (&SeriesKey, Measure)| {
        let both = runs
            .iter()
            .filter_map(|(base, new)| Some((value(base, key, measure)?, value(new, key, measure)?)));
        PairedChange::of_values(key.clone(), measure, &both.collect::<Vec<_>>(), runs.len(), shares)
    };
    judged.map(change).collect()
}

/// The shares of the error probability at one look.
#[derive(Debug, Clone, Copy)]
pub(super) struct ErrorShares {
    /// Of "worse", for each of all numbers.
    number: f64,
    /// Of "not worse": it is required of every number, so its error probability does not grow with their count.
    alone: f64,
}

impl ErrorShares {
    pub(super) fn of(numbers: usize, looks: usize) -> Self {
        Self { number: error_share(numbers * looks), alone: error_share(looks) }
    }
}

/// The error probability of each of this many numbers.
#[expect(clippy::cast_precision_loss, reason = "there are few")]
pub fn error_share(numbers: usize) -> f64 {
    FALSE_ALARMS / numbers.max(1) as f64
}

/// The value in microseconds; a lower bound is not a value.
#[expect(clippy::cast_precision_loss, reason = "no time of a run comes near 2^52 µs")]
fn value(run: &LoadRun, key: &SeriesKey, measure: Measure) -> Option<f64> {
    measure.of(run.series(key)?, run)?.value().filter(|micros| *micros > 0).map(|micros| micros as f64)
}

impl PairedChange {
    /// The change of a number that has these values in so many pairs.
    pub(super) fn of_values(
        series: SeriesKey,
        measure: Measure,
        values: &[(f64, f64)],
        pairs: usize,
        shares: ErrorShares,
    ) -> Self {
        let ratios = Ratios::of(values);
        let whole = ratios.as_ref().filter(|_| values.len() == pairs);
        let paired = whole.and_then(|ratios| ratios.interval(shares.number));
        let at_most =
            paired.and(whole).and_then(|ratios| ratios.interval(shares.alone)).map(|alone| alone.high);
        Self { series, measure, known: values.len(), ratios, paired, at_most }
    }

    /// The finding for a limit, such as 0.1 for 10 %.
    pub fn finding(&self, limit: f64) -> Finding {
        match (self.paired, self.at_most) {
            (Some(paired), _) if paired.is_worse(limit) => Finding::Worse,
            (Some(_), Some(at_most)) if at_most <= 1.0 + limit => Finding::NotWorse,
            (Some(_), _) => Finding::Unclear,
            (None, _) => Finding::Unknown,
        }
    }
}
