//! Axes and lines of a chart, as inline SVG that scales with its column.

mod marks;

use std::fmt::Write;

use crate::html::{attribute, html};

/// The units of the drawing: about the pixels of a phone, so that its letters stay readable there.
const WIDTH: f64 = 360.0;
const LEFT: f64 = 50.0;
const RIGHT: f64 = 350.0;
const TOP: f64 = 20.0;
const LABELS: f64 = 38.0;
/// Words above the drawing, beside the title of the axis.
const BOTTOM_OF_TITLE: f64 = 17.0;

/// From values to positions along one side.
#[derive(Debug, Clone, Copy)]
pub(super) struct Axis {
    low: f64,
    high: f64,
    logarithmic: bool,
}

impl Axis {
    pub(super) fn linear(low: f64, high: f64) -> Self {
        Self { low, high: if high > low { high } else { low + 1.0 }, logarithmic: false }
    }

    /// From the part of a decade below the least value to the part above the greatest; both values must be positive.
    pub(super) fn logarithmic(low: f64, high: f64) -> Self {
        let (low, high) = (low.max(1.0), high.max(2.0));
        let (low, high) = (below(low), below(high) * if below(high) < high { 10f64.powf(0.5) } else { 1.0 });
        Self { low: low.log10(), high: high.log10().max(low.log10() + 0.5), logarithmic: true }
    }

    /// The place of a value, from 0 to 1.
    fn part(self, value: f64) -> f64 {
        let value = if self.logarithmic { value.max(1.0).log10() } else { value };
        ((value - self.low) / (self.high - self.low)).clamp(0.0, 1.0)
    }

    /// Round values in it, not more than about six.
    pub(super) fn intervals(self) -> Vec<f64> {
        if self.logarithmic { self.decades() } else { self.steps() }
    }

    fn decades(self) -> Vec<f64> {
        let thirds = self.high - self.low <= 2.5;
        let each = if self.high - self.low > 5.5 { 2 } else { 1 };
        #[expect(clippy::cast_possible_truncation, reason = "decades are few")]
        let exponents = (self.low.floor() as i32..=self.high.ceil() as i32).step_by(each);
        let intervals = exponents.flat_map(|exponent| {
            let one = 10f64.powi(exponent);
            if thirds { vec![one, 3.0 * one] } else { vec![one] }
        });
        intervals
            .filter(|interval| (self.low - 1e-9..=self.high + 1e-9).contains(&interval.log10()))
            .collect()
    }

    fn steps(self) -> Vec<f64> {
        let rough = (self.high - self.low) / 5.0;
        let magnitude = 10f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0].into_iter().map(|of| of * magnitude).find(|step| *step >= rough);
        let step = step.unwrap_or(rough);
        let first = (self.low / step).ceil();
        (0..8)
            .map(|at| (first + f64::from(at)) * step)
            .take_while(|interval| *interval <= self.high * 1.000_001)
            .collect()
    }
}

/// The greatest of 1, 3, 10, 30 … that is not above a value.
fn below(value: f64) -> f64 {
    let decade = 10f64.powf(value.log10().floor());
    if value >= 3.0 * decade { 3.0 * decade } else { decade }
}

/// What the values along an axis are. The script shows them by these words, see `load.js`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unit {
    /// Microseconds.
    Time,
    /// Seconds since the run began.
    Seconds,
    /// Seconds since 1970.
    Date,
    /// Nines of a percentile: 2 is 99 %.
    Nines,
    /// A number of things.
    Count,
    /// Bytes a second.
    Bytes,
}

impl Unit {
    fn word(self) -> &'static str {
        match self {
            Self::Time => "time",
            Self::Seconds => "seconds",
            Self::Date => "date",
            Self::Nines => "nines",
            Self::Count => "count",
            Self::Bytes => "bytes",
        }
    }
}

