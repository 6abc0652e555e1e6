//! What a server without a fault was found to be.

use std::collections::BTreeMap;

use harness::{ClauseId, Obstacle, Outcome, ScenarioFinished, Tally, matches};

/// Why a right server may leave a scenario unasked that the reference server is made for: `*` stands for any characters.
const GOOD_REASONS: &[&str] = &["this server heeds shardSelector", "since 1.37*", "since 1.38*"];

/// The scenarios that can be asked, and what is wrong with a right server.
#[derive(Debug)]
pub(super) struct Right {
    /// How the server names itself.
    pub(super) server: String,
    /// The scenarios that passed, each with the clauses that it answers.
    pub(super) passed: BTreeMap<String, Vec<ClauseId>>,
    /// How many were asked.
    pub(super) executed: usize,
    /// What did not pass, and what was left behind, a line each.
    pub(super) wrong: Vec<String>,
    /// The test error that makes the result inconclusive.
    pub(super) unknown: Option<Obstacle>,
}

impl Right {
    /// Of a server that may lack what is optional; the reference may not.
    pub(super) fn of(tally: &Tally, lacks_nothing: bool) -> Self {
        let good = |outcome: &Outcome| match outcome {
            Outcome::Passed => true,
            Outcome::Skipped { reason } => {
                !lacks_nothing || GOOD_REASONS.iter().any(|pattern| matches(pattern, reason))
            }
            Outcome::Failed { .. } | Outcome::Errored { .. } => false,
        };
        let scenarios = tally.scenarios();
        let passed = scenarios.iter().filter(|one| one.outcome == Outcome::Passed);
        let bad = scenarios.iter().filter(|one| !good(&one.outcome)).map(line);
        let left = tally.finished().into_iter().flat_map(|finished| &finished.leftovers);
        Self {
            server: tally.started().map(|started| started.target.address.clone()).unwrap_or_default(),
            passed: passed.map(|one| (one.scenario.to_string(), one.clauses.clone())).collect(),
            executed: tally.executed(),
            wrong: bad.chain(left.map(|path| format!("{path} was left behind"))).collect(),
            unknown: None,
        }
    }

    /// Of one that cannot be asked.
    pub(super) fn unknown(obstacle: Obstacle) -> Self {
        Self {
            server: String::new(),
            passed: BTreeMap::new(),
            executed: 0,
            wrong: Vec::new(),
            unknown: Some(obstacle),
        }
    }
}

fn line(one: &ScenarioFinished) -> String {
    format!("{} {}", one.scenario, said(&one.outcome))
}

/// An outcome in words, behind the name of its scenario.
pub(super) fn said(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Passed => "passed".to_owned(),
        Outcome::Failed { failure } => format!("failed: {}, not {}", failure.expected, failure.actual),
        Outcome::Skipped { reason } => format!("was skipped: {reason}"),
        Outcome::Errored { obstacle } => obstacle.to_string(),
    }
}
