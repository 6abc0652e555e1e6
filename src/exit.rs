//! The exit codes: no other code exits.

use std::process::ExitCode;

use harness::{Conclusion, RunError};

/// The result of a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Nothing failed, and nothing is inconclusive.
    Passed = 0,
    /// A clause failed, or a run missed a threshold.
    Failed = 1,
    /// The command line is wrong.
    Usage = 2,
    /// The result is inconclusive.
    Inconclusive = 3,
}

impl From<Conclusion> for Exit {
    fn from(conclusion: Conclusion) -> Self {
        match conclusion {
            Conclusion::Conformant | Conclusion::Incomplete | Conclusion::KnownFailures => Self::Passed,
            Conclusion::Nonconformant => Self::Failed,
            Conclusion::Inconclusive => Self::Inconclusive,
        }
    }
}

impl From<&RunError> for Exit {
    fn from(error: &RunError) -> Self {
        match error {
            RunError::Template(_) => Self::Usage,
            RunError::Target(_) => Self::Inconclusive,
        }
    }
}

impl From<harness::load::threshold::ThresholdVerdict> for Exit {
    fn from(verdict: harness::load::threshold::ThresholdVerdict) -> Self {
        use harness::load::threshold::ThresholdVerdict as Verdict;
        match verdict {
            Verdict::Met | Verdict::NotJudged => Self::Passed,
            Verdict::Missed => Self::Failed,
            Verdict::Inconclusive => Self::Inconclusive,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}
