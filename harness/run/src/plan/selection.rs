//! The user's selection of clauses and scenarios.

use std::collections::HashSet;

use super::profile::Profile;
use super::shard::Shard;
use model::{Catalogue, Clause, ClauseId, Level, ScenarioId, SubjectSpec, TargetInfo, matches};

use crate::invariant::Invariant;
use crate::scenario::Scenario;
use crate::suite::Suite;

/// The feature of the clauses about several servers behind one store.
pub const REPLICAS_FEATURE: &str = "Replicas";

/// The user's selection of clauses and scenarios.
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
    /// Only these clauses, those of a requirement set; all if there is none.
    pub required: Option<HashSet<ClauseId>>,
    /// How much of the selection runs.
    pub profile: Profile,
    /// Features that the user declares absent.
    pub no_features: Vec<String>,
    /// Only scenarios that change nothing on the server.
    pub read_only: bool,
    /// The type that generic scenarios run on, instead of the default ones.
    pub subject: Option<SubjectSpec>,
    /// Only this shard of the selection. Every shard has all invariant checks.
    pub shard: Option<Shard>,
    /// Only these scenarios of the selection, including those outside of the core profile.
    pub only: Option<HashSet<ScenarioId>>,
}

/// The selection names something that does not exist.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum SelectionError {
    /// No area has this name.
    #[error("there is no area {0:?}; `kube-assay list clauses` shows all")]
    Area(String),
    /// No clause or scenario matches.
    #[error("no clause or scenario matches {0:?}; `kube-assay list clauses` shows all")]
    Clause(String),
}

impl Selection {
    /// Whether an invariant check runs: in every shard, or if it is named.
    pub(super) fn takes_check(&self, check: &Invariant) -> bool {
        let id = ScenarioId::of_invariant(&check.clause.into());
        self.only.as_ref().is_none_or(|only| only.contains(&id))
    }

    /// Refuses names that match nothing: a typing error must not lead to an empty run.
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
            && self.required.as_ref().is_none_or(|required| required.contains(&clause.id))
            && (self.areas.is_empty() || self.areas.contains(&clause.area))
            && (self.levels.is_empty() || self.levels.contains(&clause.level))
            && (self.clauses.is_empty() || self.clauses.iter().any(of))
            && !self.skip.iter().any(|pattern| matches(pattern, id))
    }

    /// Whether a clause is in scope, and its scenarios are in the shard.
    pub fn lists(&self, clause: &Clause) -> bool {
        self.includes(clause) && self.shard.is_none_or(|shard| shard.holds(clause.id.as_str()))
    }

    pub(super) fn selects(&self, scenario: &Scenario) -> bool {
        let names = |pattern: &String| {
            matches(pattern, scenario.id.as_str())
                || scenario.clauses.iter().any(|clause| matches(pattern, clause.as_str()))
        };
        (self.clauses.is_empty() || self.clauses.iter().any(names))
            && !self.skip.iter().any(|pattern| matches(pattern, scenario.id.as_str()))
    }

    /// Whether a scenario is in the shard, and among the named ones.
    pub fn takes(&self, scenario: &ScenarioId) -> bool {
        self.shard.is_none_or(|shard| shard.holds(scenario.clause()))
            && self.only.as_ref().is_none_or(|only| only.contains(scenario))
    }

    /// Whether the profile runs a scenario: only the full one runs slow and heavy scenarios.
    pub fn profile_allows(&self, scenario: &Scenario) -> bool {
        !scenario.full_only || self.profile == Profile::Full || self.only.is_some()
    }

    /// Why the selection skips a scenario on every server.
    pub(super) fn reason_to_skip(&self, scenario: &Scenario) -> Option<String> {
        if !self.profile_allows(scenario) {
            return Some("only in --profile full".to_owned());
        }
        let writes = self.read_only && !scenario.read_only;
        writes.then(|| "the scenario writes, and --read-only is set".to_owned())
    }

    pub(super) fn reason_against(
        &self,
        scenario: &Scenario,
        clauses: &[&Clause],
        target_info: &TargetInfo,
    ) -> Option<String> {
        if let Some(reason) = self.reason_against_subject(scenario, target_info) {
            return Some(reason);
        }
        let against = |clause: &&Clause| reason_against(clause, target_info, &self.no_features);
        let reasons: Option<Vec<String>> = clauses.iter().map(against).collect();
        reasons?.into_iter().next()
    }
}

/// Why a clause does not apply to a server.
pub(super) fn reason_against(
    clause: &Clause,
    target_info: &TargetInfo,
    no_features: &[String],
) -> Option<String> {
    if no_features.contains(&clause.feature) {
        return Some(format!("--no-feature declares {} absent", clause.feature));
    }
    if clause.feature == REPLICAS_FEATURE && target_info.replicas.is_empty() {
        return Some(
            "the run has one server; --replica names another one of the same control plane".to_owned(),
        );
    }
    let (since, version) = (clause.since?, target_info.version?);
    (since > version).then(|| format!("since {since}, and this server is {version}"))
}
