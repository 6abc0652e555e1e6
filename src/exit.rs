//! The exit codes, and nothing else decides them.

use std::process::ExitCode;

use harness::{Judgement, RunError};

/// How a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Nothing violated, nothing undetermined.
    Upheld = 0,
    /// A clause is violated.
    Violated = 1,
    /// The command line is wrong.
    Usage = 2,
    /// It could not be found out.
    Undetermined = 3,
}

impl From<Judgement> for Exit {
    fn from(judgement: Judgement) -> Self {
        match judgement {
            Judgement::Conformant | Judgement::Incomplete | Judgement::Known => Self::Upheld,
            Judgement::Violated => Self::Violated,
            Judgement::Undetermined => Self::Undetermined,
        }
    }
}

impl From<&RunError> for Exit {
    fn from(error: &RunError) -> Self {
        match error {
            RunError::Template(_) => Self::Usage,
            RunError::Target(_) => Self::Undetermined,
        }
    }
}

impl From<harness::load::threshold::Verdict> for Exit {
    fn from(verdict: harness::load::threshold::Verdict) -> Self {
        use harness::load::threshold::Verdict;
        match verdict {
            Verdict::Met | Verdict::Unasked => Self::Upheld,
            Verdict::Missed => Self::Violated,
            Verdict::Undetermined => Self::Undetermined,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}
