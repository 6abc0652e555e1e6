//! What came of a scenario, and what that says about its clauses.
//!
//! "It is wrong" and "I could not find out" are different answers, from the first type to the exit code.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::known::Known;

/// What a scenario, or a step of it, ends with.
pub type Checked = Result<(), Halt>;

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

/// How often a scenario that was asked more than once ended in which way.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Repetitions {
    /// The server kept the clause.
    pub passed: usize,
    /// It broke it.
    pub failed: usize,
    /// It could not be found out.
    pub errored: usize,
    /// Not asked.
    pub skipped: usize,
}

impl Repetitions {
    /// Counts one more.
    pub(crate) fn add(&mut self, outcome: &Outcome) {
        *match outcome {
            Outcome::Passed => &mut self.passed,
            Outcome::Failed { .. } => &mut self.failed,
            Outcome::Errored { .. } => &mut self.errored,
            Outcome::Skipped { .. } => &mut self.skipped,
        } += 1;
    }

    /// How often it was asked or skipped in all.
    pub fn total(self) -> usize {
        self.passed + self.failed + self.errored + self.skipped
    }

    /// Whether the same question was answered in more than one way. Not to be asked is no answer.
    pub fn flaky(self) -> bool {
        [self.passed, self.failed, self.errored].into_iter().filter(|count| *count > 0).count() > 1
    }
}

impl fmt::Display for Repetitions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let counts = [
            (self.passed, "passed"),
            (self.failed, "failed"),
            (self.errored, "could not find out"),
            (self.skipped, "not asked"),
        ];
        let said: Vec<String> = counts
            .iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, word)| format!("{count} {word}"))
            .collect();
        write!(f, "of {} repetitions: {}", self.total(), said.join(", "))
    }
}

/// Why a clause is untested that is in scope, and that no suite asks.
pub const NO_SCENARIO: &str = "no scenario yet";

/// What all outcomes of a clause's scenarios say together; of one scenario, what its own outcome says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "verdict")]
pub enum Verdict {
    /// At least one scenario passed, and none failed or errored.
    Upheld,
    /// At least one scenario failed, and that was not known.
    Violated,
    /// At least one scenario was not answered alike whenever it was asked, and none failed each time unless that was
    /// known.
    Flaky,
    /// All that failed was known to, and nothing else is wrong.
    Known {
        /// Why the first of them was expected to.
        known: Known,
    },
    /// At least one could not find out, and none failed but what was known to.
    Undetermined,
    /// No scenario was asked.
    Untested {
        /// The reason of the first that was skipped.
        reason: String,
    },
}

impl Verdict {
    /// Folds the verdicts of a clause's scenarios: the gravest decides, the first of those that are alike. Of none at
    /// all nothing is known.
    pub fn of(verdicts: impl IntoIterator<Item = Self>) -> Self {
        let graver = |worst: Self, next: Self| if next.gravity() > worst.gravity() { next } else { worst };
        let none = || Self::Untested { reason: NO_SCENARIO.to_owned() };
        verdicts.into_iter().reduce(graver).unwrap_or_else(none)
    }

    /// The greater, the graver.
    pub(crate) fn gravity(&self) -> u8 {
        match self {
            Self::Untested { .. } => 0,
            Self::Upheld => 1,
            Self::Known { .. } => 2,
            Self::Undetermined => 3,
            Self::Flaky => 4,
            Self::Violated => 5,
        }
    }
}

impl From<&Outcome> for Verdict {
    /// Of a scenario of which nothing else is known.
    fn from(outcome: &Outcome) -> Self {
        match outcome {
            Outcome::Passed => Self::Upheld,
            Outcome::Failed { .. } => Self::Violated,
            Outcome::Errored { .. } => Self::Undetermined,
            Outcome::Skipped { reason } => Self::Untested { reason: reason.clone() },
        }
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

    fn known() -> Verdict {
        Verdict::Known { known: Known { reason: "r".to_owned(), link: "l".to_owned() } }
    }

    #[test]
    fn the_gravest_decides_whatever_the_order() {
        let of = |outcome: &Outcome| Verdict::from(outcome);
        let by_gravity =
            [of(&skipped("s")), of(&Outcome::Passed), known(), of(&errored()), Verdict::Flaky, of(&failed())];
        for (at, gravest) in by_gravity.iter().enumerate() {
            let so_far = &by_gravity[..=at];
            assert_eq!(Verdict::of(so_far.iter().cloned()), *gravest);
            assert_eq!(Verdict::of(so_far.iter().rev().cloned()), *gravest);
        }
        assert_eq!(by_gravity[5], Verdict::Violated);
        assert_eq!(by_gravity[3], Verdict::Undetermined);
        assert_eq!(by_gravity[1], Verdict::Upheld);
    }

    #[test]
    fn what_was_not_asked_says_why() {
        let reasons = [skipped("first"), skipped("second")];
        let verdict = Verdict::of(reasons.iter().map(Verdict::from));
        assert_eq!(verdict, Verdict::Untested { reason: "first".to_owned() });
        assert!(matches!(Verdict::of([]), Verdict::Untested { .. }));
    }

    #[test]
    fn two_answers_to_one_question_are_flaky() {
        let of = |outcomes: &[Outcome]| {
            let mut repetitions = Repetitions::default();
            for outcome in outcomes {
                repetitions.add(outcome);
            }
            repetitions
        };
        assert!(of(&[Outcome::Passed, failed()]).flaky());
        assert!(of(&[errored(), Outcome::Passed, errored()]).flaky());
        assert!(!of(&[failed(), failed()]).flaky());
        assert!(!of(&[skipped("not yet"), Outcome::Passed]).flaky());
        let said = of(&[Outcome::Passed, failed(), Outcome::Passed]).to_string();
        assert_eq!(said, "of 3 repetitions: 2 passed, 1 failed");
    }

    #[test]
    fn an_obstacle_reads_as_one_sentence() {
        let obstacle = Obstacle::new("reach https://x", "connection refused").advise("start the server");
        assert_eq!(obstacle.to_string(), "could not reach https://x: connection refused; start the server");
    }
}
