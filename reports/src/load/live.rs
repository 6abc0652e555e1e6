//! What is shown while a run goes on: some lines that are drawn again where that can be, or one line now and then.

use std::io::{self, Write};

use model::load::{Kind, PhaseName, Pulse, Tick, micros_text};

use super::figures::{clock, count, plural, rate};
use super::rows::{full_title, title};
use crate::page::{Ink, fit};
use crate::terminal::Look;

/// Without a terminal a line is said this often.
const EVERY_MS: u64 = 10_000;

/// The live view of a terminal: the second as a whole, and a line for each series.
pub fn live_lines(tick: &Tick, look: Look) -> Vec<String> {
    // The last column stays free: some terminals wrap as soon as it is written.
    let room = look.width.saturating_sub(1);
    let phase = format!("{:<9}", tick.phase.word());
    let rest = fit(&format!("{:>8}  {}", clock(tick.at_ms), summary(tick)), room.saturating_sub(phase.len()));
    let first = format!("{}{rest}", Ink::Bold.paint(&phase, look.colour));
    let shown: Vec<&Pulse> = tick.pulses.iter().filter(|pulse| is_shown(pulse)).collect();
    let names: Vec<String> = shown.iter().map(|pulse| name(pulse)).collect();
    let failing = shown.iter().any(|pulse| pulse.errors > 0);
    let widest = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    let lines = shown.iter().zip(&names).map(|(pulse, name)| {
        let errors = if failing { format!("{:>12}", errors(pulse)) } else { String::new() };
        let rate = rate(per_second(pulse.count, tick));
        let line = fit(&format!("  {name:<widest$}{rate:>10}{errors}  {}", percentiles(pulse, 7)), room);
        if pulse.errors > 0 { Ink::Red.paint(&line, look.colour) } else { line }
    });
    std::iter::once(first).chain(lines).collect()
}

/// The same for a log: one line, the essentials.
pub fn plain_line(tick: &Tick) -> String {
    let shown = tick.pulses.iter().filter(|pulse| is_shown(pulse)).map(|pulse| {
        let errors = Some(errors(pulse)).filter(|said| !said.is_empty()).map(|said| format!(", {said}"));
        let rate = rate(per_second(pulse.count, tick));
        format!("; {} {rate}{} {}", name(pulse), errors.unwrap_or_default(), percentiles(pulse, 0))
    });
    let shown: String = shown.collect();
    format!("{} {}: {}{shown}", clock(tick.at_ms), tick.phase.word(), summary(tick))
}

/// The service time and the parts of an answer would only repeat the line above.
fn is_shown(pulse: &Pulse) -> bool {
    matches!(pulse.series.kind, Kind::Latency | Kind::LagSent | Kind::Synced)
}

fn name(pulse: &Pulse) -> String {
    let key = &pulse.series;
    if key.kind == Kind::Latency { title(key) } else { full_title(key) }
}

fn errors(pulse: &Pulse) -> String {
    if pulse.errors > 0 { plural(pulse.errors, "error") } else { String::new() }
}

#[expect(clippy::cast_precision_loss, reason = "it is shown with few digits")]
fn percentiles(pulse: &Pulse, width: usize) -> String {
    let [p50, p99, max] = [pulse.p50, pulse.p99, pulse.max].map(|micros| micros_text(micros as f64));
    let gap = if width > 0 { "  " } else { " " };
    format!("p50 {p50:>width$}{gap}p99 {p99:>width$}{gap}max {max:>width$}")
}

#[expect(clippy::cast_precision_loss, reason = "it is shown with few digits")]
fn per_second(number: u64, tick: &Tick) -> f64 {
    number as f64 * 1_000.0 / tick.length_ms.max(1) as f64
}

#[expect(clippy::cast_precision_loss, reason = "it is shown with few digits")]
fn summary(tick: &Tick) -> String {
    let processors = tick.cpu as f64 / 1_000.0 / tick.length_ms.max(1) as f64;
    let mut said = Vec::new();
    if tick.watches > 0 || tick.events > 0 {
        said.push(format!("{} watches", count(tick.watches)));
        said.push(format!("{} events/s", rate(per_second(tick.events, tick)).trim_end_matches("/s")));
    }
    let behind = [(tick.pending, "pending"), (tick.dropped, "dropped")];
    said.extend(behind.into_iter().filter(|(n, _)| *n > 0).map(|(n, word)| format!("{} {word}", count(n))));
    said.push(format!("generator {processors:.2} processors"));
    said.join(", ")
}

/// Draws ticks: over each other on a terminal, and now and then as a line elsewhere.
#[derive(Debug)]
pub struct Live<W> {
    out: W,
    interactive: bool,
    look: Look,
    drawn: usize,
    said: Option<(PhaseName, u64)>,
}

impl<W: Write> Live<W> {
    /// To a writer, usually standard error; `interactive` if lines on it can be drawn again.
    pub fn new(out: W, interactive: bool, look: Look) -> Self {
        Self { out, interactive, look, drawn: 0, said: None }
    }

    /// Shows the next second.
    pub fn tick(&mut self, tick: &Tick) -> io::Result<()> {
        if self.interactive {
            self.clear()?;
            let lines = live_lines(tick, self.look);
            self.drawn = lines.len();
            for line in lines {
                writeln!(self.out, "{line}")?;
            }
        } else if self.said.is_none_or(|(phase, at)| phase != tick.phase || tick.at_ms >= at + EVERY_MS) {
            self.said = Some((tick.phase, tick.at_ms));
            writeln!(self.out, "{}", plain_line(tick))?;
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
