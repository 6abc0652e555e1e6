//! Known failures for people: the scenarios that fail as expected, and the stale entries of the list.

use model::{FailureReason, ScenarioFinished, Stale};

use crate::page::{Ink, Page};
use crate::record::Record;
use crate::words::plural;

/// Everything of a run that is about known failures.
pub(crate) fn write(page: &mut Page, record: &Record) {
    known(page, record);
    stale(page, record.tally.stale());
}

/// The known failures, each with its reason, in the order in which the scenarios ended.
pub(crate) fn failures(record: &Record) -> impl Iterator<Item = (&ScenarioFinished, &FailureReason)> {
    let scenarios = record.tally.scenarios();
    scenarios.filter_map(|finished| Some((finished, finished.as_known_failure()?)))
}

/// By reason: many known failures often share one.
fn known(page: &mut Page, record: &Record) {
    let mut reasons: Vec<(&FailureReason, Vec<&str>)> = Vec::new();
    for (finished, known) in failures(record) {
        let id = finished.scenario.as_str();
        match reasons.iter_mut().find(|(other, _)| *other == known) {
            Some((_, scenarios)) => scenarios.push(id),
            None => reasons.push((known, vec![id])),
        }
    }
    if reasons.is_empty() {
        return;
    }
    page.gap();
    page.line(&[(Ink::Bold, "known failures")]);
    reasons.sort_by(|(one, _), (other, _)| one.reason.cmp(&other.reason));
    for (known, mut scenarios) in reasons {
        scenarios.sort_unstable();
        page.paragraph(2, Ink::Plain, &scenarios.join(", "));
        page.paragraph(4, Ink::Dim, &known.reason);
        page.paragraph(4, Ink::Dim, known.tracked());
    }
}

/// Entries that make the run fail until they are removed or changed.
fn stale(page: &mut Page, stale: &[Stale]) {
    if stale.is_empty() {
        return;
    }
    page.gap();
    let heading = format!("{} stale", plural(stale.len(), "known failure"));
    page.line(&[(Ink::Red, &heading)]);
    for one in stale {
        page.paragraph(2, Ink::Plain, &one.to_string());
        page.paragraph(4, Ink::Dim, &one.entry.why.reason);
    }
}
