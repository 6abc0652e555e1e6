//! What to run, and why the rest is not asked. Made before the first request of a scenario.

mod subject;

use crate::ambient::Ambient;
use crate::clause::{Catalogue, Clause, Level};
use crate::scenario::{Scenario, Subject};
use crate::shape::Given;
use crate::suite::Suite;
use crate::target::Survey;

/// What the user chose.
#[derive(Debug, Clone, Default)]
pub struct Selection {
    /// Only these areas; all that have a suite if empty.
    pub areas: Vec<String>,
    /// Only clauses or scenarios that match one of these patterns; all if empty.
    pub clauses: Vec<String>,
    /// None of the clauses or scenarios that match one of these patterns.
    pub skip: Vec<String>,
    /// Only these levels; all if empty.
    pub levels: Vec<Level>,
    /// Also what is too slow or heavy for the core profile.
    pub full: bool,
    /// Features that the user declares absent.
    pub no_features: Vec<String>,
    /// Only what changes nothing on the server.
    pub read_only: bool,
    /// The type of which generic scenarios are asked, instead of those that we know.
    pub subject: Option<Given>,
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
    /// The scenarios to run.
    pub scenarios: Vec<Scenario>,
    /// The scenarios in scope that are not asked, each with the reason.
    pub skipped: Vec<(Scenario, String)>,
    /// The rules for every exchange and every stream.
    pub ambient: Vec<Ambient>,
}

impl Selection {
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
        (self.areas.is_empty() || self.areas.contains(&clause.area))
            && (self.levels.is_empty() || self.levels.contains(&clause.level))
            && (self.clauses.is_empty() || self.clauses.iter().any(of))
            && !self.skip.iter().any(|pattern| matches(pattern, id))
    }

    fn asks(&self, scenario: &Scenario) -> bool {
        let names = |pattern: &String| {
            matches(pattern, scenario.id.as_str())
                || scenario.clauses.iter().any(|clause| matches(pattern, clause.as_str()))
        };
        (self.clauses.is_empty() || self.clauses.iter().any(names))
            && !self.skip.iter().any(|pattern| matches(pattern, scenario.id.as_str()))
    }

    fn reason_against(&self, scenario: &Scenario, clauses: &[&Clause], survey: &Survey) -> Option<String> {
        if scenario.full_only && !self.full {
            return Some("only in --profile full".to_owned());
        }
        if self.read_only && !scenario.read_only {
            return Some("it writes, and --read-only was given".to_owned());
        }
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
        let in_suites = |clause: &&Clause| {
            !selection.areas.is_empty() || suites.iter().any(|suite| suite.area == clause.area)
        };
        let clauses: Vec<Clause> = catalogue
            .clauses()
            .filter(in_suites)
            .filter(|clause| selection.includes(clause))
            .cloned()
            .collect();
        let in_scope = |id: &str| clauses.iter().find(|clause| clause.id.as_str() == id);
        let (mut scenarios, mut skipped, mut ambient) = (Vec::new(), Vec::new(), Vec::new());
        for suite in suites {
            ambient.extend(suite.ambient.into_iter().filter(|rule| in_scope(rule.clause).is_some()));
            for scenario in subject::chosen(suite.scenarios, selection.subject.as_ref(), survey) {
                let answers: Vec<&Clause> =
                    scenario.clauses.iter().filter_map(|id| in_scope(id.as_str())).collect();
                if answers.is_empty() || !selection.asks(&scenario) {
                    continue;
                }
                match selection.reason_against(&scenario, &answers, survey) {
                    Some(reason) => skipped.push((scenario, reason)),
                    None => scenarios.push(scenario),
                }
            }
        }
        ambient.retain(|rule| {
            in_scope(rule.clause)
                .is_some_and(|clause| reason_against(clause, survey, &selection.no_features).is_none())
        });
        Self { clauses, scenarios, skipped, ambient }
    }

    /// Puts the scenarios into the order that a seed gives.
    pub fn shuffle(&mut self, seed: u64) {
        fastrand::Rng::with_seed(seed).shuffle(&mut self.scenarios);
    }

    /// Whether all that it creates stands in no namespace.
    pub(crate) fn outside_of_namespaces(&self) -> bool {
        self.scenarios
            .iter()
            .all(|scenario| matches!(&scenario.subject, Subject::Given(shape) if !shape.namespaced))
    }

    /// Whether nothing of it changes the server.
    pub fn read_only(&self) -> bool {
        self.scenarios.iter().all(|scenario| scenario.read_only)
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_stands_for_any_characters() {
        assert!(matches("rv-list-*-unset*", "rv-list-exact-unset-invalid"));
        assert!(matches("*", ""));
        assert!(!matches("rv-*", "gone-rv-"));
        assert!(!matches("rv", "rv-list"));
        assert!(matches("*é", "aé"));
    }
}
