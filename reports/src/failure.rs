//! Explains a scenario that did not pass: clause, expected, actual, and the exchange.

use std::borrow::Cow;
use std::collections::HashSet;

use model::{Clause, Outcome, ScenarioFinished, ScenarioId, Transcript, Verdict};

use crate::command_line;
use crate::difference::difference;
use crate::focus::Focus;
use crate::page::{COLUMN, Ink, Page};
use crate::record::Record;
use crate::timeline::timeline;
use crate::verdict_style::VerdictStyle;
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
        if self == Self::Short { 8 } else { 400 }
    }
}

/// Where lines have no end, JSON is still broken at this width.
const FILE_WIDTH: usize = 100;

/// The rule, its strength, and where it is published.
pub(crate) fn clause(page: &mut Page, verdict: Verdict, clause: &Clause) {
    let about = format!("  {} · {}", clause.level, clause.area);
    let word = format!("{}  ", verdict.word());
    page.line(&[(verdict.ink(), &word), (Ink::Bold, clause.id.as_str()), (Ink::Dim, &about)]);
    page.paragraph(2, Ink::Plain, &clause.statement);
    if !clause.upstream.is_empty() {
        page.line(&[(Ink::Plain, "  "), (Ink::Dim, &clause.upstream)]);
    }
}

/// The evidence of a clause's scenarios with this verdict. A scenario that an earlier clause `explained` is only named.
pub(crate) fn explain(
    page: &mut Page,
    record: &Record,
    verdict: Verdict,
    broken: &Clause,
    explained: &mut HashSet<ScenarioId>,
) {
    clause(page, verdict, broken);
    for finished in scenarios_with_verdict(record, broken, verdict) {
        page.gap();
        let named = finished.scenario.as_str() != broken.id.as_str();
        if !explained.insert(finished.scenario.clone()) {
            page.field("scenario", Ink::Plain, &format!("{}, explained above", finished.scenario));
            continue;
        }
        if named {
            page.field("scenario", Ink::Plain, finished.scenario.as_str());
        }
        outcome(page, finished);
        evidence(page, finished, Detail::Whole);
        script(page, record, finished);
    }
    page.gap();
}

/// The scenarios of a clause that have this verdict on it.
pub(crate) fn scenarios_with_verdict<'a>(
    record: &'a Record,
    clause: &'a Clause,
    verdict: Verdict,
) -> impl Iterator<Item = &'a ScenarioFinished> {
    record.tally.scenarios_of(&clause.id).filter(move |finished| finished.verdict(clause.level) == verdict)
}

/// The whole outcome of a scenario.
pub(crate) fn outcome(page: &mut Page, finished: &ScenarioFinished) {
    for (label, ink, value) in fields(finished) {
        page.field(label, ink, &value);
    }
}

/// A label, its style, and the text.
pub(crate) type Field<'a> = (&'static str, Ink, Cow<'a, str>);

/// The outcome of a scenario, its repetitions and its known failure: the part that every report shows.
pub(crate) fn fields(finished: &ScenarioFinished) -> Vec<Field<'_>> {
    let mut fields = of_outcome(&finished.outcome);
    if let Outcome::Failed { failure } = &finished.outcome
        && let Some(difference) = difference(failure)
    {
        fields.push(("difference", Ink::Plain, difference.into()));
    }
    if let Some(repetitions) = finished.repetitions {
        fields.push(("repeated", Ink::Plain, repetitions.to_string().into()));
    }
    if let Some(known) = &finished.known_failure {
        fields.push(("reason", Ink::Plain, known.reason.as_str().into()));
        fields.push(("tracked", Ink::Plain, known.tracked().into()));
    }
    if let Some(timeline) = timeline(finished) {
        fields.push(("timeline", Ink::Plain, timeline.into()));
    }
    if let Some(scenario) = &finished.seen_in {
        fields.push(("seen in", Ink::Plain, scenario.as_str().into()));
    }
    fields
}

fn of_outcome(outcome: &Outcome) -> Vec<Field<'_>> {
    match outcome {
        Outcome::Passed => Vec::new(),
        Outcome::Failed { failure } => vec![
            ("expected", Ink::Plain, failure.expected.as_str().into()),
            ("actual", Ink::Bold, failure.actual.as_str().into()),
        ],
        Outcome::Skipped { reason } => vec![("skipped", Ink::Plain, reason.as_str().into())],
        Outcome::Errored { test_error } => {
            let mut fields: Vec<Field> = vec![
                ("failed to", Ink::Plain, test_error.action.as_str().into()),
                ("because", Ink::Bold, test_error.cause.as_str().into()),
            ];
            if !test_error.hint.is_empty() {
                fields.push(("hint", Ink::Plain, test_error.hint.as_str().into()));
            }
            fields
        }
    }
}

/// The exchanges of a scenario, the telling one last.
pub(crate) fn evidence(page: &mut Page, finished: &ScenarioFinished, detail: Detail) {
    let (transcripts, focus) = (&finished.evidence, Focus::of(finished));
    let first = if detail == Detail::Short { transcripts.len().saturating_sub(1) } else { 0 };
    for transcript in &transcripts[first..] {
        exchange(page, transcript, &focus, detail);
    }
}

/// The command that repeats the whole scenario.
pub(crate) fn script(page: &mut Page, record: &Record, finished: &ScenarioFinished) {
    if let Some(command) = command_line::script(record, finished) {
        page.command(&command);
    }
}

fn exchange(page: &mut Page, transcript: &Transcript, focus: &Focus, detail: Detail) {
    page.gap();
    let took = std::time::Duration::from_millis(transcript.elapsed_ms);
    message(page, "request", &transcript.request, "", focus, detail);
    message(page, "response", &transcript.response, &format!("  ({})", duration(took)), focus, detail);
    page.gap();
    page.command(&transcript.curl);
}

/// One side of an exchange, taken apart.
pub(crate) struct Message<'a> {
    /// Request line or status line.
    pub(crate) first: &'a str,
    /// The other lines of the head.
    pub(crate) headers: &'a str,
    pub(crate) body: &'a str,
}

impl<'a> Message<'a> {
    pub(crate) fn of(text: &'a str) -> Self {
        let (head, body) = text.split_once("\n\n").unwrap_or((text, ""));
        let (first, headers) = head.split_once('\n').unwrap_or((head, ""));
        Self { first, headers, body }
    }
}

fn message(page: &mut Page, label: &str, text: &str, aside: &str, focus: &Focus, detail: Detail) {
    let Message { first, headers, body } = Message::of(text);
    page.field(label, Ink::Plain, &format!("{first}{aside}"));
    if detail == Detail::Whole && !headers.is_empty() {
        page.paragraph(COLUMN, Ink::Plain, headers);
    }
    if !body.is_empty() {
        let width = page.width().map_or(FILE_WIDTH, |width| width.saturating_sub(COLUMN));
        page.paragraph(COLUMN, Ink::Dim, &focus.lines(body, width, detail.body_lines()).join("\n"));
    }
}

/// Everything about one scenario, for a report that is ordered by scenarios.
pub(crate) fn scenario(page: &mut Page, record: &Record, finished: &ScenarioFinished) {
    for broken in record.clauses_of(finished) {
        clause(page, finished.verdict(broken.level), broken);
    }
    page.gap();
    outcome(page, finished);
    for note in &finished.notes {
        page.field("note", Ink::Plain, note);
    }
    evidence(page, finished, Detail::Whole);
    let commands = [command_line::run_again(record, finished), command_line::script(record, finished)];
    for command in commands.into_iter().flatten() {
        page.gap();
        page.command(&command);
    }
}
