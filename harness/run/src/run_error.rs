//! Errors that end a run early.

use model::TestError;
use target::Redactor;

/// Why a run did not start, or did not end.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The user's template does not fit the scenarios: they would accuse a server that is right.
    #[error(transparent)]
    Template(TestError),
    /// Any other error.
    #[error(transparent)]
    Target(#[from] TestError),
}

impl RunError {
    /// The same error without credentials: it may quote a response.
    pub fn redacted(self, redactor: &Redactor) -> Self {
        match self {
            Self::Template(test_error) => Self::Template(redactor.redact_test_error(test_error)),
            Self::Target(test_error) => Self::Target(redactor.redact_test_error(test_error)),
        }
    }
}

impl From<RunError> for TestError {
    fn from(error: RunError) -> Self {
        match error {
            RunError::Template(test_error) | RunError::Target(test_error) => test_error,
        }
    }
}
