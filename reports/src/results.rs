//! What is printed at the end: the table, every failure explained, what was not asked, and the judgement.

use std::collections::HashSet;

use harness::{Clause, Level};

use crate::failure::{Detail, explain};
use crate::judgement;
use crate::mark::Mark;
use crate::page::{Ink, Page};
use crate::record::Record;
use crate::table;
use crate::terminal::Verbosity;
use crate::words::{duration, plural};

/// Everything, in the order in which it matters.
pub(crate) fn write(page: &mut Page, record: &Record, verbosity: Verbosity) {
    if verbosity == Verbosity::Quiet {
        in_brief(page, record);
    } else {
        page.block(&table::areas(record, page.width().unwrap_or(usize::MAX), page.colour()));
        page.gap();
        failures(page, record, verbosity);
        untested(page, record, verbosity);
        notes(page, record);
    }
    leftovers(page, record);
    page.gap();
    last_line(page, record);
}

/// One line for everything that fails the run or leaves it in doubt.
fn in_brief(page: &mut Page, record: &Record) {
    for mark in [Mark::Violated, Mark::Warned, Mark::Undetermined] {
        if mark == Mark::Warned && !record.strict() {
            continue;
        }
        for clause in record.marked(mark) {
            page.line(&[(mark.ink(), mark.word()), (Ink::Plain, "  "), (Ink::Plain, clause.id.as_str())]);
        }
    }
}

fn failures(page: &mut Page, record: &Record, verbosity: Verbosity) {
    let detail = if verbosity == Verbosity::Verbose { Detail::Whole } else { Detail::Short };
    let mut told = HashSet::new();
    for mark in [Mark::Violated, Mark::Warned, Mark::NotOffered, Mark::Undetermined] {
        for broken in record.marked(mark) {
            if mark == Mark::NotOffered && verbosity != Verbosity::Verbose {
                not_offered(page, broken);
            } else {
                explain(page, record, mark, broken, detail, &mut told);
            }
        }
        page.gap();
    }
}

fn not_offered(page: &mut Page, broken: &Clause) {
    let mark = Mark::NotOffered;
    page.line(&[(mark.ink(), mark.word()), (Ink::Plain, "  "), (Ink::Bold, broken.id.as_str())]);
}

/// `must` and `should` clauses that were not asked, by reason, the most frequent first.
fn untested(page: &mut Page, record: &Record, verbosity: Verbosity) {
    let clauses = record.marked(Mark::Untested);
    let mut groups: Vec<(String, Vec<&Clause>)> = Vec::new();
    for clause in clauses.into_iter().filter(|clause| clause.level != Level::May) {
        let reason = record.reason(clause).unwrap_or_default();
        match groups.iter_mut().find(|(known, _)| *known == reason) {
            Some((_, members)) => members.push(clause),
            None => groups.push((reason, vec![clause])),
        }
    }
    if groups.is_empty() {
        return;
    }
    groups.sort_by_key(|(_, members)| std::cmp::Reverse(members.len()));
    page.gap();
    page.line(&[(Ink::Bold, "untested")]);
    for (reason, members) in groups {
        let count = format!("{:>8}", members.len());
        page.field(&count, Ink::Plain, &format!("{reason} ({})", levels(&members)));
        if verbosity == Verbosity::Verbose {
            let ids: Vec<&str> = members.iter().map(|clause| clause.id.as_str()).collect();
            page.field("", Ink::Dim, &ids.join(" "));
        }
    }
}

fn levels(clauses: &[&Clause]) -> String {
    let of = |level| clauses.iter().filter(|clause| clause.level == level).count();
    let counted = [Level::Must, Level::Should].map(|level| (of(level), level));
    let shown =
        counted.iter().filter(|(count, _)| *count > 0).map(|(count, level)| format!("{count} {level}"));
    shown.collect::<Vec<_>>().join(", ")
}

/// What scenarios found legal but noteworthy, each note once.
fn notes(page: &mut Page, record: &Record) {
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
    for (note, mut scenarios) in notes {
        scenarios.sort_unstable();
        page.paragraph(2, Ink::Plain, &scenarios.join(", "));
        page.paragraph(4, Ink::Dim, note);
    }
}

/// What is still on the server, and how to remove it.
fn leftovers(page: &mut Page, record: &Record) {
    let Some(finished) = record.tally.finished().filter(|finished| !finished.leftovers.is_empty()) else {
        return;
    };
    page.gap();
    let objects = plural(finished.leftovers.len(), "object");
    let them = if finished.leftovers.len() == 1 { "it" } else { "them" };
    page.line(&[(Ink::Yellow, "left behind"), (Ink::Plain, "  "), (Ink::Bold, &objects)]);
    page.paragraph(2, Ink::Plain, &format!("The server did not remove {them}. Ask again with:"));
    page.gap();
    for path in &finished.leftovers {
        page.command(&format!("kubectl delete --raw '{}'", path.replace('\'', r"'\''")));
    }
}

/// The judgement, what it cost, and where it is from.
fn last_line(page: &mut Page, record: &Record) {
    let judgement = record.tally.judgement();
    let cost = format!("  ({}, {})", duration(record.elapsed()), plural(record.exchanges(), "exchange"));
    page.line(&[
        (judgement::ink(judgement), judgement::word(judgement)),
        (Ink::Plain, ": "),
        (Ink::Bold, &judgement::because(record)),
        (Ink::Dim, &cost),
    ]);
}
