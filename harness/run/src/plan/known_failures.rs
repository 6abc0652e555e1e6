//! Applies the list of known failures to a run, and finds its stale entries.

use std::collections::HashSet;

use jiff::civil::Date;
use model::{
    Catalogue, ClauseId, EventKind, KnownFailure, Level, Listed, Outcome, ScenarioFinished, ScenarioId,
    Stale, Staleness, Tally, Verdict,
};

use crate::scenario::Scenario;
use crate::suite::Suite;

/// Everything that exists, and how far the selection leaves it out: the measure of stale entries.
#[derive(Debug, Clone, Default)]
pub(super) struct Remainder {
    clauses: HashSet<ClauseId>,
    scenarios: HashSet<ScenarioId>,
    rules: HashSet<ClauseId>,
    /// The clauses with a scenario that the selection leaves out: the success of the others proves too little.
    partly: HashSet<ClauseId>,
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
        self.less |= !scenario.full_only;
    }

    fn holds(&self, listed: &Listed) -> bool {
        match listed {
            Listed::Clause(id) => self.clauses.contains(id),
            Listed::Scenario(id) => {
                self.scenarios.contains(id)
                    || self.rules.iter().any(|clause| ScenarioId::of_invariant(clause) == *id)
            }
        }
    }

    /// Whether the run would show every failure of an entry: without one the entry is stale.
    fn would_show(&self, listed: &Listed) -> bool {
        let of_invariant = match listed {
            Listed::Clause(id) => self.rules.contains(id),
            Listed::Scenario(id) => !self.scenarios.contains(id),
        };
        let whole = match listed {
            Listed::Clause(id) => !self.partly.contains(id),
            Listed::Scenario(_) => true,
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
}

impl KnownFailures {
    /// These entries, on a day, in a run with this remainder.
    pub(super) fn new(entries: Vec<KnownFailure>, remainder: Remainder, today: Date) -> Self {
        Self { entries, remainder, today }
    }

    /// Marks known failures, and adds the stale entries to the end of the run.
    pub(crate) fn apply(&self, kind: &mut EventKind, so_far: &Tally) {
        match kind {
            EventKind::ScenarioFinished(finished) => {
                if let Outcome::Failed { .. } = finished.outcome {
                    let mut fitting = self
                        .entries
                        .iter()
                        .filter(|entry| entry.covers(&finished.scenario, &finished.clauses));
                    let entry = fitting.find(|entry| !entry.is_past(self.today));
                    finished.known_failure = entry.map(|entry| entry.why.clone());
                }
            }
            EventKind::RunFinished(finished) => {
                let whole = finished.stopped.is_none();
                finished.stale =
                    self.entries.iter().filter_map(|entry| self.stale(entry, so_far, whole)).collect();
            }
            EventKind::RunStarted(_) | EventKind::ScenarioStarted { .. } => {}
        }
    }

    /// Whether an entry is stale. An entry whose scenarios did not run is stale only if its id is unknown.
    fn stale(&self, entry: &KnownFailure, tally: &Tally, whole: bool) -> Option<Stale> {
        let covered: Vec<&ScenarioFinished> = tally
            .scenarios()
            .iter()
            .filter(|finished| entry.covers(&finished.scenario, &finished.clauses))
            .collect();
        // Any level gives the same result for "passed".
        let verdict = Verdict::fold(covered.iter().map(|finished| finished.verdict(Level::Must)));
        let why = if !self.remainder.holds(&entry.of) {
            Staleness::Unknown
        } else if whole && verdict == Verdict::Passed && self.remainder.would_show(&entry.of) {
            Staleness::Passed
        } else if !covered.is_empty() && entry.is_past(self.today) {
            Staleness::Expired
        } else {
            return None;
        };
        Some(Stale { entry: entry.clone(), why })
    }
}
