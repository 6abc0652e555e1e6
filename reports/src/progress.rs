//! The progress line: progress, failures, running scenarios or the clean-up, and the reason of a slow run.

use std::time::Duration;

use jiff::Timestamp;
use model::{Outcome, ScenarioFinished, Verdict};

use crate::escape::one_line;
use crate::page::{Ink, fit};
use crate::record::{Record, between};
use crate::terminal::Look;
use crate::verdict_style::VerdictStyle;
use crate::words::{seconds, thousands};
use unicode_width::UnicodeWidthStr;

/// Cells of the bar.
const BAR: usize = 20;

/// A scenario that takes longer is named.
const SLOW: Duration = Duration::from_secs(3);

/// What the events do not show.
#[derive(Debug, Default)]
pub(crate) struct Unrecorded {
    /// The reason of a slow run; empty if it is not slow.
    pub(crate) slow_because: String,
    /// How long the run has been cleaning up; `None` before that.
    pub(crate) clean_up: Option<Duration>,
}

/// The line, never wider than the terminal, with the reason of a slow run.
pub(crate) fn line(record: &Record, now: Timestamp, unrecorded: &Unrecorded, look: Look) -> String {
    let (done, all) = done_of_all(record);
    let mut spans = bar(done, all);
    spans.push((Ink::Plain, format!("  {} of {}", thousands(done), thousands(all))));
    for (verdict, count) in counts(record) {
        spans.push((verdict.ink(), format!("  {} {}", thousands(count), verdict.word())));
    }
    spans.push((Ink::Dim, format!("  {}", elapsed(record, now))));
    if !unrecorded.slow_because.is_empty() {
        spans.push((Ink::Yellow, format!("  {}", one_line(&unrecorded.slow_because))));
    }
    spans.push((Ink::Dim, whereabouts(record, now, unrecorded.clean_up)));
    // The last column stays free: some terminals wrap as soon as it is written.
    assemble(spans, look.width.saturating_sub(1), look.colour)
}

/// A line without colours, for a log: elapsed and expected time, progress, failures, and what is slow.
pub(crate) fn heartbeat(record: &Record, now: Timestamp, unrecorded: &Unrecorded) -> String {
    let (done, all) = done_of_all(record);
    let done = format!("{}: {} of {} scenarios", elapsed(record, now), thousands(done), thousands(all));
    let counted = counts(record)
        .into_iter()
        .map(|(verdict, count)| format!(", {} {}", thousands(count), verdict.word()));
    let parts = [one_line(&unrecorded.slow_because), whereabouts(record, now, unrecorded.clean_up)];
    let parts =
        parts.iter().map(|part| part.trim()).filter(|part| !part.is_empty()).map(|part| format!("; {part}"));
    [done].into_iter().chain(counted).chain(parts).collect()
}

/// The finished scenarios, and all.
fn done_of_all(record: &Record) -> (usize, usize) {
    let done = record.tally.scenarios().len();
    (done, record.tally.started().map_or(done, |started| started.scenarios).max(done))
}

/// The time since the start, and the expected time of the whole run.
fn elapsed(record: &Record, now: Timestamp) -> String {
    let elapsed = between(record.began(), now);
    match expected(record, elapsed) {
        Some(expected) => format!("{} of about {}", seconds(elapsed), seconds(expected)),
        None => seconds(elapsed),
    }
}

/// The time of the whole run, at the pace so far; `None` before a tenth of the scenarios. Skipped ones take no time.
fn expected(record: &Record, elapsed: Duration) -> Option<Duration> {
    let (_, all) = done_of_all(record);
    let ran = record.tally.executed();
    let skipped = record.tally.scenarios().len() - ran;
    let to_run = all - skipped;
    let early = elapsed < SLOW || ran == 0 || ran * 10 < to_run;
    let [to_run, ran] = [to_run, ran].map(|count| u32::try_from(count).unwrap_or(u32::MAX));
    (!early).then(|| elapsed.saturating_mul(to_run) / ran)
}

fn bar(done: usize, all: usize) -> Vec<(Ink, String)> {
    let full = (BAR * done).checked_div(all).unwrap_or(0).min(BAR);
    vec![(Ink::Green, "━".repeat(full)), (Ink::Dim, "─".repeat(BAR - full))]
}

/// The verdicts that need attention.
fn counts(record: &Record) -> Vec<(Verdict, usize)> {
    let verdicts: Vec<Verdict> =
        record.tally.scenarios().map(|finished| record.verdict_of(finished)).collect();
    [Verdict::Failed, Verdict::Flaky, Verdict::Warning, Verdict::Inconclusive]
        .into_iter()
        .map(|verdict| (verdict, verdicts.iter().filter(|known| **known == verdict).count()))
        .filter(|(_, count)| *count > 0)
        .collect()
}

/// The clean-up, or the oldest scenario if it is slow, or else the area of the latest.
fn whereabouts(record: &Record, now: Timestamp, clean_up: Option<Duration>) -> String {
    if let Some(elapsed) = clean_up.or_else(|| removal(record, now)) {
        // A scenario that the end of the run has stopped does not run.
        return format!("  cleaning up for {} s", elapsed.as_secs());
    }
    let slow = record.running().first().map(|(id, began)| (id, between(*began, now)));
    match slow {
        Some((id, elapsed)) if elapsed >= SLOW => {
            format!("  {} for {} s", one_line(id.as_str()), elapsed.as_secs())
        }
        _ => {
            let latest = record.running().last().and_then(|(id, _)| record.clause(&id.clause().into()));
            latest.map(|clause| format!("  {}", one_line(&clause.area))).unwrap_or_default()
        }
    }
}

/// How long no scenario has been running, if that is long: the run removes the objects of those that have finished.
fn removal(record: &Record, now: Timestamp) -> Option<Duration> {
    let (done, _) = done_of_all(record);
    let elapsed = between(record.latest(), now);
    (done > 0 && record.running().is_empty() && elapsed >= SLOW).then_some(elapsed)
}

fn assemble(spans: Vec<(Ink, String)>, width: usize, colour: bool) -> String {
    let mut room = width;
    let mut line = String::new();
    for (ink, span) in spans {
        let shown = fit(&span, room);
        room -= shown.width().min(room);
        line.push_str(&ink.paint(&shown, colour));
        if room == 0 {
            break;
        }
    }
    line
}

/// Why a scenario did not pass, in a few words.
pub(crate) fn why(finished: &ScenarioFinished) -> String {
    if let (true, Some(repetitions)) = (finished.flaky(), finished.repetitions) {
        return repetitions.to_string();
    }
    match (&finished.outcome, &finished.known_failure) {
        (Outcome::Passed, _) => String::new(),
        (Outcome::Failed { .. } | Outcome::Errored { .. }, Some(known)) => {
            format!("known failure: {} ({})", known.reason, known.tracked())
        }
        (Outcome::Failed { failure }, None) => failure.actual.clone(),
        (Outcome::Skipped { reason }, _) => reason.clone(),
        (Outcome::Errored { test_error }, None) => test_error.to_string(),
    }
}
