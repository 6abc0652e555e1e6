//! The last list on a terminal: the failed clauses, each with the command that runs it again.

use std::collections::HashSet;

use model::{Clause, Verdict};

use crate::causes::{Cause, Causes};
use crate::command_line;
use crate::page::{Ink, Page};
use crate::record::Record;
use crate::verdict_style::{VerdictStyle, most_urgent_first};
use crate::words::plural;

/// The maximum number of commands.
const LISTED: usize = 20;

/// The commands, the gravest clauses first, at least one for every cause as far as there is room.
pub(crate) fn write(page: &mut Page, record: &Record) {
    let causes = Causes::of(record);
    let clauses = one_of_each_cause_first(record, &causes);
    if clauses.is_empty() {
        return;
    }
    page.gap();
    page.line(&[(Ink::Bold, "run again")]);
    let (mut room, mut needs_variables) = (LISTED, false);
    for verdict in most_urgent_first() {
        let of_verdict = clauses.iter().filter(|clause| record.tally.verdict(clause) == verdict);
        let commands: Vec<String> =
            of_verdict.filter_map(|clause| command_line::run_clause(record, clause)).collect();
        needs_variables |= commands.iter().any(|command| command.contains("=\"$"));
        room -= list(page, verdict, &commands, room);
    }
    if needs_variables {
        page.paragraph(2, Ink::Dim, "Set the variables first: a report holds no credentials.");
    }
}

/// The commands for one verdict; returns how many are shown.
fn list(page: &mut Page, verdict: Verdict, commands: &[String], room: usize) -> usize {
    if commands.is_empty() {
        return 0;
    }
    let count = format!("  {}", plural(commands.len(), "clause"));
    page.line(&[(Ink::Plain, "  "), (verdict.ink(), verdict.word()), (Ink::Dim, &count)]);
    let shown = commands.len().min(room);
    commands[..shown].iter().for_each(|command| page.command(command));
    if shown < commands.len() {
        page.paragraph(2, Ink::Dim, &format!("{} more in report.html", commands.len() - shown));
    }
    shown
}

/// The clauses to run again. An inconclusive clause is not among them where a failure explains its test error.
fn one_of_each_cause_first<'a>(record: &Record, causes: &Causes<'a>) -> Vec<&'a Clause> {
    let explained = |cause: &Cause, clause: &Clause| {
        cause.verdict != Verdict::Inconclusive && record.tally.verdict(clause) == Verdict::Inconclusive
    };
    let firsts = causes.of_faults().map(|cause| (cause, cause.clause()));
    let others = causes.of_faults().flat_map(|cause| cause.others().into_iter().map(move |one| (cause, one)));
    let mut seen = HashSet::new();
    firsts
        .chain(others)
        .filter(|(cause, clause)| {
            command_line::is_run_again(record.tally.verdict(clause)) && !explained(cause, clause)
        })
        .map(|(_, clause)| clause)
        .filter(|clause| seen.insert(&clause.id))
        .collect()
}
