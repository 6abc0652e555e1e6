//! The circuit breaker for refusals of one kind: it holds requests back while the server refuses the credentials of the run
//! (401), or each write because its store is full.
//!
//! Credentials that are renewed before the limit, and a store that has room again, let the run go on. Otherwise the run ends,
//! with one cause in place of a test error in every scenario.

use std::future::Future;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Mutex;
use tokio::time::Instant;

use crate::availability::{IN_A_ROW, PAUSE};

/// The refusals of one kind that no other response has interrupted.
#[derive(Debug, Default)]
pub(crate) struct RefusalSeries {
    /// The refusals since the last other response; `None` without any.
    series: std::sync::Mutex<Option<Series>>,
    /// Held while one scenario tries again, and the others wait.
    trying: Mutex<()>,
    /// Whether the server refused each attempt until the limit.
    ended_run: AtomicBool,
}

/// Consecutive refusals.
#[derive(Debug, Clone, Copy)]
struct Series {
    began: Instant,
    responses: usize,
}

impl RefusalSeries {
    /// Records a response: a refusal of this kind, or one that shows its end. Returns for how long the refusals have lasted, if
    /// the server refuses each attempt for `limit` as well.
    pub(crate) async fn note<F>(
        &self,
        is_refusal: bool,
        limit: Duration,
        is_refused_again: impl Fn() -> F,
    ) -> Option<Duration>
    where
        F: Future<Output = bool>,
    {
        if !is_refusal {
            self.end_series();
            return None;
        }
        self.add_refusal();
        self.refused_for()?;
        let _trying = self.trying.lock().await;
        while !self.has_ended_run() {
            // Another scenario may have tried meanwhile.
            self.refused_for()?;
            if !is_refused_again().await {
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

    /// Whether the server refused each attempt until the limit.
    pub(crate) fn has_ended_run(&self) -> bool {
        self.ended_run.load(Ordering::Relaxed)
    }

    /// For how long the server has refused; `None` after a few responses.
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

    /// Notes refusals. The server accepts the attempt with this number.
    async fn noted(refusals: usize, accepted_at: usize) -> (Option<u64>, usize) {
        let (series, attempts) = (RefusalSeries::default(), AtomicUsize::new(0));
        let is_refused_again = || {
            let number = attempts.fetch_add(1, Ordering::Relaxed) + 1;
            async move { number != accepted_at }
        };
        let mut lasted = None;
        for _ in 0..refusals {
            lasted = series.note(true, LIMIT, is_refused_again).await;
        }
        assert_eq!(series.has_ended_run(), lasted.is_some());
        (lasted.map(|lasted| lasted.as_secs()), attempts.load(Ordering::Relaxed))
    }

    #[tokio::test(start_paused = true)]
    async fn a_few_refusals_are_not_tried_again() {
        assert_eq!(noted(IN_A_ROW - 1, 0).await, (None, 0));
    }

    #[tokio::test(start_paused = true)]
    async fn refusals_until_the_limit_end_the_run() {
        assert_eq!(noted(IN_A_ROW, 0).await, (Some(30), 61));
    }

    #[tokio::test(start_paused = true)]
    async fn an_accepted_attempt_lets_the_run_go_on() {
        assert_eq!(noted(IN_A_ROW + 5, 20).await, (None, 20));
    }

    #[tokio::test]
    async fn any_other_response_ends_the_series() {
        let series = RefusalSeries::default();
        let is_refused_again = || async { panic!("no series is long") };
        for _ in 0..3 {
            for _ in 1..IN_A_ROW {
                assert_eq!(series.note(true, Duration::ZERO, is_refused_again).await, None);
            }
            assert_eq!(series.note(false, Duration::ZERO, is_refused_again).await, None);
        }
    }

    /// A response to the request of another scenario, which was sent before or goes to another group.
    #[tokio::test(start_paused = true)]
    async fn a_response_during_the_attempts_ends_the_series() {
        let series = RefusalSeries::default();
        for _ in 1..IN_A_ROW {
            assert_eq!(series.note(true, LIMIT, || async { true }).await, None);
        }
        let ends_series = || async {
            series.end_series();
            true
        };
        assert_eq!(series.note(true, Duration::ZERO, ends_series).await, None);
        assert!(!series.has_ended_run());
    }
}
