//! The plan of a run: the scenarios to run, and why others are skipped.

mod known_failures;
mod profile;
mod selection;
mod shard;
mod subject;
#[cfg(test)]
mod tests;

use std::collections::{HashMap, HashSet};

use jiff::civil::Date;
use model::{Catalogue, Clause, ClauseId, KnownFailure, ResourceUnderTest, Subject, TargetInfo};

use crate::invariant::Invariant;
use crate::scenario::{Scenario, Turn};
use crate::settings::CausesOf;
use crate::suite::{Suite, tested_clauses};

pub(crate) use known_failures::KnownFailures;
pub use profile::Profile;
pub use selection::{REPLICAS_FEATURE, Selection, SelectionError};
pub use shard::{NotAShard, Shard};

use known_failures::Remainder;
use selection::reason_against;

/// The scenarios that run, and those that do not.
#[derive(Debug, Clone)]
pub struct Plan {
    /// The clauses in scope, in the catalogue's order.
    pub clauses: Vec<Clause>,
    /// The observable clauses in scope without a scenario.
    pub without_scenario: Vec<ClauseId>,
    /// The scenarios to run.
    pub scenarios: Vec<Scenario>,
    /// The skipped scenarios in scope, each with the reason.
    pub skipped: Vec<(Scenario, String)>,
    /// The invariant checks.
    pub invariants: Vec<Invariant>,
    /// The known failures that apply to this target.
    pub known_failures: Vec<KnownFailure>,
    /// How often each scenario runs; one that ends the server runs once.
    pub repetitions: usize,
    remainder: Remainder,
}

impl Plan {
    /// Applies a selection.
    pub fn new(
        catalogue: &Catalogue,
        suites: Vec<Suite>,
        selection: &Selection,
        target_info: &TargetInfo,
    ) -> Self {
        let clauses: Vec<Clause> =
            catalogue.clauses().filter(|clause| selection.includes(clause)).cloned().collect();
        let by_id: HashMap<&str, &Clause> =
            clauses.iter().map(|clause| (clause.id.as_str(), clause)).collect();
        let in_scope = |id: &str| by_id.get(id).copied();
        let without_scenario = without_scenario(&clauses, &suites);
        let mut remainder = Remainder::of(catalogue, &suites);
        let mut elsewhere = HashSet::new();
        let (mut scenarios, mut skipped, mut invariants) = (Vec::new(), Vec::new(), Vec::new());
        for suite in suites {
            invariants.extend(suite.invariants.into_iter().filter(|rule| in_scope(rule.clause).is_some()));
            for scenario in subject::on_subjects(suite.scenarios, selection.subject.as_ref(), target_info) {
                remainder.add(&scenario);
                let tested: Vec<&Clause> =
                    scenario.clauses.iter().filter_map(|id| in_scope(id.as_str())).collect();
                if tested.is_empty() || !selection.selects(&scenario) {
                    remainder.leave_out(&scenario);
                } else if !selection.takes(&scenario.id) {
                    remainder.leave_out(&scenario);
                    elsewhere.extend(scenario.clauses);
                } else if let Some(reason) = selection.reason_to_skip(&scenario) {
                    remainder.leave_out(&scenario);
                    skipped.push((scenario, reason));
                } else {
                    match selection.reason_against(&scenario, &tested, target_info) {
                        Some(reason) => skipped.push((scenario, reason)),
                        None => scenarios.push(scenario),
                    }
                }
            }
        }
        invariants.retain(|rule| {
            in_scope(rule.clause)
                .is_some_and(|clause| reason_against(clause, target_info, &selection.no_features).is_none())
                && selection.takes_check(rule)
        });
        let mut plan = Self {
            clauses,
            without_scenario,
            scenarios,
            skipped,
            invariants,
            known_failures: Vec::new(),
            repetitions: 1,
            remainder,
        };
        plan.leave_to_others(selection, &elsewhere);
        plan
    }

    /// Removes the clauses whose scenarios run elsewhere. A clause without a scenario belongs to the shard of its id.
    fn leave_to_others(&mut self, selection: &Selection, elsewhere: &HashSet<ClauseId>) {
        if selection.shard.is_none() && selection.only.is_none() {
            return;
        }
        let scenarios = self.scenarios.iter().chain(self.skipped.iter().map(|(scenario, _)| scenario));
        let mut here: HashSet<ClauseId> = scenarios.flat_map(|scenario| scenario.clauses.clone()).collect();
        here.extend(self.invariants.iter().map(|rule| rule.clause.into()));
        self.clauses.retain(|clause| {
            let nowhere = !elsewhere.contains(&clause.id) && selection.only.is_none();
            let ours = || selection.shard.is_some_and(|shard| shard.holds(clause.id.as_str()));
            here.contains(&clause.id) || (nowhere && ours())
        });
        self.without_scenario.retain(|id| self.clauses.iter().any(|clause| clause.id == *id));
    }

    /// The executions of the scenarios, the repetitions of each in a row.
    pub(crate) fn executions(&self) -> impl Iterator<Item = Scenario> {
        self.scenarios.iter().flat_map(|scenario| std::iter::repeat_n(scenario.clone(), self.times(scenario)))
    }

    /// How often a scenario runs.
    pub(crate) fn times(&self, scenario: &Scenario) -> usize {
        if scenario.turn == Turn::Last { 1 } else { self.repetitions }
    }

    /// The known failures of the plan, on a day.
    pub(crate) fn known_failures_on(&self, today: Date, causes_of: CausesOf) -> KnownFailures {
        KnownFailures::new(self.known_failures.clone(), self.remainder.clone(), today, causes_of)
    }

    /// Shuffles the scenarios by a seed.
    pub fn shuffle(&mut self, seed: u64) {
        fastrand::Rng::with_seed(seed).shuffle(&mut self.scenarios);
    }

    /// The resource under test that the user named, if a scenario runs on it.
    pub(crate) fn subject(&self) -> Option<&ResourceUnderTest> {
        self.scenarios.iter().find_map(|scenario| match &scenario.subject {
            Subject::Named(subject) => Some(subject.as_ref()),
            _ => None,
        })
    }

    /// Whether no scenario changes the server.
    pub fn read_only(&self) -> bool {
        self.scenarios.iter().all(|scenario| scenario.read_only)
    }
}

/// The observable clauses in scope without a scenario.
fn without_scenario(clauses: &[Clause], suites: &[Suite]) -> Vec<ClauseId> {
    let tested = tested_clauses(suites);
    let without_scenario = |clause: &&Clause| clause.observable() && !tested.contains(clause.id.as_str());
    clauses.iter().filter(without_scenario).map(|clause| clause.id.clone()).collect()
}
