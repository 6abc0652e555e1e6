//! The outcomes of a scenario.
//!
//! A failure and a test error differ from the first type to the exit code: only a failure counts against the server.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The result of a scenario, or of a step.
pub type Checked = Result<(), Halt>;

/// The early end of a scenario: the error type of every step, for `?`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Halt {
    /// The server broke the clause.
    Failed(Failure),
    /// The scenario does not apply here, for this reason.
    Skipped(String),
    /// The scenario could not be carried out.
    Errored(TestError),
}

impl Halt {
    /// The scenario does not apply here, for this reason.
    pub fn skip(reason: impl Into<String>) -> Self {
        Self::Skipped(reason.into())
    }

    /// Skips the scenario unless it applies here.
    pub fn skip_unless(applies: bool, reason: impl Into<String>) -> Checked {
        if applies { Ok(()) } else { Err(Self::skip(reason)) }
    }
}

/// The expected and the actual behaviour, with the exchange as evidence.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    /// All legal behaviour.
    pub expected: String,
    /// The behaviour of this server.
    pub actual: String,
    /// The position of the decisive exchange among those of the scenario.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exchange: Option<usize>,
}

/// Why a scenario could not be carried out. It neither accuses nor clears the server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TestError {
    /// The attempted action: a verb and its object.
    pub action: String,
    /// Why it failed.
    pub cause: String,
    /// Advice for the user; empty without any.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub hint: String,
}

impl TestError {
    /// A test error without a hint.
    pub fn new(action: impl Into<String>, cause: impl Into<String>) -> Self {
        Self { action: action.into(), cause: cause.into(), hint: String::new() }
    }

    /// Adds advice for the user.
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

/// The outcome of one run of a scenario.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "outcome")]
pub enum Outcome {
    /// The server kept the clause.
    Passed,
    /// The server broke the clause.
    Failed {
        /// Expected and actual.
        failure: Failure,
    },
    /// The scenario did not run.
    Skipped {
        /// The reason.
        reason: String,
    },
    /// The scenario could not be carried out.
    Errored {
        /// Action, cause and hint.
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

/// The outcomes of a repeated scenario, counted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Repetitions {
    /// Repetitions that passed.
    pub passed: usize,
    /// Repetitions that failed.
    pub failed: usize,
    /// Repetitions with a test error.
    pub errored: usize,
    /// Repetitions that were skipped.
    pub skipped: usize,
}

impl Repetitions {
    /// Counts one more repetition.
    pub fn add(&mut self, outcome: &Outcome) {
        *match outcome {
            Outcome::Passed => &mut self.passed,
            Outcome::Failed { .. } => &mut self.failed,
            Outcome::Errored { .. } => &mut self.errored,
            Outcome::Skipped { .. } => &mut self.skipped,
        } += 1;
    }

    /// The number of repetitions.
    pub fn total(self) -> usize {
        self.passed + self.failed + self.errored + self.skipped
    }

    /// Whether outcomes differ; skipped repetitions do not count.
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
        let parts: Vec<String> = counts
            .iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, word)| format!("{count} {word}"))
            .collect();
        write!(f, "of {} repetitions: {}", self.total(), parts.join(", "))
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
    fn different_outcomes_are_flaky() {
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
        let text = of(&[Outcome::Passed, failed(), Outcome::Passed]).to_string();
        assert_eq!(text, "of 3 repetitions: 2 passed, 1 failed");
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
