//! The chart of a series over all results: its median and its 99th percentile.

use model::load::history::{ResultGroup, Trend};

use super::ticks::ticks;
use crate::load::history::show::point;
use crate::load::html::chart::{Axis, Chart, Side, Unit};
use crate::load::html::curves::{TIME, times};
use crate::load::html::markup::figure;
use crate::load::rows::full_title;

/// Points of a line at most.
pub(super) const POINTS: usize = 240;

/// Only the newest change points of a chart have room for a word; the others have a line.
const WORDS: usize = 3;

/// Some consecutive results, folded.
struct Spot {
    at: f64,
    median: f64,
    greatest: f64,
    name: String,
}

/// A chart for each series.
pub(super) fn charts(group: &ResultGroup, trends: &[Trend]) -> String {
    let figures: String =
        trends.chunk_by(|one, other| one.series == other.series).map(|trends| chart(group, trends)).collect();
    if figures.is_empty() { figures } else { format!("<div class=\"charts\">\n{figures}</div>\n") }
}

/// The chart of the numbers of one series. One result has no course.
fn chart(group: &ResultGroup, trends: &[Trend]) -> String {
    let drawn: Vec<&Trend> = trends.iter().filter(|trend| trend.points.len() > 1).collect();
    let Some(first) = drawn.first() else { return String::new() };
    let name = full_title(&first.series);
    let keys: Vec<(usize, String)> = drawn.iter().map(|trend| trend.measure.name()).enumerate().collect();
    let mut chart = begin(group, &drawn, &name);
    for (colour, trend) in drawn.iter().enumerate() {
        bands(&mut chart, group, trend, colour);
    }
    for (colour, trend) in drawn.iter().enumerate() {
        lines(&mut chart, group, trend, colour);
        marks(&mut chart, group, trend);
    }
    figure(&name, &chart.into_svg(), &keys)
}

fn begin(group: &ResultGroup, drawn: &[&Trend], name: &str) -> Chart {
    let values = || drawn.iter().flat_map(|trend| &trend.points).map(|point| micros(point.quantile.micros));
    let instants = || drawn.iter().flat_map(|trend| &trend.points).map(|point| instant(group, point.result));
    let y = Axis::logarithmic(values().fold(f64::INFINITY, f64::min), values().fold(1.0, f64::max));
    let (from, to) = (instants().fold(f64::INFINITY, f64::min), instants().fold(0.0, f64::max));
    let changes: Vec<String> = drawn
        .iter()
        .flat_map(|trend| {
            trend
                .changes
                .iter()
                .rev()
                .take(WORDS)
                .map(move |change| format!("{} {}", trend.measure.name(), point(group, trend, change)))
        })
        .collect();
    let changes = if changes.is_empty() { "no change point".to_owned() } else { changes.join("; ") };
    let x = Side {
        axis: Axis::linear(from, to),
        unit: Unit::Date,
        ticks: &ticks(from, to),
        title: "when the run began",
    };
    let y = Side { axis: y, unit: Unit::Time, ticks: &times(y), title: TIME };
    Chart::new(210.0, &x, &y, &format!("{name}: {changes}"))
}

fn bands(chart: &mut Chart, group: &ResultGroup, trend: &Trend, colour: usize) {
    for level in trend.levels() {
        let ends = [level.from, level.to - 1].map(|point| instant(group, trend.points[point].result));
        chart.band(colour, (ends[0], ends[1]), (level.low, level.high));
    }
}

fn lines(chart: &mut Chart, group: &ResultGroup, trend: &Trend, colour: usize) {
    let spots = spots(group, trend);
    let line = |of: fn(&Spot) -> f64| spots.iter().map(|spot| (spot.at, of(spot))).collect::<Vec<_>>();
    if spots.len() < trend.points.len() {
        chart.line(
            colour,
            "faint",
            &format!("greatest {}", trend.measure.name()),
            &line(|spot| spot.greatest),
        );
    }
    chart.line(colour, "", &trend.measure.name(), &line(|spot| spot.median));
    if colour == 0 {
        chart.name_points(&spots.iter().map(|spot| spot.name.clone()).collect::<Vec<_>>());
    }
}

fn marks(chart: &mut Chart, group: &ResultGroup, trend: &Trend) {
    let worded = trend.changes.len().saturating_sub(WORDS);
    for (at, change) in trend.changes.iter().enumerate() {
        let result = trend.points[change.point].result;
        let name = group.entries[result].name();
        let word = if at >= worded { name.chars().take(7).collect() } else { String::new() };
        let sentence = format!("{} {}", trend.measure.name(), point(group, trend, change));
        chart.mark(instant(group, result), &word, &sentence);
    }
}

/// The points of a line: as many results in each as needed, all on one level.
fn spots(group: &ResultGroup, trend: &Trend) -> Vec<Spot> {
    let levels = trend.levels();
    let each = trend.points.len().div_ceil(POINTS.saturating_sub(levels.len()).max(1)).max(1);
    let chunks = levels.iter().flat_map(|level| trend.points[level.from..level.to].chunks(each));
    let spot = |points: &[model::load::history::TrendPoint]| {
        let mut values: Vec<f64> = points.iter().map(|point| micros(point.quantile.micros)).collect();
        values.sort_by(f64::total_cmp);
        let middle = points[points.len() / 2].result;
        let (first, last) = (points[0].result, points[points.len() - 1].result);
        let name = if points.len() == 1 {
            group.entries[first].name()
        } else {
            format!("{} to {}", group.entries[first].name(), group.entries[last].name())
        };
        Spot {
            at: instant(group, middle),
            median: values[values.len() / 2],
            greatest: values[values.len() - 1],
            name,
        }
    };
    chunks.map(spot).collect()
}

/// When a result began, in seconds.
#[expect(clippy::cast_precision_loss, reason = "it is drawn on some hundred pixels")]
fn instant(group: &ResultGroup, result: usize) -> f64 {
    group.entries[result].began.as_millisecond() as f64 / 1e3
}

#[expect(clippy::cast_precision_loss, reason = "it is drawn on some hundred pixels")]
fn micros(value: u64) -> f64 {
    value.max(1) as f64
}
