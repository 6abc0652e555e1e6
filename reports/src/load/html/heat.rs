//! Latency over time as a heat map: how many attempts of a second took how long.
//!
//! Percentiles hide a second group of slow attempts; here it is a second band.

use std::collections::BTreeMap;

use model::load::{Interval, LoadRun, SeriesInterval, SeriesKey};

use super::chart::{Axis, Side, Unit};
use super::course::{begin, chunks, seconds, start};
use super::curves::{TIME, times};
use super::markup::figure;

/// Columns at most.
const COLUMNS: usize = 60;

/// Shades at most; the style has as many.
const SHADES: u32 = 5;

/// A stretch of the run.
struct Column {
    from: f64,
    to: f64,
    counts: BTreeMap<u8, u64>,
}

/// The heat map of a series.
pub(super) fn map(run: &LoadRun, key: &SeriesKey, name: &str) -> String {
    let columns: Vec<Column> =
        chunks(&run.intervals, COLUMNS).filter_map(|intervals| column(intervals, key)).collect();
    let buckets = || columns.iter().flat_map(|column| column.counts.keys().copied());
    let (Some(low), Some(high)) = (buckets().min(), buckets().max()) else { return String::new() };
    // One second has no course.
    if columns.len() < 2 {
        return String::new();
    }
    let axis = Axis::logarithmic(
        SeriesInterval::bucket_bound(low),
        SeriesInterval::bucket_bound(high.saturating_add(1)),
    );
    let y = Side { axis, unit: Unit::Time, ticks: &times(axis), title: TIME };
    let mut chart = begin(run, 210.0, &y, &format!("{name}: heat map of latency over time"));
    let most = columns.iter().flat_map(|column| column.counts.values().copied()).max().unwrap_or(1);
    for shade in 0..SHADES {
        chart.cells(shade as usize, &cells(&columns, |count| shade_of(count, most) == shade));
    }
    for Column { from, to, counts } in &columns {
        let counts: Vec<String> = counts.iter().map(|(bucket, count)| format!("{bucket}:{count}")).collect();
        chart.column(*from, *to, &counts.join(","));
    }
    figure(name, &chart.into_svg(), &[])
}

fn column(intervals: &[Interval], key: &SeriesKey) -> Option<Column> {
    let mut counts = BTreeMap::new();
    let all = intervals.iter().flat_map(|interval| &interval.series_intervals);
    for (bucket, count) in all.filter(|one| one.series == *key).flat_map(|one| &one.buckets) {
        *counts.entry(*bucket).or_default() += count;
    }
    let (first, last) = (intervals.first()?, intervals.last()?);
    (!counts.is_empty()).then(|| Column { from: start(first), to: seconds(last.at_ms), counts })
}

/// The cells with such counts, as opposite corners.
fn cells(columns: &[Column], belongs: impl Fn(u64) -> bool) -> Vec<[(f64, f64); 2]> {
    let of_column = |column: &Column| -> Vec<[(f64, f64); 2]> {
        let counts = column.counts.iter().filter(|(_, count)| belongs(**count));
        let corners = |(bucket, _): (&u8, &u64)| {
            let bound = SeriesInterval::bucket_bound;
            [(column.from, bound(*bucket)), (column.to, bound(bucket.saturating_add(1)))]
        };
        counts.map(corners).collect()
    };
    columns.iter().flat_map(of_column).collect()
}

/// From 0 for a single attempt to the darkest for the most; logarithmic, so that single slow attempts are seen.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "it is one of five shades"
)]
fn shade_of(count: u64, most: u64) -> u32 {
    let part = (count.max(1) as f64).ln() / (most.max(2) as f64).ln();
    ((part * f64::from(SHADES)) as u32).min(SHADES - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn single_attempts_are_light_and_the_most_are_dark() {
        assert_eq!([1, 2, 100, 999, 1_000].map(|count| shade_of(count, 1_000)), [0, 0, 3, 4, 4]);
        assert_eq!(shade_of(1, 1), 0);
    }
}
