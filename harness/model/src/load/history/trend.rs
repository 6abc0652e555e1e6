//! One number over the results of a group: its values, its levels, and the changes between them.

use std::collections::BTreeSet;

use super::change_point::change_points;
use super::entry::{HistoryEntry, KeptQuantile};
use crate::load::SeriesKey;
use crate::load::comparison::{Measure, TYPICAL_AND_SLOW, error_share};

/// A change must exceed this many standard errors of both levels, as far as they follow from the numbers of values.
const ERRORS: f64 = 3.0;

/// One number over time.
#[derive(Debug, Clone, PartialEq)]
pub struct Trend {
    /// The series.
    pub series: SeriesKey,
    /// Which number of it.
    pub measure: Measure,
    /// Its values, in the order of time. A result with too few values has none.
    pub points: Vec<TrendPoint>,
    /// The changes of level, ascending.
    pub changes: Vec<LevelChange>,
}

/// A value of a trend.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TrendPoint {
    /// The position of the result in its group.
    pub result: usize,
    /// The value.
    pub quantile: KeptQuantile,
}

/// A change of level.
#[derive(Debug, Clone, PartialEq)]
pub struct LevelChange {
    /// The first point of the new level.
    pub point: usize,
    /// The median before it, in microseconds.
    pub before: f64,
    /// The median from it on.
    pub after: f64,
    /// The versions of kube-assay before and behind it, if they differ: then the measurement may have changed.
    pub tools: Option<(String, String)>,
}

/// The points between two changes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Level {
    /// The first point.
    pub from: usize,
    /// The first point behind it.
    pub to: usize,
    /// The median of its values, in microseconds.
    pub median: f64,
    /// Nine of ten values are in this band: its lower end.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
}

/// The trends of results that are alike. All of them together raise a false alarm in one of a hundred groups of 100 results.
pub(super) fn trends(entries: &[&HistoryEntry]) -> Vec<Trend> {
    let tracked =
        entries.iter().flat_map(|entry| entry.series.iter().filter(|series| series.key.is_compared()));
    let keys: BTreeSet<&SeriesKey> = tracked.map(|series| &series.key).collect();
    let numbers = keys.iter().flat_map(|key| TYPICAL_AND_SLOW.map(|measure| (*key, measure)));
    let share = error_share(keys.len() * TYPICAL_AND_SLOW.len());
    numbers.map(|(key, measure)| trend(entries, key, measure, share)).collect()
}

fn trend(entries: &[&HistoryEntry], key: &SeriesKey, measure: Measure, share: f64) -> Trend {
    let points: Vec<TrendPoint> = (0..)
        .zip(entries)
        .filter(|(_, entry)| !entry.unreliable)
        .filter_map(|(result, entry)| {
            let quantile = *entry.series(key)?.quantiles.get(&measure.name())?;
            quantile.low.and(quantile.high).map(|_| TrendPoint { result, quantile })
        })
        .collect();
    let values: Vec<f64> = points.iter().map(|point| micros(point.quantile.micros).ln()).collect();
    let found: Vec<usize> = change_points(&values, share).iter().map(|change| change.index).collect();
    let mut trend = Trend { series: key.clone(), measure, points, changes: Vec::new() };
    let starts: Vec<usize> =
        found.iter().copied().filter(|start| trend.exceeds_errors(&found, *start)).collect();
    trend.changes = starts.iter().map(|start| trend.change(&starts, *start, entries)).collect();
    trend
}

impl Trend {
    /// The levels, in the order of time; none without points.
    pub fn levels(&self) -> Vec<Level> {
        let starts: Vec<usize> = self.changes.iter().map(|change| change.point).collect();
        self.bounds(&starts).map(|(from, to)| self.level(from, to)).collect()
    }

    fn bounds(&self, starts: &[usize]) -> impl Iterator<Item = (usize, usize)> {
        let edges: Vec<usize> = [&[0], starts, &[self.points.len()]].concat();
        (1..edges.len()).map(move |at| (edges[at - 1], edges[at])).filter(|(from, to)| from < to)
    }

    fn level(&self, from: usize, to: usize) -> Level {
        let mut values: Vec<f64> =
            self.points[from..to].iter().map(|point| micros(point.quantile.micros)).collect();
        values.sort_by(f64::total_cmp);
        let last = values.len() - 1;
        let [low, high] = [last / 20, last - last / 20].map(|at| values[at]);
        let median = f64::midpoint(values[last / 2], values[values.len() / 2]);
        Level { from, to, median, low, high }
    }

    /// The levels on both sides of the start of one of them.
    fn sides(&self, starts: &[usize], start: usize) -> Option<(Level, Level)> {
        let bounds: Vec<(usize, usize)> = self.bounds(starts).collect();
        let at = bounds.iter().position(|(from, _)| *from == start)?;
        let [before, after] = [bounds[at.checked_sub(1)?], bounds[at]].map(|(from, to)| self.level(from, to));
        Some((before, after))
    }

    /// Whether the numbers of values suffice to see the change.
    fn exceeds_errors(&self, starts: &[usize], start: usize) -> bool {
        self.sides(starts, start).is_some_and(|(before, after)| {
            let error = self.squared_error(before) + self.squared_error(after);
            (after.median / before.median).ln().abs() > ERRORS * error.sqrt()
        })
    }

    /// The squared standard error of a level's mean logarithm.
    #[expect(clippy::cast_precision_loss, reason = "no history has 2^52 results")]
    fn squared_error(&self, level: Level) -> f64 {
        let of_point = |point: &TrendPoint| {
            let [low, high] = [point.quantile.low, point.quantile.high].map(|end| micros(end.unwrap_or(1)));
            // A 95 % interval is 3.92 standard errors wide.
            ((high / low).ln() / 3.92).powi(2)
        };
        let count = (level.to - level.from) as f64;
        self.points[level.from..level.to].iter().map(of_point).sum::<f64>() / (count * count)
    }

    fn change(&self, starts: &[usize], point: usize, entries: &[&HistoryEntry]) -> LevelChange {
        let (before, after) =
            self.sides(starts, point).map_or((1.0, 1.0), |(before, after)| (before.median, after.median));
        LevelChange { point, before, after, tools: self.other_tools(point, entries) }
    }

    /// The versions of the program around a change, if they differ. A change point may be off by one result.
    fn other_tools(&self, point: usize, entries: &[&HistoryEntry]) -> Option<(String, String)> {
        let around = self.points[point.saturating_sub(2)..(point + 2).min(self.points.len())].iter();
        let tools: Vec<&str> = around.map(|point| entries[point.result].tool.as_str()).collect();
        let (first, last) = (tools.first()?, tools.last()?);
        (first != last).then(|| ((*first).to_owned(), (*last).to_owned()))
    }
}

impl LevelChange {
    /// The new level as a multiple of the old one.
    pub fn ratio(&self) -> f64 {
        self.after / self.before
    }
}

/// Microseconds whose logarithm exists.
#[expect(clippy::cast_precision_loss, reason = "no time of a run comes near 2^52 µs")]
fn micros(value: u64) -> f64 {
    value.max(1) as f64
}
