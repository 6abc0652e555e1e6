//! The live view of a run: lines that are redrawn on a terminal, or one line at intervals elsewhere.

use std::io::{self, Write};

use model::load::{DurationKind, Interval, PhaseName, SeriesInterval, micros_text};

use super::figures::{clock, count, plural, rate};
use super::rows::{full_title, title};
use crate::page::{Ink, fit};
use crate::terminal::Look;

/// Interval of lines without a terminal.
const EVERY_MS: u64 = 10_000;

/// The live view of a terminal: the second as a whole, and a line for each series.
pub fn live_lines(interval: &Interval, look: Look) -> Vec<String> {
    // The last column stays free: some terminals wrap as soon as it is written.
    let room = look.width.saturating_sub(1);
    let phase = format!("{:<9}", interval.phase.word());
    let rest = fit(
        &format!("{:>8}  {}", clock(interval.at_ms), summary(interval)),
        room.saturating_sub(phase.len()),
    );
    let first = format!("{}{rest}", Ink::Bold.paint(&phase, look.colour));
    let shown: Vec<&SeriesInterval> =
        interval.series_intervals.iter().filter(|series_interval| is_shown(series_interval)).collect();
    let names: Vec<String> = shown.iter().map(|series_interval| name(series_interval)).collect();
    let failing = shown.iter().any(|series_interval| series_interval.errors > 0);
    let widest = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    let lines = shown.iter().zip(&names).map(|(series_interval, name)| {
        let errors = if failing { format!("{:>12}", errors(series_interval)) } else { String::new() };
        let rate = rate(per_second(series_interval.count, interval));
        let line =
            fit(&format!("  {name:<widest$}{rate:>10}{errors}  {}", percentiles(series_interval, 7)), room);
        if series_interval.errors > 0 { Ink::Red.paint(&line, look.colour) } else { line }
    });
    std::iter::once(first).chain(lines).collect()
}

/// The same for a log: one line, the essentials.
pub fn plain_line(interval: &Interval) -> String {
    let shown = interval.series_intervals.iter().filter(|series_interval| is_shown(series_interval)).map(
        |series_interval| {
            let errors =
                Some(errors(series_interval)).filter(|text| !text.is_empty()).map(|text| format!(", {text}"));
            let rate = rate(per_second(series_interval.count, interval));
            format!(
                "; {} {rate}{} {}",
                name(series_interval),
                errors.unwrap_or_default(),
                percentiles(series_interval, 0)
            )
        },
    );
    let shown: String = shown.collect();
    format!("{} {}: {}{shown}", clock(interval.at_ms), interval.phase.word(), summary(interval))
}

/// The service time and the parts of a response would only repeat the line above.
fn is_shown(series_interval: &SeriesInterval) -> bool {
    matches!(
        series_interval.series.kind,
        DurationKind::Latency | DurationKind::LagSent | DurationKind::Synced
    )
}

fn name(series_interval: &SeriesInterval) -> String {
    let key = &series_interval.series;
    if key.kind == DurationKind::Latency { title(key) } else { full_title(key) }
}

fn errors(series_interval: &SeriesInterval) -> String {
    if series_interval.errors > 0 { plural(series_interval.errors, "error") } else { String::new() }
}

#[expect(clippy::cast_precision_loss, reason = "it is shown with few digits")]
fn percentiles(series_interval: &SeriesInterval, width: usize) -> String {
    let [p50, p99, max] = [series_interval.p50, series_interval.p99, series_interval.max]
        .map(|micros| micros_text(micros as f64));
    let gap = if width > 0 { "  " } else { " " };
    format!("p50 {p50:>width$}{gap}p99 {p99:>width$}{gap}max {max:>width$}")
}

#[expect(clippy::cast_precision_loss, reason = "it is shown with few digits")]
fn per_second(number: u64, interval: &Interval) -> f64 {
    number as f64 * 1_000.0 / interval.length_ms.max(1) as f64
}

#[expect(clippy::cast_precision_loss, reason = "it is shown with few digits")]
fn summary(interval: &Interval) -> String {
    let processors = interval.cpu as f64 / 1_000.0 / interval.length_ms.max(1) as f64;
    let left = interval.left.map(|left| format!("{} left", plural(left, "object")));
    let mut parts: Vec<String> = left.into_iter().collect();
    if interval.watches > 0 || interval.events > 0 {
        parts.push(format!("{} watches", count(interval.watches)));
        parts
            .push(format!("{} events/s", rate(per_second(interval.events, interval)).trim_end_matches("/s")));
    }
    let behind = [(interval.pending, "pending"), (interval.dropped, "dropped")];
    parts.extend(behind.into_iter().filter(|(n, _)| *n > 0).map(|(n, word)| format!("{} {word}", count(n))));
    parts.push(format!("generator {processors:.2} processors"));
    parts.join(", ")
}

/// Draws ticks: over each other on a terminal, and now and then as a line elsewhere.
#[derive(Debug)]
pub struct Live<W> {
    out: W,
    interactive: bool,
    look: Look,
    drawn: usize,
    last: Option<(PhaseName, u64)>,
}

impl<W: Write> Live<W> {
    /// Writes to a writer, usually standard error; `interactive` if it can redraw lines.
    pub fn new(out: W, interactive: bool, look: Look) -> Self {
        Self { out, interactive, look, drawn: 0, last: None }
    }

    /// Shows the next second.
    pub fn show(&mut self, interval: &Interval) -> io::Result<()> {
        if self.interactive {
            self.clear()?;
            let lines = live_lines(interval, self.look);
            self.drawn = lines.len();
            for line in lines {
                writeln!(self.out, "{line}")?;
            }
        } else if self
            .last
            .is_none_or(|(phase, at)| phase != interval.phase || interval.at_ms >= at + EVERY_MS)
        {
            self.last = Some((interval.phase, interval.at_ms));
            writeln!(self.out, "{}", plain_line(interval))?;
        }
        self.out.flush()
    }

    /// Takes the lines away again: before something else is written, and at the end.
    pub fn clear(&mut self) -> io::Result<()> {
        if self.drawn > 0 {
            write!(self.out, "\u{1b}[{}A\r\u{1b}[0J", std::mem::take(&mut self.drawn))?;
        }
        self.out.flush()
    }
}
