//! Why a run did not begin, or did not end.

use model::Obstacle;

/// Why a run did not begin, or did not end.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The user's template does not fit the scenarios: they would accuse a server that is right.
    #[error("failed to {}: {}; hint: {}", .0.attempted, .0.why, .0.advice)]
    Template(Obstacle),
    /// Something else stands in the way.
    #[error(transparent)]
    Target(#[from] Obstacle),
}

impl From<RunError> for Obstacle {
    fn from(error: RunError) -> Self {
        match error {
            RunError::Template(obstacle) | RunError::Target(obstacle) => obstacle,
        }
    }
}
