//! Errors that end a run early.

use model::TestError;

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

impl From<RunError> for TestError {
    fn from(error: RunError) -> Self {
        match error {
            RunError::Template(test_error) | RunError::Target(test_error) => test_error,
        }
    }
}
