//! The results on a terminal: the table, the causes of all failures, the skipped clauses, and the conclusion.

use model::{Clause, Level, Verdict};
use unicode_width::UnicodeWidthStr;

use crate::conclusion;
use crate::escape::one_line;
use crate::failures;
use crate::known_failures;
use crate::leftovers;
use crate::page::{Ink, Page};
use crate::record::Record;
use crate::run_again;
use crate::table;
use crate::terminal::Verbosity;
use crate::verdict_style::VerdictStyle;
use crate::warnings;
use crate::words::{duration, plural};

/// The maximum number of notes, and of reasons to skip clauses of one level, unless the user asks for all.
const LISTED: usize = 6;

/// Everything, in the order in which it matters.
pub(crate) fn write(page: &mut Page, record: &Record, verbosity: Verbosity) {
    if verbosity == Verbosity::Quiet {
        in_brief(page, record);
    } else {
        if !record.tally.areas().is_empty() {
            page.block(&table::areas(record, page.width().unwrap_or(usize::MAX), page.colour()));
        }
        failures::write(page, record, verbosity);
        known_failures::write(page, record);
        skipped(page, record, verbosity);
        notes(page, record, verbosity);
    }
    leftovers::write(page, record);
    warnings(page, record);
    if verbosity != Verbosity::Quiet {
        run_again::write(page, record);
    }
    page.gap();
    last_line(page, record);
}

/// One line for everything that fails the run or makes it inconclusive.
fn in_brief(page: &mut Page, record: &Record) {
    for verdict in [Verdict::Failed, Verdict::Flaky, Verdict::Warning, Verdict::Inconclusive] {
        if verdict == Verdict::Warning && !record.strict() {
            continue;
        }
        for clause in record.with_verdict(verdict) {
            page.line(&[
                (verdict.ink(), &format!("{:<13}", verdict.word())),
                (Ink::Plain, "  "),
                (Ink::Plain, clause.id.as_str()),
            ]);
        }
    }
    for stale in record.tally.stale() {
        page.line(&[(Ink::Red, "stale          "), (Ink::Plain, &stale.to_string())]);
    }
}

/// The skipped clauses, by level and reason, the most frequent first.
fn skipped(page: &mut Page, record: &Record, verbosity: Verbosity) {
    let clauses = record.with_verdict(Verdict::Skipped);
    if clauses.iter().all(|clause| clause.level == Level::May) {
        return;
    }
    page.gap();
    page.line(&[(Ink::Bold, "skipped")]);
    for level in [Level::Must, Level::Should] {
        let members = clauses.iter().copied().filter(|clause| clause.level == level);
        let reasons = by_reason(record, members);
        let shown = if verbosity == Verbosity::Verbose { reasons.len() } else { LISTED };
        for (reason, ids) in reasons.iter().take(shown) {
            page.field(&format!("{} {level}", ids.len()), Ink::Plain, reason);
            if verbosity == Verbosity::Verbose {
                page.field("", Ink::Dim, &ids.join(" "));
            }
        }
        page.rest(reasons.len(), shown);
    }
}

fn by_reason<'a>(
    record: &'a Record,
    clauses: impl Iterator<Item = &'a Clause>,
) -> Vec<(&'a str, Vec<&'a str>)> {
    let mut groups: Vec<(&str, Vec<&str>)> = Vec::new();
    for clause in clauses {
        let reason = record.reason(clause).unwrap_or_default();
        match groups.iter_mut().find(|(known, _)| *known == reason) {
            Some((_, members)) => members.push(clause.id.as_str()),
            None => groups.push((reason, vec![clause.id.as_str()])),
        }
    }
    groups.sort_by_key(|(_, members)| std::cmp::Reverse(members.len()));
    groups
}

/// The notes of scenarios, each once.
fn notes(page: &mut Page, record: &Record, verbosity: Verbosity) {
    let mut notes: Vec<(&str, Vec<&str>)> = Vec::new();
    for finished in record.tally.scenarios() {
        for note in &finished.notes {
            match notes.iter_mut().find(|(known, _)| known == note) {
                Some((_, scenarios)) => scenarios.push(finished.scenario.as_str()),
                None => notes.push((note, vec![finished.scenario.as_str()])),
            }
        }
    }
    if notes.is_empty() {
        return;
    }
    page.gap();
    page.line(&[(Ink::Bold, "notes")]);
    notes.sort_unstable();
    let (all, shown) = (notes.len(), if verbosity == Verbosity::Verbose { notes.len() } else { LISTED });
    for (note, mut scenarios) in notes.into_iter().take(shown) {
        scenarios.sort_unstable();
        page.paragraph(2, Ink::Plain, &scenarios.join(", "));
        page.paragraph(4, Ink::Dim, note);
    }
    page.rest(all, shown);
}

fn warnings(page: &mut Page, record: &Record) {
    for warning in warnings::of(record) {
        page.gap();
        page.titled(Ink::Yellow, "warning", &warning);
    }
}

/// The conclusion, the server and the cost of the run: on one line if there is room.
pub(crate) fn last_line(page: &mut Page, record: &Record) {
    let conclusion = record.tally.conclusion();
    let (ink, word) = (conclusion::ink(conclusion), conclusion.word());
    let because = conclusion::reason(record);
    let (took, exchanges) = (duration(record.elapsed()), plural(record.exchanges(), "exchange"));
    let cost = one_line(&format!("{}, {took}, {exchanges}", record.server()));
    let columns = word.len() + because.len() + cost.width() + 6;
    if page.width().is_some_and(|width| columns > width) {
        page.titled(ink, word, &because);
        page.paragraph(word.len() + 2, Ink::Dim, &cost);
    } else {
        let cost = format!("  ({cost})");
        page.line(&[(ink, word), (Ink::Plain, ": "), (Ink::Bold, &because), (Ink::Dim, &cost)]);
    }
}
