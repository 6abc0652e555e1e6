//! What came of a scenario, and what that says about its clauses.
//!
//! "It is wrong" and "I could not find out" are different answers, from the first type to the exit code.

use std::fmt;

use serde::{Deserialize, Serialize};

/// What ends a scenario early: the error type of every step, so that `?` carries it out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Halt {
    /// The server broke the clause.
    Failed(Failure),
    /// The question does not arise here, for this reason.
    Skipped(String),
    /// The question could not be put, or the answer not be read.
    Errored(Obstacle),
}

/// What was legal, what came, and the exchange that shows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    /// All that a right server may have answered.
    pub expected: String,
    /// What this server answered.
    pub actual: String,
    /// The position, among the scenario's exchanges, of the one that shows it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exchange: Option<usize>,
}

/// Why the question could not be put: it says nothing about whether the server is right.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Obstacle {
    /// What was attempted, and on what.
    pub attempted: String,
    /// Why it failed.
    pub why: String,
    /// What to do about it; empty where nothing better than the cause can be said.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub advice: String,
}

impl Obstacle {
    /// An obstacle without advice.
    pub fn new(attempted: impl Into<String>, why: impl Into<String>) -> Self {
        Self { attempted: attempted.into(), why: why.into(), advice: String::new() }
    }

    /// Adds what the user can do.
    pub fn advise(mut self, advice: impl Into<String>) -> Self {
        self.advice = advice.into();
        self
    }
}

impl fmt::Display for Obstacle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "could not {}: {}", self.attempted, self.why)?;
        if self.advice.is_empty() { Ok(()) } else { write!(f, "; {}", self.advice) }
    }
}

impl std::error::Error for Obstacle {}

impl From<Obstacle> for Halt {
    fn from(obstacle: Obstacle) -> Self {
        Self::Errored(obstacle)
    }
}

/// One scenario, run once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "outcome")]
pub enum Outcome {
    /// The server kept the clause.
    Passed,
    /// The server broke it.
    Failed {
        /// How.
        failure: Failure,
    },
    /// Not asked.
    Skipped {
        /// Why not.
        reason: String,
    },
    /// Asked in vain.
    Errored {
        /// What stood in the way.
        obstacle: Obstacle,
    },
}

impl From<Result<(), Halt>> for Outcome {
    fn from(result: Result<(), Halt>) -> Self {
        match result {
            Ok(()) => Self::Passed,
            Err(Halt::Failed(failure)) => Self::Failed { failure },
            Err(Halt::Skipped(reason)) => Self::Skipped { reason },
            Err(Halt::Errored(obstacle)) => Self::Errored { obstacle },
        }
    }
}

/// What all outcomes of a clause's scenarios say together.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "verdict")]
pub enum Verdict {
    /// At least one scenario passed, and none failed or errored.
    Upheld,
    /// At least one scenario failed.
    Violated,
    /// None failed, and at least one could not find out.
    Undetermined,
    /// No scenario was asked.
    Untested {
        /// The reason of the first that was skipped.
        reason: String,
    },
}

impl Verdict {
    /// Folds a clause's outcomes; of none at all nothing is known.
    pub fn of<'a>(outcomes: impl IntoIterator<Item = &'a Outcome>) -> Self {
        let mut verdict = Self::Untested { reason: "no scenario asks it yet".to_owned() };
        let mut asked = false;
        for outcome in outcomes {
            verdict = match (outcome, verdict) {
                (Outcome::Failed { .. }, _) | (_, Self::Violated) => Self::Violated,
                (Outcome::Errored { .. }, _) | (_, Self::Undetermined) => Self::Undetermined,
                (Outcome::Passed, _) | (_, Self::Upheld) => Self::Upheld,
                (Outcome::Skipped { reason }, _) if !asked => Self::Untested { reason: reason.clone() },
                (Outcome::Skipped { .. }, untested) => untested,
            };
            asked = true;
        }
        verdict
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failed() -> Outcome {
        Outcome::Failed {
            failure: Failure { expected: String::new(), actual: String::new(), exchange: None },
        }
    }

    fn errored() -> Outcome {
        Outcome::Errored { obstacle: Obstacle::new("a", "b") }
    }

    fn skipped(reason: &str) -> Outcome {
        Outcome::Skipped { reason: reason.to_owned() }
    }

    #[test]
    fn the_gravest_outcome_decides_whatever_the_order() {
        let all = [skipped("s"), Outcome::Passed, errored(), failed()];
        assert_eq!(Verdict::of(&all), Verdict::Violated);
        assert_eq!(Verdict::of(all.iter().rev()), Verdict::Violated);
        assert_eq!(Verdict::of(&all[..3]), Verdict::Undetermined);
        assert_eq!(Verdict::of(all[..3].iter().rev()), Verdict::Undetermined);
        assert_eq!(Verdict::of(&all[..2]), Verdict::Upheld);
        assert_eq!(Verdict::of(all[..2].iter().rev()), Verdict::Upheld);
    }

    #[test]
    fn what_was_not_asked_says_why() {
        let reasons = [skipped("first"), skipped("second")];
        assert_eq!(Verdict::of(&reasons), Verdict::Untested { reason: "first".to_owned() });
        assert!(matches!(Verdict::of([]), Verdict::Untested { .. }));
    }

    #[test]
    fn an_obstacle_reads_as_one_sentence() {
        let obstacle = Obstacle::new("reach https://x", "connection refused").advise("start the server");
        assert_eq!(obstacle.to_string(), "could not reach https://x: connection refused; start the server");
    }
}
