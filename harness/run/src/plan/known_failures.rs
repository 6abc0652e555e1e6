//! Applies the list of known failures to a run, and finds its stale entries.

use std::collections::HashSet;
use std::sync::Arc;

use jiff::civil::Date;
use model::{
    Catalogue, ClauseId, EventKind, KnownFailure, Level, Listed, ScenarioFinished, ScenarioId, Stale,
    Staleness, Tally, Verdict, matches,
};

use crate::scenario::Scenario;
use crate::settings::CausesOf;
use crate::suite::Suite;

/// Everything that exists, and how far the selection leaves it out: the measure of stale entries.
#[derive(Debug, Clone, Default)]
pub(super) struct Remainder {
    clauses: HashSet<ClauseId>,
    scenarios: HashSet<ScenarioId>,
    rules: HashSet<ClauseId>,
    /// The clauses with a scenario that the selection leaves out: the success of the others proves too little.
    partly: HashSet<ClauseId>,
    /// The scenarios that the selection leaves out.
    left_out: HashSet<ScenarioId>,
    /// Whether the selection leaves out a scenario of the profile: then invariant checks saw less than they could.
    less: bool,
}

impl Remainder {
    /// All clauses, scenarios and invariant checks.
    pub(super) fn of(catalogue: &Catalogue, suites: &[Suite]) -> Self {
        let scenarios = suites.iter().flat_map(|suite| &suite.scenarios);
        let rules = suites.iter().flat_map(|suite| &suite.invariants);
        Self {
            clauses: catalogue.clauses().map(|clause| clause.id.clone()).collect(),
            scenarios: scenarios.map(|scenario| scenario.id.clone()).collect(),
            rules: rules.map(|rule| rule.clause.into()).collect(),
            ..Self::default()
        }
    }

    /// Adds a scenario that replaces one of the suites'.
    pub(super) fn add(&mut self, scenario: &Scenario) {
        self.scenarios.insert(scenario.id.clone());
    }

    /// Records a scenario that the selection leaves out.
    pub(super) fn leave_out(&mut self, scenario: &Scenario) {
        self.partly.extend(scenario.clauses.iter().cloned());
        self.left_out.insert(scenario.id.clone());
        self.less |= !scenario.full_only;
    }

    /// Whether something has this id, or matches this pattern. No list has all causes.
    fn holds(&self, listed: &Listed) -> bool {
        match listed {
            Listed::Clause(pattern) => self.clauses.iter().any(|id| matches(pattern, id.as_str())),
            Listed::Scenario(pattern) => {
                self.scenarios.iter().any(|id| matches(pattern, id.as_str())) || self.has_check(pattern)
            }
            Listed::Cause(_) => true,
        }
    }

    /// Whether an invariant check matches a pattern for scenarios.
    fn has_check(&self, pattern: &str) -> bool {
        self.rules.iter().any(|clause| matches(pattern, ScenarioId::of_invariant(clause).as_str()))
    }

    /// Whether the run would show every failure of an entry: without one the entry is stale.
    fn would_show(&self, listed: &Listed) -> bool {
        let of_clauses =
            |pattern: &str, ids: &HashSet<ClauseId>| ids.iter().any(|id| matches(pattern, id.as_str()));
        let (whole, of_invariant) = match listed {
            Listed::Clause(pattern) => (!of_clauses(pattern, &self.partly), of_clauses(pattern, &self.rules)),
            Listed::Scenario(pattern) => {
                let left_out = self.left_out.iter().any(|id| matches(pattern, id.as_str()));
                (!left_out, self.has_check(pattern))
            }
            Listed::Cause(_) => (true, true),
        };
        whole && !(of_invariant && self.less)
    }
}

/// The known failures of a run.
#[derive(Debug, Clone)]
pub(crate) struct KnownFailures {
    entries: Vec<KnownFailure>,
    remainder: Remainder,
    today: Date,
    causes_of: CausesOf,
}

impl KnownFailures {
    /// These entries, on a day, in a run with this remainder.
    pub(super) fn new(
        entries: Vec<KnownFailure>,
        remainder: Remainder,
        today: Date,
        causes_of: CausesOf,
    ) -> Self {
        Self { entries, remainder, today, causes_of }
    }

    /// Marks known failures, and adds the stale entries to the end of the run.
    ///
    /// It reads the texts that reports read: redacted and shortened. Otherwise a cause would have another id here.
    pub(crate) fn apply(&self, kind: &mut EventKind, so_far: &Tally) {
        match kind {
            EventKind::ScenarioFinished(finished) => {
                let causes = self.causes(finished);
                let entry = self.entries.iter().find(|entry| {
                    entry.expects(&finished.outcome)
                        && entry.of.covers(finished, &causes)
                        && !entry.is_past(self.today)
                });
                Arc::make_mut(finished).known_failure = entry.map(|entry| entry.why.clone());
            }
            EventKind::RunFinished(finished) => {
                let whole = finished.stopped.is_none();
                finished.stale =
                    self.entries.iter().filter_map(|entry| self.stale(entry, so_far, whole)).collect();
            }
            EventKind::RunStarted(_) | EventKind::ScenarioStarted { .. } => {}
        }
    }

    /// The ids of the causes of a failure; none if no entry names a cause.
    fn causes(&self, finished: &ScenarioFinished) -> Vec<String> {
        let needed = finished.is_unsuccessful() && self.entries.iter().any(|entry| is_cause(&entry.of));
        if needed { (self.causes_of)(finished) } else { Vec::new() }
    }

    /// Whether an entry is stale. An entry whose scenarios did not run is stale only if its id is unknown.
    fn stale(&self, entry: &KnownFailure, tally: &Tally, whole: bool) -> Option<Stale> {
        let covers = |finished: &&ScenarioFinished| entry.of.covers(finished, &self.causes(finished));
        let covered: Vec<&ScenarioFinished> = tally.scenarios().filter(covers).collect();
        let why = if !self.remainder.holds(&entry.of) {
            Staleness::Unknown
        } else if whole && self.remainder.would_show(&entry.of) && is_gone(entry, &covered, tally) {
            Staleness::Passed
        } else if !covered.is_empty() && entry.is_past(self.today) {
            Staleness::Expired
        } else {
            return None;
        };
        Some(Stale { entry: entry.clone(), why })
    }
}

fn is_cause(listed: &Listed) -> bool {
    matches!(listed, Listed::Cause(_))
}

/// Whether everything that an entry covers passed. A test error may hide a failure of any cause.
fn is_gone(entry: &KnownFailure, covered: &[&ScenarioFinished], tally: &Tally) -> bool {
    // Any level gives the same result for "passed" and "inconclusive".
    let verdict = |finished: &ScenarioFinished| finished.verdict(Level::Must);
    if is_cause(&entry.of) {
        let inconclusive = || tally.scenarios().any(|one| verdict(one) == Verdict::Inconclusive);
        return covered.is_empty() && !inconclusive();
    }
    Verdict::fold(covered.iter().map(|finished| verdict(finished))) == Verdict::Passed
}
