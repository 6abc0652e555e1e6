//! Latency and rate over time, one chart for each series.

use model::load::{Interval, LoadRun, Phase, PhaseName, SeriesKey};

use super::chart::{Axis, Chart, time_label};
use super::curves::short;
use super::markup::figure;

/// Points of a line at most: more than a screen can show would only make the page large.
const POINTS: usize = 240;

/// Some seconds of one series, folded.
#[derive(Debug, Clone, Copy, Default)]
struct Spot {
    at: f64,
    p50: f64,
    p99: f64,
    max: f64,
    rate: f64,
    seen: bool,
}

/// Both charts of a series.
pub(super) fn of_series(run: &LoadRun, key: &SeriesKey, name: &str) -> String {
    let spots: Vec<Spot> = chunks(&run.intervals).map(|intervals| spot(intervals, key)).collect();
    let seen: Vec<Spot> = spots.iter().copied().filter(|spot| spot.seen).collect();
    let least = seen.iter().map(|spot| spot.p50.max(1.0)).fold(f64::INFINITY, f64::min);
    if !least.is_finite() {
        return String::new();
    }
    let most = seen.iter().map(|spot| spot.max).fold(1.0, f64::max);
    let y = Axis::logarithmic(least, most);
    let labels: Vec<(f64, String)> =
        y.intervals().into_iter().map(|interval| (interval, time_label(interval))).collect();
    let mut chart = begin(run, 190.0, (y, &labels), &format!("{name}: latency over time"));
    let line = |of: fn(&Spot) -> f64| seen.iter().map(|spot| (spot.at, of(spot))).collect::<Vec<_>>();
    chart.line(0, "", &line(|spot| spot.p50));
    chart.line(1, "", &line(|spot| spot.p99));
    chart.line(5, "faint", &line(|spot| spot.max));
    let rates: Vec<(f64, f64)> = spots.iter().map(|spot| (spot.at, spot.rate)).collect();
    let svg = format!("{}{}", chart.into_svg(), amounts(run, &rates, &format!("{name}: rate over time")));
    let keys = [(0, "p50"), (1, "p99"), (5, "max"), (2, "how many a second")];
    figure(name, &svg, &keys.map(|(colour, key)| (colour, key.to_owned())))
}

/// Something of every second, such as events.
pub(super) fn of_seconds(run: &LoadRun, name: &str, of: fn(&Interval) -> f64) -> String {
    let spots: Vec<(f64, f64)> =
        chunks(&run.intervals).map(|intervals| (middle(intervals), mean(intervals.iter().map(of)))).collect();
    if spots.iter().all(|(_, value)| *value == 0.0) {
        return String::new();
    }
    figure(name, &amounts(run, &spots, name), &[])
}

fn amounts(run: &LoadRun, points: &[(f64, f64)], title: &str) -> String {
    let most = points.iter().map(|(_, value)| *value).fold(0.0, f64::max);
    let y = Axis::linear(0.0, most * 1.1);
    let labels: Vec<(f64, String)> =
        y.intervals().into_iter().step_by(2).map(|interval| (interval, short(interval))).collect();
    let mut chart = begin(run, 95.0, (y, &labels), title);
    chart.line(2, "", points);
    chart.into_svg()
}

/// A chart over the whole run, with all shaded that does not count.
fn begin(run: &LoadRun, height: f64, y: (Axis, &[(f64, String)]), title: &str) -> Chart {
    let end = run.intervals.last().map_or(1.0, |interval| seconds(interval.at_ms));
    let from = run
        .intervals
        .first()
        .map_or(0.0, |interval| seconds(interval.at_ms.saturating_sub(interval.length_ms)));
    let x = Axis::linear(from, end);
    let labels: Vec<(f64, String)> =
        x.intervals().into_iter().map(|interval| (interval, format!("{interval} s"))).collect();
    let mut chart = Chart::new(height, (x, &labels), y, title);
    for Phase { from_ms, to_ms, .. } in run.phases.iter().filter(|phase| phase.name != PhaseName::Measure) {
        chart.shade(seconds(*from_ms).max(from), seconds(*to_ms).min(end));
    }
    chart
}

#[expect(clippy::cast_precision_loss, reason = "it is drawn on some hundred pixels")]
fn seconds(millis: u64) -> f64 {
    millis as f64 / 1e3
}

fn chunks(intervals: &[Interval]) -> impl Iterator<Item = &[Interval]> {
    intervals.chunks(intervals.len().div_ceil(POINTS).max(1))
}

fn middle(intervals: &[Interval]) -> f64 {
    mean(intervals.iter().map(|interval| seconds(interval.at_ms) - seconds(interval.length_ms) / 2.0))
}

fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = values.fold((0.0, 0u32), |(sum, count), value| (sum + value, count + 1));
    if count == 0 { 0.0 } else { sum / f64::from(count) }
}

/// The typical median, and the worst of the rest: folding must not hide a spike.
#[expect(clippy::cast_precision_loss, reason = "it is drawn on some hundred pixels")]
fn spot(intervals: &[Interval], key: &SeriesKey) -> Spot {
    let series_intervals: Vec<_> = intervals
        .iter()
        .flat_map(|interval| {
            interval.series_intervals.iter().filter(|series_interval| series_interval.series == *key)
        })
        .collect();
    let values =
        || series_intervals.iter().filter(|series_interval| series_interval.count > series_interval.errors);
    let length: f64 = intervals.iter().map(|interval| seconds(interval.length_ms)).sum();
    let count: u64 = series_intervals.iter().map(|series_interval| series_interval.count).sum();
    Spot {
        at: middle(intervals),
        p50: mean(values().map(|series_interval| series_interval.p50 as f64)),
        p99: values().map(|series_interval| series_interval.p99 as f64).fold(0.0, f64::max),
        max: values().map(|series_interval| series_interval.max as f64).fold(0.0, f64::max),
        rate: if length > 0.0 { count as f64 / length } else { 0.0 },
        seen: values().next().is_some(),
    }
}
