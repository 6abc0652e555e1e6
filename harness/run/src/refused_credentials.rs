//! The circuit breaker for credentials: it holds requests back while the server refuses those of the run (401).
//!
//! Credentials that are renewed before the limit, by a plugin or in a token file, let the run go on. Those that stay refused
//! end the run, with one cause in place of a test error in every scenario.

use std::future::Future;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Mutex;
use tokio::time::Instant;

use crate::availability::{IN_A_ROW, PAUSE};

/// The status of a response to refused credentials.
pub(crate) const UNAUTHORIZED: u16 = 401;

/// Whether the server refuses the credentials of the run.
#[derive(Debug, Default)]
pub(crate) struct RefusedCredentials {
    /// The responses with 401 since the last other response; `None` without any.
    series: std::sync::Mutex<Option<Series>>,
    /// Held while one scenario tries the credentials, and the others wait.
    trying: Mutex<()>,
    /// Whether the server refused them until the limit.
    ended_run: AtomicBool,
}

/// Consecutive responses with 401.
#[derive(Debug, Clone, Copy)]
struct Series {
    began: Instant,
    responses: usize,
}

impl RefusedCredentials {
    /// Records the status of a response to a request with the credentials of the run. Returns for how long the server has
    /// refused them, if it refuses those of each attempt for `limit` as well.
    pub(crate) async fn note<F>(
        &self,
        status: u16,
        limit: Duration,
        are_refused: impl Fn() -> F,
    ) -> Option<Duration>
    where
        F: Future<Output = bool>,
    {
        if status != UNAUTHORIZED {
            self.end_series();
            return None;
        }
        self.add_refusal();
        self.refused_for()?;
        let _trying = self.trying.lock().await;
        while !self.have_ended_run() {
            // Another scenario may have tried them meanwhile.
            self.refused_for()?;
            if !are_refused().await {
                self.end_series();
            }
            let lasted = self.refused_for()?;
            if lasted >= limit {
                self.ended_run.store(true, Ordering::Relaxed);
                return Some(lasted);
            }
            tokio::time::sleep(PAUSE).await;
        }
        None
    }

    /// Whether the server refused them until the limit.
    pub(crate) fn have_ended_run(&self) -> bool {
        self.ended_run.load(Ordering::Relaxed)
    }

    /// For how long each response has had the status 401; `None` after a few responses.
    fn refused_for(&self) -> Option<Duration> {
        let long = self.series().filter(|series| series.responses >= IN_A_ROW)?;
        Some(long.began.elapsed())
    }

    fn add_refusal(&self) {
        let mut series = self.series();
        series.get_or_insert_with(|| Series { began: Instant::now(), responses: 0 }).responses += 1;
    }

    fn end_series(&self) {
        *self.series() = None;
    }

    fn series(&self) -> MutexGuard<'_, Option<Series>> {
        self.series.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;

    use super::*;

    const LIMIT: Duration = Duration::from_secs(30);

    /// Notes responses with 401. The server accepts the credentials of the attempt with this number.
    async fn noted(responses: usize, accepted_at: usize) -> (Option<u64>, usize) {
        let (credentials, attempts) = (RefusedCredentials::default(), AtomicUsize::new(0));
        let are_refused = || {
            let number = attempts.fetch_add(1, Ordering::Relaxed) + 1;
            async move { number != accepted_at }
        };
        let mut lasted = None;
        for _ in 0..responses {
            lasted = credentials.note(UNAUTHORIZED, LIMIT, are_refused).await;
        }
        assert_eq!(credentials.have_ended_run(), lasted.is_some());
        (lasted.map(|lasted| lasted.as_secs()), attempts.load(Ordering::Relaxed))
    }

    #[tokio::test(start_paused = true)]
    async fn a_few_refusals_are_not_tried_again() {
        assert_eq!(noted(IN_A_ROW - 1, 0).await, (None, 0));
    }

    #[tokio::test(start_paused = true)]
    async fn credentials_that_stay_refused_end_the_run() {
        assert_eq!(noted(IN_A_ROW, 0).await, (Some(30), 61));
    }

    #[tokio::test(start_paused = true)]
    async fn renewed_credentials_let_the_run_go_on() {
        assert_eq!(noted(IN_A_ROW + 5, 20).await, (None, 20));
    }

    #[tokio::test]
    async fn any_other_response_ends_the_series() {
        let credentials = RefusedCredentials::default();
        let are_refused = || async { panic!("no series is long") };
        for other in [200, 403, 404, 500] {
            for _ in 1..IN_A_ROW {
                assert_eq!(credentials.note(UNAUTHORIZED, Duration::ZERO, are_refused).await, None);
            }
            assert_eq!(credentials.note(other, Duration::ZERO, are_refused).await, None);
        }
    }

    /// A response to the request of another scenario, which was sent before or goes to another group.
    #[tokio::test(start_paused = true)]
    async fn a_response_during_the_attempts_ends_the_series() {
        let credentials = RefusedCredentials::default();
        for _ in 1..IN_A_ROW {
            assert_eq!(credentials.note(UNAUTHORIZED, LIMIT, || async { true }).await, None);
        }
        let ends_series = || async {
            credentials.end_series();
            true
        };
        assert_eq!(credentials.note(UNAUTHORIZED, Duration::ZERO, ends_series).await, None);
        assert!(!credentials.have_ended_run());
    }
}
