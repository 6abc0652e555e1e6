//! Latency and rate over time, one chart for each series; and errors, bytes and events over time.

use std::collections::BTreeSet;

use model::load::{DurationKind, ErrorClass, Interval, LoadRun, Phase, PhaseName, SeriesInterval, SeriesKey};

use super::chart::{Axis, Chart, Side, Unit};
use super::curves::{TIME, short, times};
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
    let spots: Vec<Spot> = chunks(&run.intervals, POINTS).map(|intervals| spot(intervals, key)).collect();
    let seen: Vec<Spot> = spots.iter().copied().filter(|spot| spot.seen).collect();
    // One second has no course.
    if seen.len() < 2 {
        return String::new();
    }
    let least = seen.iter().map(|spot| spot.p50.max(1.0)).fold(f64::INFINITY, f64::min);
    let most = seen.iter().map(|spot| spot.max).fold(1.0, f64::max);
    let axis = Axis::logarithmic(least, most);
    let y = Side { axis, unit: Unit::Time, ticks: &times(axis), title: TIME };
    let mut chart = begin(run, 210.0, &y, &format!("{name}: latency over time"));
    let line = |of: fn(&Spot) -> f64| seen.iter().map(|spot| (spot.at, of(spot))).collect::<Vec<_>>();
    chart.line(0, "", "p50", &line(|spot| spot.p50));
    chart.line(1, "", "p99", &line(|spot| spot.p99));
    chart.line(5, "faint", "max", &line(|spot| spot.max));
    let rates: Vec<(f64, f64)> = spots.iter().map(|spot| (spot.at, spot.rate)).collect();
    let rate =
        Amounts { title: "attempts per second", unit: Unit::Count, lines: &[(2, "rate".to_owned(), rates)] };
    let svg = format!("{}{}", chart.into_svg(), rate.chart(run, &format!("{name}: rate over time")));
    let keys = [(0, "p50"), (1, "p99"), (5, "max"), (2, "rate")];
    figure(name, &svg, &keys.map(|(colour, key)| (colour, key.to_owned())))
}

/// Something of every second, such as events; `title` is that of its axis.
pub(super) fn of_seconds(
    run: &LoadRun,
    name: &str,
    (unit, title): (Unit, &str),
    of: impl Fn(&Interval) -> f64,
) -> String {
    let spots = over_time(run, of);
    if spots.iter().all(|(_, value)| *value == 0.0) {
        return String::new();
    }
    let amounts = Amounts { title, unit, lines: &[(2, name.to_owned(), spots)] };
    figure(name, &amounts.chart(run, name), &[])
}

/// The failed attempts of all requests by class; conflicts that are legal beside them.
pub(super) fn errors(run: &LoadRun) -> String {
    let classes: BTreeSet<ErrorClass> =
        run.intervals.iter().flat_map(latencies).flat_map(|one| one.error_classes.keys().copied()).collect();
    let rate = |of: &dyn Fn(&SeriesInterval) -> u64| {
        over_time(run, |interval| each_second(latencies(interval).map(of).sum(), interval))
    };
    let mut lines: Vec<(String, Vec<(f64, f64)>)> = classes
        .into_iter()
        .map(|class| (class.title(), rate(&|one| one.error_classes.get(&class).copied().unwrap_or(0))))
        .collect();
    lines.push(("409 Conflict, legal".to_owned(), rate(&|one| one.conflicts)));
    lines.retain(|(_, points)| points.iter().any(|(_, rate)| *rate > 0.0));
    let lines: Vec<Line> = (1..).zip(lines).map(|(colour, (name, points))| (colour, name, points)).collect();
    if lines.is_empty() {
        return String::new();
    }
    let name = "errors by status and reason";
    let keys: Vec<(usize, String)> = lines.iter().map(|(colour, key, _)| (*colour, key.clone())).collect();
    let amounts = Amounts { title: "errors per second", unit: Unit::Count, lines: &lines };
    figure(name, &amounts.chart(run, name), &keys)
}

/// The latencies of one second: each attempt is in one of them.
pub(super) fn latencies(interval: &Interval) -> impl Iterator<Item = &SeriesInterval> {
    interval.series_intervals.iter().filter(|one| one.series.kind == DurationKind::Latency)
}

/// A number of one second, as a rate.
#[expect(clippy::cast_precision_loss, reason = "it is drawn on some hundred pixels")]
pub(super) fn each_second(number: u64, interval: &Interval) -> f64 {
    number as f64 * 1e3 / interval.length_ms.max(1) as f64
}

fn over_time(run: &LoadRun, of: impl Fn(&Interval) -> f64) -> Vec<(f64, f64)> {
    chunks(&run.intervals, POINTS)
        .map(|intervals| (middle(intervals), mean(intervals.iter().map(&of))))
        .collect()
}

/// Colour, name and points of a line.
type Line = (usize, String, Vec<(f64, f64)>);

/// Lines that begin at 0.
struct Amounts<'a> {
    title: &'a str,
    unit: Unit,
    lines: &'a [Line],
}

impl Amounts<'_> {
    fn chart(&self, run: &LoadRun, description: &str) -> String {
        let points = self.lines.iter().flat_map(|(_, _, points)| points);
        let most = points.map(|(_, value)| *value).fold(0.0, f64::max);
        let axis = Axis::linear(0.0, most * 1.1);
        let ticks: Vec<(f64, String)> =
            axis.intervals().into_iter().step_by(2).map(|interval| (interval, short(interval))).collect();
        let y = Side { axis, unit: self.unit, ticks: &ticks, title: self.title };
        let mut chart = begin(run, 120.0, &y, description);
        for (colour, name, points) in self.lines {
            chart.line(*colour, "", name, points);
        }
        chart.into_svg()
    }
}

/// A chart over the whole run, with all shaded that does not count.
pub(super) fn begin(run: &LoadRun, height: f64, y: &Side, description: &str) -> Chart {
    let end = run.intervals.last().map_or(1.0, |interval| seconds(interval.at_ms));
    let from = run.intervals.first().map_or(0.0, start);
    let axis = Axis::linear(from, end);
    let ticks: Vec<(f64, String)> =
        axis.intervals().into_iter().map(|interval| (interval, format!("{interval} s"))).collect();
    let x = Side { axis, unit: Unit::Seconds, ticks: &ticks, title: "time since the run began (s)" };
    let mut chart = Chart::new(height, &x, y, description);
    for Phase { from_ms, to_ms, .. } in run.phases.iter().filter(|phase| phase.name != PhaseName::Measure) {
        chart.shade(seconds(*from_ms).max(from), seconds(*to_ms).min(end));
    }
    chart
}

/// When an interval began, in seconds.
pub(super) fn start(interval: &Interval) -> f64 {
    seconds(interval.at_ms.saturating_sub(interval.length_ms))
}

#[expect(clippy::cast_precision_loss, reason = "it is drawn on some hundred pixels")]
pub(super) fn seconds(millis: u64) -> f64 {
    millis as f64 / 1e3
}

/// The seconds in at most so many parts.
pub(super) fn chunks(intervals: &[Interval], most: usize) -> impl Iterator<Item = &[Interval]> {
    intervals.chunks(intervals.len().div_ceil(most).max(1))
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
