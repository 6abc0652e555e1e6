//! Explains a scenario that did not pass: the rule, what was legal, what came, and the exchange that shows it.

use std::collections::HashSet;

use harness::{Clause, Outcome, ScenarioFinished, ScenarioId, Transcript};

use crate::body;
use crate::mark::Mark;
use crate::page::{COLUMN, Ink, Page};
use crate::record::{Record, troubled};
use crate::words::duration;

/// How much is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Detail {
    /// The telling exchange, without headers, its bodies shortened.
    Short,
    /// Every exchange that was kept, whole.
    Whole,
}

impl Detail {
    fn body_lines(self) -> usize {
        if self == Self::Short { 15 } else { 400 }
    }
}

/// Where lines have no end, JSON is still broken at this width.
const FILE_WIDTH: usize = 100;

/// The rule, its strength, and where it is published.
pub(crate) fn clause(page: &mut Page, mark: Mark, clause: &Clause) {
    let about = format!("  {} · {}", clause.level, clause.area);
    let word = format!("{}  ", mark.word());
    page.line(&[(mark.ink(), &word), (Ink::Bold, clause.id.as_str()), (Ink::Dim, &about)]);
    page.paragraph(2, Ink::Plain, &clause.statement);
    if !clause.upstream.is_empty() {
        page.line(&[(Ink::Plain, "  "), (Ink::Dim, &clause.upstream)]);
    }
}

/// All of a clause's scenarios that failed, or could not find out. What was `told` under an earlier clause is only
/// named.
pub(crate) fn explain(
    page: &mut Page,
    record: &Record,
    mark: Mark,
    broken: &Clause,
    detail: Detail,
    told: &mut HashSet<ScenarioId>,
) {
    clause(page, mark, broken);
    for finished in record.tally.scenarios_of(&broken.id).filter(|finished| troubled(finished)) {
        page.gap();
        let named = finished.scenario.as_str() != broken.id.as_str();
        if !told.insert(finished.scenario.clone()) {
            page.field("scenario", Ink::Plain, &format!("{}, explained above", finished.scenario));
            continue;
        }
        if named {
            page.field("scenario", Ink::Plain, finished.scenario.as_str());
        }
        came(page, finished);
        evidence(page, &finished.evidence, detail);
    }
    page.gap();
}

/// What came of a scenario, how often, and what is known of it.
fn came(page: &mut Page, finished: &ScenarioFinished) {
    outcome(page, &finished.outcome);
    if let Some(repetitions) = finished.repetitions {
        page.field("repeated", Ink::Plain, &repetitions.to_string());
    }
    if let Some(known) = &finished.known {
        page.field("known", Ink::Plain, &known.reason);
        page.field("tracked", Ink::Plain, &known.link);
    }
    if let Some(scenario) = &finished.seen_in {
        page.field("seen in", Ink::Plain, scenario.as_str());
    }
}

/// What was expected and what came, or what stood in the way.
fn outcome(page: &mut Page, outcome: &Outcome) {
    match outcome {
        Outcome::Passed => {}
        Outcome::Failed { failure } => {
            page.field("expected", Ink::Plain, &failure.expected);
            page.field("actual", Ink::Bold, &failure.actual);
        }
        Outcome::Skipped { reason } => page.field("skipped", Ink::Plain, reason),
        Outcome::Errored { obstacle } => {
            page.field("could not", Ink::Plain, &obstacle.attempted);
            page.field("because", Ink::Bold, &obstacle.why);
            if !obstacle.advice.is_empty() {
                page.field("advice", Ink::Plain, &obstacle.advice);
            }
        }
    }
}

/// The exchanges of a scenario, the telling one last.
pub(crate) fn evidence(page: &mut Page, transcripts: &[Transcript], detail: Detail) {
    let first = if detail == Detail::Short { transcripts.len().saturating_sub(1) } else { 0 };
    for transcript in &transcripts[first..] {
        exchange(page, transcript, detail);
    }
}

fn exchange(page: &mut Page, transcript: &Transcript, detail: Detail) {
    page.gap();
    let took = std::time::Duration::from_millis(transcript.elapsed_ms);
    message(page, "request", &transcript.request, "", detail);
    message(page, "answer", &transcript.response, &format!("  ({})", duration(took)), detail);
    page.gap();
    page.command(&transcript.curl);
}

fn message(page: &mut Page, label: &str, text: &str, aside: &str, detail: Detail) {
    let (head, body) = text.split_once("\n\n").unwrap_or((text, ""));
    let (first, headers) = head.split_once('\n').unwrap_or((head, ""));
    page.field(label, Ink::Plain, &format!("{first}{aside}"));
    if detail == Detail::Whole && !headers.is_empty() {
        page.paragraph(COLUMN, Ink::Plain, headers);
    }
    if !body.is_empty() {
        let width = page.width().map_or(FILE_WIDTH, |width| width.saturating_sub(COLUMN));
        page.paragraph(COLUMN, Ink::Dim, &body::lines(body, width, detail.body_lines()).join("\n"));
    }
}

/// Everything about one scenario, for a report that is ordered by scenarios.
pub(crate) fn scenario(page: &mut Page, record: &Record, finished: &ScenarioFinished) {
    for answered in record.clauses_of(finished) {
        clause(page, Mark::of_verdict(&finished.verdict(), answered.level), answered);
    }
    page.gap();
    came(page, finished);
    for note in &finished.notes {
        page.field("note", Ink::Plain, note);
    }
    evidence(page, &finished.evidence, Detail::Whole);
}
