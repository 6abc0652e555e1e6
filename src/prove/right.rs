//! The results on the correct server.

use std::collections::BTreeMap;

use harness::{Outcome, ScenarioFinished, Tally, TestError, matches};

/// Legal reasons of a correct server to skip a scenario: `*` stands for any characters.
const GOOD_REASONS: &[&str] = &[
    "this server supports shardSelector",
    "the server offers CBOR",
    "since 1.37*",
    "since 1.38*",
    "since 1.39*",
    "since 1.40*",
    "* which 1.32 removes",
];

/// The results of the scenarios on a correct server.
#[derive(Debug, Clone)]
pub struct Right {
    /// The server's own name and version.
    pub(super) server: String,
    /// The result of each scenario, by its id.
    pub(super) scenarios: BTreeMap<String, ScenarioFinished>,
    /// The paths of the run's leftovers.
    pub left_behind: Vec<String>,
    /// Whether the server supports all features that scenarios need, as the reference does.
    pub(super) lacks_nothing: bool,
    /// The test error that makes the result inconclusive.
    pub unknown: Option<TestError>,
}

impl Right {
    /// The results on a server; the reference must support every feature.
    pub(super) fn of(tally: &Tally, lacks_nothing: bool) -> Self {
        let scenarios = tally.scenarios().map(|one| (one.scenario.to_string(), one.clone()));
        Self {
            server: tally.started().map(|started| started.target.address.clone()).unwrap_or_default(),
            scenarios: scenarios.collect(),
            left_behind: tally.finished().map(|finished| finished.leftovers.clone()).unwrap_or_default(),
            lacks_nothing,
            unknown: None,
        }
    }

    /// The result of a server that does not respond.
    pub(super) fn unknown(test_error: TestError) -> Self {
        Self {
            server: String::new(),
            scenarios: BTreeMap::new(),
            left_behind: Vec::new(),
            lacks_nothing: false,
            unknown: Some(test_error),
        }
    }

    /// The result of a scenario; `None` if it did not run.
    pub fn scenario(&self, id: &str) -> Option<&ScenarioFinished> {
        self.scenarios.get(id)
    }

    /// Whether this outcome is legal on a correct server.
    pub fn accepts(&self, outcome: &Outcome) -> bool {
        match outcome {
            Outcome::Passed => true,
            Outcome::Skipped { reason } => {
                !self.lacks_nothing || GOOD_REASONS.iter().any(|pattern| matches(pattern, reason))
            }
            Outcome::Failed { .. } | Outcome::Errored { .. } => false,
        }
    }

    /// The scenarios that passed.
    pub(super) fn passed(&self) -> impl Iterator<Item = &ScenarioFinished> {
        self.scenarios.values().filter(|one| one.outcome == Outcome::Passed)
    }

    pub(super) fn passes(&self, scenario: &str) -> bool {
        self.scenario(scenario).is_some_and(|one| one.outcome == Outcome::Passed)
    }

    /// The number of scenarios that ran.
    pub(super) fn executed(&self) -> usize {
        self.scenarios.values().filter(|one| !matches!(one.outcome, Outcome::Skipped { .. })).count()
    }

    /// The illegal outcomes and the leftovers, one per line.
    pub(super) fn wrong(&self) -> Vec<String> {
        let bad = self.scenarios.values().filter(|one| !self.accepts(&one.outcome));
        let bad = bad.map(|one| format!("{} {}", one.scenario, describe(&one.outcome)));
        bad.chain(self.left_behind.iter().map(|path| format!("{path} was left behind"))).collect()
    }
}

/// An outcome as text, after the name of its scenario.
pub(super) fn describe(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Passed => "passed".to_owned(),
        Outcome::Failed { failure } => format!("failed: {}, not {}", failure.expected, failure.actual),
        Outcome::Skipped { reason } => format!("was skipped: {reason}"),
        Outcome::Errored { test_error } => test_error.to_string(),
    }
}
