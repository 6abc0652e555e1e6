//! A case: a fault or a bug, and the clauses that must detect it.

use harness::{Catalogue, ClauseId, Selection};
use reference::{Bug, Fault, FaultMechanism};

use crate::suggest::find;

/// The name for all bugs.
const ALL: &str = "all";

/// A fault or a bug, and the clauses that must detect it.
#[derive(Debug, Clone, Copy)]
pub struct Case {
    pub(super) fault: &'static Fault,
    /// At least one of these clauses must fail.
    pub(super) clauses: &'static [&'static str],
    /// The public thread of a bug.
    pub(super) thread: Option<&'static str>,
}

impl Case {
    pub(super) fn of_fault(fault: &'static Fault) -> Self {
        Self { fault, clauses: std::slice::from_ref(&fault.name), thread: None }
    }

    pub(super) fn of_bug(bug: &'static Bug) -> Self {
        Self { fault: &bug.fault, clauses: bug.clauses, thread: Some(bug.thread) }
    }

    /// The name of the fault, or of the bug.
    pub fn name(&self) -> &'static str {
        self.fault.name
    }

    /// Whether a real server had this bug.
    pub fn is_bug(&self) -> bool {
        self.thread.is_some()
    }

    /// Whether one of these clauses must detect it.
    pub fn concerns(&self, clauses: &[ClauseId]) -> bool {
        clauses.iter().any(|clause| self.clauses.contains(&clause.as_str()))
    }
}

/// All cases on the reference server.
pub fn cases() -> Vec<Case> {
    selected(&Selection::default(), true)
}

/// Faults of the selected clauses that have a scenario or an invariant check, and the bugs that such a clause must
/// detect.
pub(super) fn selected(selection: &Selection, reference: bool) -> Vec<Case> {
    let (catalogue, suites) = (suites::catalogue(), suites::all());
    let tested = suites::tested_clauses(&suites);
    let wanted = |case: &Case| {
        case.clauses.iter().any(|clause| tested.contains(clause) && included(&catalogue, selection, clause))
    };
    let faults = reference::faults().map(Case::of_fault);
    showable(faults.chain(reference::bugs().map(Case::of_bug)).filter(wanted).collect(), reference)
}

fn included(catalogue: &Catalogue, selection: &Selection, clause: &str) -> bool {
    catalogue.get(clause).is_some_and(|clause| selection.lists(clause))
}

/// On another server than the reference, only the faults that the fault proxy can play.
pub(super) fn showable(mut cases: Vec<Case>, reference: bool) -> Vec<Case> {
    cases.retain(|case| {
        reference || !matches!(case.fault.rule, FaultMechanism::Store(_) | FaultMechanism::Expressions(_))
    });
    cases
}

/// The bugs with these names.
pub(super) fn bugs(names: &[String]) -> Result<Vec<Case>, String> {
    if names.iter().any(|name| name == ALL) {
        return Ok(reference::bugs().map(Case::of_bug).collect());
    }
    names.iter().map(|name| bug(name).map(Case::of_bug)).collect()
}

/// The bug with this name.
pub(crate) fn bug(name: &str) -> Result<&'static Bug, String> {
    find("bug", name, reference::bugs(), |bug| bug.fault.name)
}