/// One side of a chart: its values, their ticks, and the title, which names the unit.
pub(super) struct Side<'a> {
    pub(super) axis: Axis,
    pub(super) unit: Unit,
    pub(super) ticks: &'a [(f64, String)],
    pub(super) title: &'a str,
}

/// A chart under construction.
pub(super) struct Chart {
    svg: String,
    height: f64,
    x: Axis,
    y: Axis,
}

impl Chart {
    /// Draws both axes with their ticks and titles, and the words for readers who do not see the chart.
    pub(super) fn new(height: f64, x: &Side, y: &Side, description: &str) -> Self {
        let mut chart = Self { svg: String::new(), height, x: x.axis, y: y.axis };
        let (label, title) = (attribute(description), html(description));
        let (bottom, low, high) = (chart.bottom(), x.axis.low, x.axis.high);
        chart.put(format_args!(
            r#"<svg viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{label}" data-area="{LEFT} {RIGHT} {TOP} {bottom}" data-x="{} {low} {high} {}" data-y="{}"><title>{title}</title>"#,
            x.unit.word(),
            if x.axis.logarithmic { "log" } else { "linear" },
            y.unit.word()
        ));
        chart.titles(x.title, y.title);
        for (value, text) in y.ticks {
            let at = chart.y(*value);
            chart.put(format_args!(r#"<path class="grid" d="M{LEFT} {at:.1}H{RIGHT}"/>"#));
            let (x, y) = (LEFT - 5.0, at + 3.5);
            chart.put(format_args!(r#"<text x="{x}" y="{y:.1}" text-anchor="end">{}</text>"#, html(text)));
        }
        for (value, text) in x.ticks {
            chart.x_tick(*value, text);
        }
        chart
    }

    fn titles(&mut self, x: &str, y: &str) {
        let (middle, below) = (f64::midpoint(LEFT, RIGHT), self.height - 5.0);
        self.put(format_args!(r#"<text class="axis" x="2" y="10">{}</text>"#, html(y)));
        self.put(format_args!(
            r#"<text class="axis" x="{middle}" y="{below}" text-anchor="middle">{}</text>"#,
            html(x)
        ));
    }

    fn x_tick(&mut self, value: f64, text: &str) {
        let (at, bottom) = (self.x(value), self.bottom());
        self.put(format_args!(r#"<path class="grid" d="M{at:.1} {TOP}V{bottom}"/>"#));
        let y = bottom + 15.0;
        let anchor = if at > RIGHT - 12.0 { "end" } else { "middle" };
        let at = if at > RIGHT - 12.0 { RIGHT + 8.0 } else { at };
        self.put(format_args!(r#"<text x="{at:.1}" y="{y}" text-anchor="{anchor}">{}</text>"#, html(text)));
    }

    /// A line through values with a name, in the colour of a number.
    pub(super) fn line(&mut self, colour: usize, class: &str, name: &str, points: &[(f64, f64)]) {
        if points.is_empty() {
            return;
        }
        let (mut path, mut values) = (String::new(), String::new());
        for (at, (x, y)) in points.iter().enumerate() {
            let letter = if at == 0 { 'M' } else { 'L' };
            // Writing to a string cannot fail.
            let _ = write!(path, "{letter}{:.1} {:.1}", self.x(*x), self.y(*y));
            let _ = write!(values, "{}{}", if at == 0 { "" } else { " " }, brief(*y));
        }
        // A single point is seen only if it has a length.
        if points.len() == 1 {
            path.push_str("h1");
        }
        self.put(format_args!(
            r#"<path class="s{} {class}" d="{path}" data-name="{}" data-v="{values}"/>"#,
            colour % COLOURS,
            attribute(name)
        ));
    }

    /// A bar from the bottom to a value.
    pub(super) fn bar(&mut self, colour: usize, from: f64, to: f64, value: f64) {
        let (left, right, top) = (self.x(from), self.x(to), self.y(value));
        let (width, height) = ((right - left).max(0.6), (self.bottom() - top).max(0.0));
        if height > 0.0 {
            self.put(format_args!(
                r#"<rect class="f{}" x="{left:.1}" y="{top:.1}" width="{width:.1}" height="{height:.1}" data-v="{}"/>"#,
                colour % COLOURS,
                brief(value)
            ));
        }
    }

    /// Many cells of one shade, from one corner to the opposite one.
    pub(super) fn cells(&mut self, shade: usize, cells: &[[(f64, f64); 2]]) {
        let mut path = String::new();
        for [(from, low), (to, high)] in cells {
            let (left, right) = (self.x(*from), self.x(*to));
            let (top, bottom) = (self.y(*high), self.y(*low));
            // Writing to a string cannot fail.
            let _ = write!(path, "M{left:.1} {top:.1}H{right:.1}V{bottom:.1}H{left:.1}z");
        }
        if !path.is_empty() {
            self.put(format_args!(r#"<path class="cell h{shade}" d="{path}"/>"#));
        }
    }

    /// What a column of cells holds, for the script: buckets and counts, as in `12:3,13:40`.
    pub(super) fn column(&mut self, from: f64, to: f64, counts: &str) {
        let (left, width) = (self.x(from), self.x(to) - self.x(from));
        let height = self.bottom() - TOP;
        self.put(format_args!(
            r#"<rect class="column" x="{left:.1}" y="{TOP}" width="{width:.1}" height="{height}" data-buckets="{counts}"/>"#
        ));
    }

    /// A stretch behind everything else.
    pub(super) fn shade(&mut self, from: f64, to: f64) {
        let (left, right, bottom) = (self.x(from), self.x(to), self.bottom());
        let (width, height) = (right - left, bottom - TOP);
        if width > 0.0 {
            self.put(format_args!(
                r#"<rect class="shade" x="{left:.1}" y="{TOP}" width="{width:.1}" height="{height}"/>"#
            ));
        }
    }

    /// The finished drawing.
    pub(super) fn into_svg(mut self) -> String {
        self.svg.push_str("</svg>");
        self.svg
    }

    fn x(&self, value: f64) -> f64 {
        LEFT + self.x.part(value) * (RIGHT - LEFT)
    }

    fn y(&self, value: f64) -> f64 {
        self.bottom() - self.y.part(value) * (self.bottom() - TOP)
    }

    fn bottom(&self) -> f64 {
        self.height - LABELS
    }

    fn put(&mut self, what: std::fmt::Arguments<'_>) {
        // Writing to a string cannot fail.
        let _ = self.svg.write_fmt(what);
    }
}

/// How many colours the page knows.
pub(super) const COLOURS: usize = 6;

/// A value with three digits, or whole: the page needs no more, and stays small.
fn brief(value: f64) -> String {
    if value >= 100.0 { format!("{value:.0}") } else { format!("{}", (value * 100.0).round() / 100.0) }
}

/// Microseconds at a tick: `3 ms`, without the digits that would be 0.
pub(super) fn time_label(micros: f64) -> String {
    match micros {
        micros if micros < 1e3 => format!("{micros} µs"),
        micros if micros < 1e6 => format!("{} ms", micros / 1e3),
        micros => format!("{} s", micros / 1e6),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_few() {
        assert_eq!(Axis::linear(0.0, 67.0).intervals(), [0.0, 20.0, 40.0, 60.0]);
        assert_eq!(Axis::logarithmic(1_200.0, 90_000.0).intervals(), [1e3, 3e3, 1e4, 3e4]);
        for (low, high) in [(0.0, 0.0), (1.0, 1.0), (1.0, 1e12), (5.0, 6.0), (2e6, 3e9)] {
            for axis in [Axis::linear(low, high), Axis::logarithmic(low, high)] {
                assert!((1..=8).contains(&axis.intervals().len()), "{axis:?} {:?}", axis.intervals());
                assert!([axis.part(low), axis.part(high)].iter().all(|part| part.is_finite()));
            }
        }
    }
}
