//! The failures of a run for people: each cause once, explained with one example; every failure on demand.

use std::collections::HashSet;

use model::{Clause, Verdict};
use unicode_width::UnicodeWidthStr;

use crate::causes::{Cause, Causes};
use crate::escape::one_line;
use crate::failure::{self, Detail, explain};
use crate::page::{Ink, Page, fit};
use crate::record::Record;
use crate::terminal::Verbosity;
use crate::verdict_style::VerdictStyle;
use crate::words::plural;

/// The number of lines after which no further cause is explained.
const EXPLAINED: usize = 90;

/// The maximum number of listed causes.
const LISTED: usize = 25;

/// The maximum number of listed clauses that are not supported.
const NOT_SUPPORTED: usize = 10;

/// The maximum number of clauses by name for a cause.
const NAMED: usize = 6;

/// The causes, and all that they broke.
pub(crate) fn write(page: &mut Page, record: &Record, verbosity: Verbosity) {
    let causes = Causes::of(record);
    overview(page, &causes);
    if verbosity == Verbosity::Verbose {
        every_clause(page, record);
        return;
    }
    explain_causes(page, record, &causes.of_faults().collect::<Vec<_>>());
    not_supported(page, record);
}

/// The gravest causes, as many as a reader takes in.
fn explain_causes(page: &mut Page, record: &Record, causes: &[&Cause]) {
    let (first, count) = (page.lines(), causes.len());
    for (number, cause) in (1..).zip(causes) {
        page.gap();
        if page.lines() > first + EXPLAINED {
            let more = plural(count + 1 - number, "cause");
            page.paragraph(0, Ink::Dim, &format!("{more} more in report.html, or with --verbose"));
            return;
        }
        if count > 1 {
            page.line(&[
                (Ink::Bold, &format!("cause {number} of {count}")),
                (Ink::Dim, &format!("  {}", cause.id)),
            ]);
        }
        explain_once(page, record, cause);
    }
}

/// All causes, each with the number of its clauses.
fn overview(page: &mut Page, causes: &Causes) {
    let all: Vec<&Cause> = causes.of_faults().collect();
    if all.len() < 2 {
        return;
    }
    page.gap();
    page.line(&[(Ink::Bold, "causes")]);
    let columns = |of: fn(&Cause) -> usize| all.iter().map(|cause| of(cause)).max().unwrap_or(0);
    let (word, count) = (columns(|cause| cause.verdict.word().len()), columns(|cause| cause.size().len()));
    for (number, cause) in (1..).zip(all.iter().take(LISTED)) {
        let (verdict, clauses) = (cause.verdict, cause.size());
        let start = format!("  {number:>2}  {:<word$}  {clauses:>count$}", verdict.word());
        // On a narrow terminal it takes two lines.
        let title = fit(&one_line(&cause.title), page.width().map_or(usize::MAX, |width| 2 * width - 20));
        if page.width().is_some_and(|width| start.len() + 2 + title.width() > width) {
            page.line(&[(verdict.ink(), &start)]);
            page.paragraph(6, Ink::Plain, &title);
        } else {
            page.line(&[(verdict.ink(), &start), (Ink::Plain, "  "), (Ink::Plain, &title)]);
        }
    }
    if all.len() > LISTED {
        let more = plural(all.len() - LISTED, "cause");
        page.paragraph(6, Ink::Dim, &format!("and {more} more: see report.html, or --verbose"));
    }
}

/// The example of a cause, and its other clauses.
fn explain_once(page: &mut Page, record: &Record, cause: &Cause) {
    let (example, first) = (cause.example(), cause.clause());
    failure::clause(page, cause.verdict, first);
    page.gap();
    if example.scenario.as_str() != first.id.as_str() {
        page.field("scenario", Ink::Plain, example.scenario.as_str());
    }
    failure::outcome(page, example);
    failure::evidence(page, example, Detail::Short);
    failure::script(page, record, example);
    others(page, cause);
    page.gap();
}

/// The clauses and types in addition to those of the example.
fn others(page: &mut Page, cause: &Cause) {
    let others = cause.others();
    if !others.is_empty() {
        page.gap();
        let mut named: Vec<&str> = others.iter().take(NAMED).map(|clause| clause.id.as_str()).collect();
        let more = format!("and {} more (-v)", others.len().saturating_sub(NAMED));
        if others.len() > NAMED {
            named.push(&more);
        }
        page.field("also", Ink::Plain, &format!("{}: {}", plural(others.len(), "clause"), named.join(", ")));
    }
    let of_example = cause.example().scenario.as_str().split_once('/').map(|(_, kind)| kind);
    let kinds: Vec<String> =
        cause.kinds.iter().filter(|kind| Some(**kind) != of_example).map(|kind| format!("/{kind}")).collect();
    if !kinds.is_empty() {
        page.field("also on", Ink::Plain, &kinds.join(", "));
    }
}

/// A failed `may` clause is no fault: one line is enough.
fn not_supported(page: &mut Page, record: &Record) {
    page.gap();
    let clauses = record.with_verdict(Verdict::NotSupported);
    for clause in clauses.iter().take(NOT_SUPPORTED) {
        in_one_line(page, Verdict::NotSupported, clause, &clause.statement);
    }
    page.rest(clauses.len(), NOT_SUPPORTED);
}

/// Every failure with all of its evidence. A clause is under each verdict of its scenarios.
fn every_clause(page: &mut Page, record: &Record) {
    let mut explained = HashSet::new();
    for verdict in
        [Verdict::Failed, Verdict::Flaky, Verdict::Warning, Verdict::NotSupported, Verdict::Inconclusive]
    {
        page.gap();
        let has_it =
            |clause: &&Clause| failure::scenarios_with_verdict(record, clause, verdict).next().is_some();
        for broken in record.tally.verdicts().map(|(clause, _)| clause).filter(has_it) {
            explain(page, record, verdict, broken, &mut explained);
        }
    }
}

pub(crate) fn in_one_line(page: &mut Page, verdict: Verdict, clause: &Clause, text: &str) {
    let id = format!("  {}  ", clause.id);
    let room = page.width().unwrap_or(usize::MAX).saturating_sub(verdict.word().len() + id.len());
    page.line(&[(verdict.ink(), verdict.word()), (Ink::Bold, &id), (Ink::Dim, &fit(&one_line(text), room))]);
}
