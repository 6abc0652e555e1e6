//! The circuit breaker of a run: it holds requests back while the server does not respond.
//!
//! A server that restarts is back before the limit, and the run goes on. A server that stays away ends the run, with one
//! cause in place of a test error in every scenario.

use std::future::Future;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{MutexGuard, PoisonError};
use std::time::Duration;

use model::TestError;
use tokio::sync::Mutex;
use tokio::time::Instant;

/// Consecutive requests without a response that open the circuit breaker.
pub(crate) const IN_A_ROW: usize = 24;

/// How often a response must have followed requests without one: a server that restarts does so once or twice.
const OFTEN: usize = 3;

/// Pause between two attempts to reach the server.
pub(crate) const PAUSE: Duration = Duration::from_millis(500);

/// Whether the server responds.
#[derive(Debug, Default)]
pub(crate) struct Availability {
    /// Consecutive requests without a response.
    failed: AtomicUsize,
    /// How often a response followed requests without one.
    recovered: AtomicUsize,
    silence: std::sync::Mutex<Silence>,
    /// Held while one scenario tries to reach the server, and the others wait.
    trying: Mutex<()>,
    /// Whether the server stayed away.
    gone: AtomicBool,
    /// Whether the server was away for a time.
    was_away: AtomicBool,
    /// Whether scenarios may shut the server down.
    off: AtomicBool,
}

/// Since when the server does not respond, as far as requests show it.
#[derive(Debug, Default)]
struct Silence {
    last_response: Option<Instant>,
    /// The start of the first request that has no response, or the last response if that is later.
    began: Option<Instant>,
}

impl Silence {
    fn end(&mut self) {
        *self = Self { last_response: Some(Instant::now()), began: None };
    }

    /// Notes a request without a response, and when it was sent.
    fn note(&mut self, sent_at: Instant) {
        let began = sent_at.max(self.last_response.unwrap_or(sent_at));
        self.began = Some(self.began.unwrap_or(began).min(began));
    }

    fn lasted(&self) -> Duration {
        self.began.map_or(Duration::ZERO, |began| began.elapsed())
    }
}

impl Availability {
    /// Records the result of a request, and when it was sent. `Err` says how long the server has not responded, and why, after
    /// attempts for `limit`.
    pub(crate) async fn note<T, F>(
        &self,
        sent: &Result<T, TestError>,
        sent_at: Instant,
        limit: Duration,
        attempt: impl Fn() -> F,
    ) -> Result<(), String>
    where
        F: Future<Output = Result<(), TestError>>,
    {
        if sent.is_ok() || self.off.load(Ordering::Relaxed) {
            let recovers = self.failed.swap(0, Ordering::Relaxed) > 0;
            self.recovered.fetch_add(recovers.into(), Ordering::Relaxed);
            self.silence().end();
            return Ok(());
        }
        self.silence().note(sent_at);
        if self.failed.fetch_add(1, Ordering::Relaxed) + 1 < IN_A_ROW {
            return Ok(());
        }
        let _trying = self.trying.lock().await;
        if self.failed.load(Ordering::Relaxed) < IN_A_ROW {
            return Ok(());
        }
        self.was_away.store(true, Ordering::Relaxed);
        let deadline = Instant::now() + limit;
        loop {
            match attempt().await {
                Ok(()) => break,
                Err(why) if Instant::now() >= deadline => {
                    self.gone.store(true, Ordering::Relaxed);
                    let lasted = self.silence().lasted();
                    return Err(format!("the server did not respond for {lasted:.0?}: {}", why.cause));
                }
                Err(_) => tokio::time::sleep(PAUSE).await,
            }
        }
        self.failed.store(0, Ordering::Relaxed);
        self.silence().end();
        Ok(())
    }

    fn silence(&self) -> MutexGuard<'_, Silence> {
        self.silence.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether the server stayed away.
    pub(crate) fn is_gone(&self) -> bool {
        self.gone.load(Ordering::Relaxed)
    }

    /// Whether the server responds to some requests and not to others, all the time.
    pub(crate) fn is_unsteady(&self) -> bool {
        self.recovered.load(Ordering::Relaxed) >= OFTEN
    }

    /// A change of the server, after its absence if it was away: a restart, or a store that was restored, explains it.
    pub(crate) fn explain(&self, change: String) -> String {
        if self.was_away.load(Ordering::Relaxed) {
            format!("the server was away for a time, as when it restarts or is restored, and {change}")
        } else {
            change
        }
    }

