//! What a server without a fault was found to be.

use std::collections::BTreeMap;

use harness::{Outcome, ScenarioFinished, Tally, TestError, matches};

/// Why a right server may leave a scenario unasked that the reference server is made for: `*` stands for any characters.
const GOOD_REASONS: &[&str] = &["this server supports shardSelector", "since 1.37*", "since 1.38*"];

/// How the scenarios ended on a right server.
#[derive(Debug, Clone)]
pub struct Right {
    /// How the server names itself.
    pub(super) server: String,
    /// How each scenario ended, by its id.
    pub(super) scenarios: BTreeMap<String, ScenarioFinished>,
    /// The paths of what the run created and did not remove.
    pub left_behind: Vec<String>,
    /// Whether the server offers all that scenarios need: the reference does.
    pub(super) lacks_nothing: bool,
    /// The test error that makes the result inconclusive.
    pub unknown: Option<TestError>,
}

impl Right {
    /// Of a server that may lack what is optional; the reference may not.
    pub(super) fn of(tally: &Tally, lacks_nothing: bool) -> Self {
        let scenarios = tally.scenarios().iter().map(|one| (one.scenario.to_string(), one.clone()));
        Self {
            server: tally.started().map(|started| started.target.address.clone()).unwrap_or_default(),
            scenarios: scenarios.collect(),
            left_behind: tally.finished().map(|finished| finished.leftovers.clone()).unwrap_or_default(),
            lacks_nothing,
            unknown: None,
        }
    }

    /// Of a server that does not respond.
    pub(super) fn unknown(test_error: TestError) -> Self {
        Self {
            server: String::new(),
            scenarios: BTreeMap::new(),
            left_behind: Vec::new(),
            lacks_nothing: false,
            unknown: Some(test_error),
        }
    }

    /// How a scenario ended; `None` if it did not run.
    pub fn scenario(&self, id: &str) -> Option<&ScenarioFinished> {
        self.scenarios.get(id)
    }

    /// Whether a scenario may end like this on a right server.
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

    /// How many scenarios ran.
    pub(super) fn executed(&self) -> usize {
        self.scenarios.values().filter(|one| !matches!(one.outcome, Outcome::Skipped { .. })).count()
    }

    /// What did not pass, and what was left behind, a line each.
    pub(super) fn wrong(&self) -> Vec<String> {
        let bad = self.scenarios.values().filter(|one| !self.accepts(&one.outcome));
        let bad = bad.map(|one| format!("{} {}", one.scenario, describe(&one.outcome)));
        bad.chain(self.left_behind.iter().map(|path| format!("{path} was left behind"))).collect()
    }
}

/// An outcome in words, behind the name of its scenario.
pub(super) fn describe(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Passed => "passed".to_owned(),
        Outcome::Failed { failure } => format!("failed: {}, not {}", failure.expected, failure.actual),
        Outcome::Skipped { reason } => format!("was skipped: {reason}"),
        Outcome::Errored { test_error } => test_error.to_string(),
    }
}
