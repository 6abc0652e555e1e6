//! The outcomes of a scenario.
//!
//! A failure and a test error differ, from the first type to the exit code: only a failure is held against the server.

use std::fmt;

use serde::{Deserialize, Serialize};

/// What a scenario, or a step of it, ends with.
pub type Checked = Result<(), Halt>;

/// What ends a scenario early: the error type of every step, so that `?` carries it out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Halt {
    /// The server broke the clause.
    Failed(Failure),
    /// The question does not arise here, for this reason.
    Skipped(String),
    /// The question could not be put, or the response not be read.
    Errored(TestError),
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
pub struct TestError {
    /// What was attempted, and on what: a verb and its object.
    pub action: String,
    /// Why it failed.
    pub cause: String,
    /// What to do about it; empty where nothing better than the cause can be said.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub hint: String,
}

impl TestError {
    /// A test error without a hint.
    pub fn new(action: impl Into<String>, cause: impl Into<String>) -> Self {
        Self { action: action.into(), cause: cause.into(), hint: String::new() }
    }

    /// Adds what the user can do.
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = hint.into();
        self
    }
}

impl fmt::Display for TestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "failed to {}: {}", self.action, self.cause)?;
        if self.hint.is_empty() { Ok(()) } else { write!(f, "; hint: {}", self.hint) }
    }
}

impl std::error::Error for TestError {}

impl From<TestError> for Halt {
    fn from(test_error: TestError) -> Self {
        Self::Errored(test_error)
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
        test_error: TestError,
    },
}

impl From<Result<(), Halt>> for Outcome {
    fn from(result: Result<(), Halt>) -> Self {
        match result {
            Ok(()) => Self::Passed,
            Err(Halt::Failed(failure)) => Self::Failed { failure },
            Err(Halt::Skipped(reason)) => Self::Skipped { reason },
            Err(Halt::Errored(test_error)) => Self::Errored { test_error },
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
    /// It ended in a test error.
    pub errored: usize,
    /// It was skipped.
    pub skipped: usize,
}

impl Repetitions {
    /// Counts one more.
    pub fn add(&mut self, outcome: &Outcome) {
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

    /// Whether the same question was answered in more than one way. Not to be asked is no response.
    pub fn flaky(self) -> bool {
        [self.passed, self.failed, self.errored].into_iter().filter(|count| *count > 0).count() > 1
    }
}

impl fmt::Display for Repetitions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let counts = [
            (self.passed, "passed"),
            (self.failed, "failed"),
            (self.errored, "inconclusive"),
            (self.skipped, "skipped"),
        ];
        let said: Vec<String> = counts
            .iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, word)| format!("{count} {word}"))
            .collect();
        write!(f, "of {} repetitions: {}", self.total(), said.join(", "))
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
        Outcome::Errored { test_error: TestError::new("a", "b") }
    }

    fn skipped(reason: &str) -> Outcome {
        Outcome::Skipped { reason: reason.to_owned() }
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
    fn a_test_error_reads_as_one_sentence() {
        let test_error = TestError::new("reach https://x", "connection refused").hint("start the server");
        assert_eq!(
            test_error.to_string(),
            "failed to reach https://x: connection refused; hint: start the server"
        );
    }
}