    /// From now on scenarios may shut the server down.
    pub(crate) fn turn_off(&self) {
        self.off.store(true, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    fn no_response() -> Result<(), TestError> {
        Err(TestError::new("get a response", "connection refused"))
    }

    /// Notes a request that was sent now; the server has no time for attempts.
    async fn note<F>(availability: &Availability, sent: &Result<(), TestError>, attempt: impl Fn() -> F)
    where
        F: Future<Output = Result<(), TestError>>,
    {
        availability.note(sent, Instant::now(), Duration::ZERO, attempt).await.unwrap();
    }

    /// Notes requests without a response; the server responds to the attempt of this number.
    async fn noted(requests: usize, responds_at: usize, limit: Duration) -> (Result<(), String>, usize) {
        let (availability, attempts) = (Availability::default(), Arc::new(AtomicUsize::new(0)));
        let attempt = || {
            let number = attempts.fetch_add(1, Ordering::Relaxed) + 1;
            async move { if number == responds_at { Ok(()) } else { no_response() } }
        };
        let mut noted = Ok(());
        for _ in 0..requests {
            noted = availability.note(&no_response(), Instant::now(), limit, attempt).await;
        }
        assert_eq!(availability.is_gone(), noted.is_err());
        (noted, attempts.load(Ordering::Relaxed))
    }

    #[tokio::test]
    async fn a_few_requests_without_a_response_open_nothing() {
        assert_eq!(noted(IN_A_ROW - 1, 0, Duration::ZERO).await, (Ok(()), 0));
    }

    #[tokio::test]
    async fn an_absence_comes_before_what_it_explains() {
        let (availability, change) = (Availability::default(), || "it changed".to_owned());
        for _ in 1..IN_A_ROW {
            note(&availability, &no_response(), || async { no_response() }).await;
        }
        assert_eq!(availability.explain(change()), "it changed");

        note(&availability, &no_response(), || async { Ok(()) }).await;

        let explained = availability.explain(change());
        assert!(explained.starts_with("the server was away") && explained.ends_with("and it changed"));
    }

    #[tokio::test]
    async fn a_server_that_responds_now_and_then_is_unsteady() {
        let availability = Availability::default();
        let attempt = || async { panic!("the circuit breaker is open") };
        for _ in 0..OFTEN {
            assert!(!availability.is_unsteady());
            for sent in [no_response(), no_response(), Ok(()), Ok(())] {
                note(&availability, &sent, attempt).await;
            }
        }
        assert!(availability.is_unsteady());
    }

    #[tokio::test]
    async fn a_server_that_is_back_in_time_closes_the_circuit_breaker() {
        assert_eq!(noted(IN_A_ROW + 5, 2, Duration::from_mins(1)).await, (Ok(()), 2));
    }

    #[tokio::test(start_paused = true)]
    async fn a_server_that_stays_away_is_the_cause() {
        let why = "the server did not respond for 2s: connection refused";
        assert_eq!(noted(IN_A_ROW, 0, Duration::from_secs(2)).await, (Err(why.to_owned()), 5));
    }

    #[tokio::test(start_paused = true)]
    async fn a_silence_begins_with_its_first_request_and_after_the_last_response() {
        const LIMIT: Duration = Duration::from_secs(30);
        let attempt = || async {
            tokio::time::sleep(LIMIT).await;
            no_response()
        };
        for (response_after, lasted) in [(0, 90), (5, 85)] {
            let (availability, sent_at) = (Availability::default(), Instant::now());
            let response_after = Duration::from_secs(response_after);
            tokio::time::sleep(response_after).await;
            availability.note(&Ok(()), sent_at, LIMIT, attempt).await.unwrap();
            tokio::time::sleep(LIMIT.saturating_sub(response_after)).await;
            for _ in 1..IN_A_ROW {
                availability.note(&no_response(), sent_at, LIMIT, attempt).await.unwrap();
            }
            tokio::time::sleep(LIMIT).await;
            let ended = availability.note(&no_response(), Instant::now(), LIMIT, attempt).await;
            let why = format!("the server did not respond for {lasted}s: connection refused");
            assert_eq!(ended, Err(why));
        }
    }

    #[tokio::test]
    async fn a_response_in_between_counts_anew() {
        let availability = Availability::default();
        let attempt = || async { panic!("the circuit breaker is open") };
        for _ in 0..3 {
            for _ in 1..IN_A_ROW {
                note(&availability, &no_response(), attempt).await;
            }
            note(&availability, &Ok(()), attempt).await;
        }
    }
}
