//! What to run, and why the rest is not asked. Made before the first request of a scenario.

mod known_failures;
mod profile;
mod shard;
mod subject;
#[cfg(test)]
mod tests;

use std::collections::{HashMap, HashSet};

use crate::ambient::Ambient;
use crate::clause::{Catalogue, Clause, ClauseId, Level};
use crate::known_failure::KnownFailure;
use crate::scenario::{Scenario, ScenarioId, Subject, Turn};
use crate::shape::{Given, Shape};
use crate::suite::{Suite, answered};
use crate::target::Survey;

pub(crate) use known_failures::KnownFailures;
pub use profile::Profile;
pub use shard::{NotAShard, Shard};

use known_failures::Remainder;

/// What the user chose.
#[derive(Debug, Clone, Default)]
pub struct Selection {
    /// Only these areas; all if empty.
    pub areas: Vec<String>,
    /// Only clauses or scenarios that match one of these patterns; all if empty.
    pub clauses: Vec<String>,
    /// None of the clauses or scenarios that match one of these patterns.
    pub skip: Vec<String>,
    /// Only these levels; all if empty.
    pub levels: Vec<Level>,
    /// How much of what is chosen otherwise.
    pub profile: Profile,
    /// Features that the user declares absent.
    pub no_features: Vec<String>,
    /// Only what changes nothing on the server.
    pub read_only: bool,
    /// The type of which generic scenarios are asked, instead of those that we know.
    pub subject: Option<Given>,
    /// Only this part of what is chosen otherwise. Rules for every exchange are in every part.
    pub shard: Option<Shard>,
    /// Only these of what is chosen otherwise, and then also those that are not in the core profile.
    pub only: Option<HashSet<ScenarioId>>,
}

/// The selection names something that does not exist.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum SelectionError {
    /// No such area.
    #[error("there is no area {0:?}; `kube-assay list clauses` shows all")]
    Area(String),
    /// No clause or scenario matches.
    #[error("no clause or scenario matches {0:?}; `kube-assay list clauses` shows all")]
    Clause(String),
}

/// What is asked, and what is not.
#[derive(Debug, Clone)]
pub struct Plan {
    /// The clauses in scope, in the catalogue's order.
    pub clauses: Vec<Clause>,
    /// The observable clauses in scope that no suite has a scenario for.
    pub without_scenario: Vec<ClauseId>,
    /// The scenarios to run.
    pub scenarios: Vec<Scenario>,
    /// The scenarios in scope that are not asked, each with the reason.
    pub skipped: Vec<(Scenario, String)>,
    /// The rules for every exchange and every stream.
    pub ambient: Vec<Ambient>,
    /// The known failures that apply to this target.
    pub known_failures: Vec<KnownFailure>,
    /// How often each scenario is asked; one that the server does not survive is asked once all the same.
    pub repetitions: usize,
    remainder: Remainder,
}

impl Selection {
    /// Whether a rule for every exchange is judged: in every part, or if it is named.
    fn takes_rule(&self, rule: &Ambient) -> bool {
        let id = ScenarioId::of_ambient(&rule.clause.into());
        self.only.as_ref().is_none_or(|only| only.contains(&id))
    }

    /// Refuses names that match nothing, so that a typing error is not an empty run.
    pub fn check(&self, catalogue: &Catalogue, suites: &[Suite]) -> Result<(), SelectionError> {
        for area in &self.areas {
            if !catalogue.areas().iter().any(|known| known.name == *area) {
                return Err(SelectionError::Area(area.clone()));
            }
        }
        let scenarios = || suites.iter().flat_map(|suite| &suite.scenarios);
        for pattern in self.clauses.iter().chain(&self.skip) {
            let named = self.without_subject(pattern);
            let clause = catalogue.clauses().any(|clause| matches(named, clause.id.as_str()));
            if !clause && !scenarios().any(|scenario| matches(pattern, scenario.id.as_str())) {
                return Err(SelectionError::Clause(pattern.clone()));
            }
        }
        Ok(())
    }

