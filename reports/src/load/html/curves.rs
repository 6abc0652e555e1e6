//! Percentile curves on an axis of nines, and how lags are distributed.

use model::load::Series;

use super::chart::{Axis, COLOURS, Chart, Side, Unit, time_label};
use super::markup::figure;
use crate::load::rows::{Row, full_title};

/// Points of a curve for each nine.
const FINE: u32 = 16;

/// No curve goes beyond six nines.
const NINES: f64 = 6.0;

/// Latency against the part of all that was not slower, each nine as wide as the one before.
pub(super) fn percentiles(name: &str, rows: &[&Row]) -> String {
    let parts = rows.chunks(COLOURS).map(|rows| percentiles_of(name, rows));
    parts.collect()
}

fn percentiles_of(name: &str, rows: &[&Row]) -> String {
    let curves: Vec<Vec<Point>> = rows.iter().map(|row| curve(row.series)).collect();
    let all = || curves.iter().flatten();
    let far = all().map(|point| point.nines).fold(1.0, f64::max);
    let least = all().map(|point| point.micros).fold(f64::INFINITY, f64::min);
    let most = all().map(|point| point.micros).fold(1.0, f64::max);
    if !least.is_finite() {
        return String::new();
    }
    let (x, y) = (Axis::linear(0.0, far), Axis::logarithmic(least, most));
    let x = Side { axis: x, unit: Unit::Nines, ticks: &nines(far), title: "percentile" };
    let y = Side { axis: y, unit: Unit::Time, ticks: &times(y), title: TIME };
    let mut chart = Chart::new(250.0, &x, &y, &format!("{name}: percentiles"));
    let keys: Vec<(usize, String)> = rows.iter().map(|row| key(row)).enumerate().collect();
    for ((colour, key), points) in keys.iter().zip(&curves) {
        let end = points.iter().position(|point| point.open).unwrap_or(points.len());
        let place =
            |points: &[Point]| points.iter().map(|point| (point.nines, point.micros)).collect::<Vec<_>>();
        chart.line(*colour, "", key, &place(&points[..end]));
        // A lower bound is dashed, from the last exact point on.
        if end < points.len() {
            chart.line(
                *colour,
                "open",
                &format!("{key}, at least"),
                &place(&points[end.saturating_sub(1)..]),
            );
        }
    }
    figure(name, &chart.into_svg(), &keys)
}

fn key(row: &Row) -> String {
    full_title(&row.series.key)
}

struct Point {
    nines: f64,
    micros: f64,
    open: bool,
}

#[expect(clippy::cast_precision_loss, reason = "it is drawn on some hundred pixels")]
fn curve(series: &Series) -> Vec<Point> {
    let all = series.histogram.len() + series.censored.len();
    let far = (all as f64).log10().clamp(0.0, NINES);
    let steps = (0..).map(|step| f64::from(step) / f64::from(FINE)).take_while(|nines| *nines < far);
    let points = steps.chain([far]).filter_map(|nines| {
        let quantile = series.quantile(1.0 - 10f64.powf(-nines))?;
        Some(Point { nines, micros: (quantile.micros() as f64).max(1.0), open: quantile.is_open() })
    });
    points.collect()
}

fn nines(far: f64) -> Vec<(f64, String)> {
    let named = [
        (0.0, "0 %"),
        (1.0, "90 %"),
        (2.0, "99 %"),
        (3.0, "99.9"),
        (4.0, "99.99"),
        (5.0, "99.999"),
        (6.0, "6 nines"),
    ];
    let shown = named.into_iter().filter(|(at, _)| *at <= far + 1e-9);
    shown.map(|(at, text)| (at, text.to_owned())).collect()
}

/// The title of an axis of time, whose ticks have the units.
pub(super) const TIME: &str = "time (µs to s, logarithmic)";

pub(super) fn times(axis: Axis) -> Vec<(f64, String)> {
    axis.intervals().into_iter().map(|interval| (interval, time_label(interval))).collect()
}

/// Bars of a histogram for each decade of time.
const BARS: u32 = 12;

/// The number of deliveries by lag, with a logarithmic axis of time.
#[expect(clippy::cast_precision_loss, reason = "it is drawn on some hundred pixels")]
pub(super) fn distribution(row: &Row, colour: usize) -> String {
    let values = &row.series.histogram;
    // One value has no distribution.
    if values.len() < 2 {
        return String::new();
    }
    let bars = bars(row.series);
    let most = bars.iter().map(|(_, count)| *count).max().unwrap_or(1);
    let (x, y) =
        (Axis::logarithmic(values.min() as f64, values.max() as f64), Axis::linear(0.0, most as f64));
    let counts: Vec<(f64, String)> =
        y.intervals().into_iter().map(|interval| (interval, short(interval))).collect();
    let name = key(row);
    let x = Side { axis: x, unit: Unit::Time, ticks: &times(x), title: TIME };
    let y = Side { axis: y, unit: Unit::Count, ticks: &counts, title: "deliveries" };
    let mut chart = Chart::new(190.0, &x, &y, &format!("{name}: distribution"));
    for (at, count) in bars {
        let edge = |at: u32| 10f64.powf(f64::from(at) / f64::from(BARS));
        chart.bar(colour, edge(at), edge(at + 1) * 0.985, count as f64);
    }
    figure(&name, &chart.into_svg(), &[])
}

/// The numbers of the bars with something in them, and how much.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "it is drawn on some hundred pixels"
)]
fn bars(series: &Series) -> Vec<(u32, u64)> {
    let mut bars: Vec<(u32, u64)> = Vec::new();
    for (value, count) in series.histogram.recorded() {
        let at = ((value.max(1) as f64).log10() * f64::from(BARS)) as u32;
        match bars.last_mut() {
            Some((last, sum)) if *last == at => *sum += count,
            _ => bars.push((at, count)),
        }
    }
    bars
}

/// `12k`, `3M`
pub(super) fn short(number: f64) -> String {
    match number {
        number if number >= 1e6 => format!("{}M", number / 1e6),
        number if number >= 1e3 => format!("{}k", number / 1e3),
        number => format!("{}", (number * 100.0).round() / 100.0),
    }
}