    /// Whether a clause is in scope.
    pub fn includes(&self, clause: &Clause) -> bool {
        let id = clause.id.as_str();
        let of = |pattern: &String| {
            matches(pattern.split_once('/').map_or(pattern.as_str(), |(clause, _)| clause), id)
        };
        self.profile.holds(clause)
            && (self.areas.is_empty() || self.areas.contains(&clause.area))
            && (self.levels.is_empty() || self.levels.contains(&clause.level))
            && (self.clauses.is_empty() || self.clauses.iter().any(of))
            && !self.skip.iter().any(|pattern| matches(pattern, id))
    }

    /// Whether a clause is in scope, and the questions that begin with it are in the part that is asked.
    pub fn lists(&self, clause: &Clause) -> bool {
        self.includes(clause) && self.shard.is_none_or(|shard| shard.holds(clause.id.as_str()))
    }

    fn asks(&self, scenario: &Scenario) -> bool {
        let names = |pattern: &String| {
            matches(pattern, scenario.id.as_str())
                || scenario.clauses.iter().any(|clause| matches(pattern, clause.as_str()))
        };
        (self.clauses.is_empty() || self.clauses.iter().any(names))
            && !self.skip.iter().any(|pattern| matches(pattern, scenario.id.as_str()))
    }

    /// Whether a scenario is in the part that is asked of all that is chosen otherwise.
    pub fn takes(&self, scenario: &ScenarioId) -> bool {
        self.shard.is_none_or(|shard| shard.holds(scenario.clause()))
            && self.only.as_ref().is_none_or(|only| only.contains(scenario))
    }

    /// Why a scenario is left out by what was chosen, whatever the server.
    fn reason_of_choice(&self, scenario: &Scenario) -> Option<String> {
        if !self.bears(scenario) {
            return Some("only in --profile full".to_owned());
        }
        let writes = self.read_only && !scenario.read_only;
        writes.then(|| "it writes, and --read-only was given".to_owned())
    }

    fn reason_against(&self, scenario: &Scenario, clauses: &[&Clause], survey: &Survey) -> Option<String> {
        if let Some(reason) = self.reason_against_subject(scenario, survey) {
            return Some(reason);
        }
        let against = |clause: &&Clause| reason_against(clause, survey, &self.no_features);
        let reasons: Option<Vec<String>> = clauses.iter().map(against).collect();
        reasons?.into_iter().next()
    }
}

fn reason_against(clause: &Clause, survey: &Survey, no_features: &[String]) -> Option<String> {
    if no_features.contains(&clause.feature) {
        return Some(format!("{} was declared absent with --no-feature", clause.feature));
    }
    let (since, version) = (clause.since?, survey.version?);
    (since > version).then(|| format!("since {since}, and this server is {version}"))
}

impl Plan {
    /// Applies a selection.
    pub fn new(catalogue: &Catalogue, suites: Vec<Suite>, selection: &Selection, survey: &Survey) -> Self {
        let clauses: Vec<Clause> =
            catalogue.clauses().filter(|clause| selection.includes(clause)).cloned().collect();
        let by_id: HashMap<&str, &Clause> =
            clauses.iter().map(|clause| (clause.id.as_str(), clause)).collect();
        let in_scope = |id: &str| by_id.get(id).copied();
        let without_scenario = without_scenario(&clauses, &suites);
        let mut remainder = Remainder::of(catalogue, &suites);
        let mut elsewhere = HashSet::new();
        let (mut scenarios, mut skipped, mut ambient) = (Vec::new(), Vec::new(), Vec::new());
        for suite in suites {
            ambient.extend(suite.ambient.into_iter().filter(|rule| in_scope(rule.clause).is_some()));
            for scenario in subject::chosen(suite.scenarios, selection.subject.as_ref(), survey) {
                remainder.meet(&scenario);
                let answers: Vec<&Clause> =
                    scenario.clauses.iter().filter_map(|id| in_scope(id.as_str())).collect();
                if answers.is_empty() || !selection.asks(&scenario) {
                    remainder.leave_out(&scenario);
                } else if !selection.takes(&scenario.id) {
                    remainder.leave_out(&scenario);
                    elsewhere.extend(scenario.clauses);
                } else if let Some(reason) = selection.reason_of_choice(&scenario) {
                    remainder.leave_out(&scenario);
                    skipped.push((scenario, reason));
                } else {
                    match selection.reason_against(&scenario, &answers, survey) {
                        Some(reason) => skipped.push((scenario, reason)),
                        None => scenarios.push(scenario),
                    }
                }
            }
        }
        ambient.retain(|rule| {
            in_scope(rule.clause)
                .is_some_and(|clause| reason_against(clause, survey, &selection.no_features).is_none())
                && selection.takes_rule(rule)
        });
        let mut plan = Self {
            clauses,
            without_scenario,
            scenarios,
            skipped,
            ambient,
            known_failures: Vec::new(),
            repetitions: 1,
            remainder,
        };
        plan.leave_to_others(selection, &elsewhere);
        plan
    }

    /// Takes the clauses out of scope that others answer: the scenarios of other parts. Where no scenario answers a
    /// clause, the part says so that it would be in.
    fn leave_to_others(&mut self, selection: &Selection, elsewhere: &HashSet<ClauseId>) {
        if selection.shard.is_none() && selection.only.is_none() {
            return;
        }
        let asked = self.scenarios.iter().chain(self.skipped.iter().map(|(scenario, _)| scenario));
        let mut here: HashSet<ClauseId> = asked.flat_map(|scenario| scenario.clauses.clone()).collect();
        here.extend(self.ambient.iter().map(|rule| rule.clause.into()));
        self.clauses.retain(|clause| {
            let nowhere = !elsewhere.contains(&clause.id) && selection.only.is_none();
            let ours = || selection.shard.is_some_and(|shard| shard.holds(clause.id.as_str()));
            here.contains(&clause.id) || (nowhere && ours())
        });
        self.without_scenario.retain(|id| self.clauses.iter().any(|clause| clause.id == *id));
    }

    /// The scenarios, each as often as it is asked, its repetitions side by side.
    pub(crate) fn executions(&self) -> impl Iterator<Item = Scenario> {
        self.scenarios.iter().flat_map(|scenario| std::iter::repeat_n(scenario.clone(), self.times(scenario)))
    }

    /// How often a scenario is asked.
    pub(crate) fn times(&self, scenario: &Scenario) -> usize {
        if scenario.turn == Turn::Last { 1 } else { self.repetitions }
    }

    /// Puts the scenarios into the order that a seed gives.
    pub fn shuffle(&mut self, seed: u64) {
        fastrand::Rng::with_seed(seed).shuffle(&mut self.scenarios);
    }

    /// How the objects of the subject are written that the user named, if a scenario is asked of it.
    pub(crate) fn subject(&self) -> Option<&Shape> {
        self.scenarios.iter().find_map(|scenario| match &scenario.subject {
            Subject::Given(shape) => Some(&**shape),
            _ => None,
        })
    }

    /// Whether nothing of it changes the server.
    pub fn read_only(&self) -> bool {
        self.scenarios.iter().all(|scenario| scenario.read_only)
    }
}

/// The observable clauses in scope that no suite answers.
fn without_scenario(clauses: &[Clause], suites: &[Suite]) -> Vec<ClauseId> {
    let answered = answered(suites);
    let unanswered = |clause: &&Clause| clause.observable() && !answered.contains(clause.id.as_str());
    clauses.iter().filter(unanswered).map(|clause| clause.id.clone()).collect()
}

/// Whether a name matches a pattern in which `*` stands for any characters.
pub fn matches(pattern: &str, name: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == name,
        Some((head, rest)) => name.strip_prefix(head).is_some_and(|tail| {
            tail.char_indices().map(|(at, _)| at).chain([tail.len()]).any(|at| matches(rest, &tail[at..]))
        }),
    }
}
