//! The reason of a slow run and the time of its clean-up, for the progress line; it also stops a run that the server
//! throttles completely.

use std::collections::HashSet;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

/// The mean response time from which on a run counts as slow.
const SLOW: Duration = Duration::from_secs(1);

/// One response changes the moving mean by one part in this number.
const WEIGHT: u64 = 8;

/// The number of consecutive scenarios that gave up because of throttling and stop the run.
const THROTTLED_AT_MOST: usize = 8;

/// The waiting times of a run.
#[derive(Debug, Default)]
pub struct Slowdown {
    /// The scenarios, and the requests of the clean-up, that wait because the server throttles them.
    throttled: AtomicUsize,
    /// The scenarios that gave up because the server throttled them, since the last other response.
    gave_up: AtomicUsize,
    /// The moving mean of the response times, in microseconds.
    mean: AtomicU64,
    /// The types whose storage the server did not initialize while a scenario waited for it.
    uninitialized: Mutex<HashSet<String>>,
    /// When the clean-up began, until its end.
    clean_up: Mutex<Option<Instant>>,
}

impl Slowdown {
    /// The reason why the run is slow now; empty if it is not.
    pub fn reason(&self) -> String {
        let throttled = self.throttled.load(Ordering::Relaxed);
        let mean = Duration::from_micros(self.mean.load(Ordering::Relaxed));
        match throttled {
            0 if mean >= SLOW => format!("responses take {:.1} s", mean.as_secs_f32()),
            0 => String::new(),
            _ => format!("{throttled} throttled"),
        }
    }

    /// How long the run has been removing its objects; `None` if it is not.
    pub fn clean_up(&self) -> Option<Duration> {
        self.clean_up_began().map(|began| began.elapsed())
    }

    /// Records that the run removes its objects from now on.
    pub(crate) fn begin_clean_up(&self) {
        *self.clean_up_began() = Some(Instant::now());
    }

    /// Records the end of the clean-up: further scenarios may follow.
    pub(crate) fn end_clean_up(&self) {
        *self.clean_up_began() = None;
    }

    fn clean_up_began(&self) -> MutexGuard<'_, Option<Instant>> {
        self.clean_up.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records the time of a response.
    pub(crate) fn note(&self, took: Duration, throttled: bool) {
        if !throttled {
            self.gave_up.store(0, Ordering::Relaxed);
        }
        let took = u64::try_from(took.as_micros()).unwrap_or(u64::MAX) / WEIGHT;
        let next = |mean: u64| Some((mean - mean / WEIGHT).saturating_add(took));
        let _ = self.mean.fetch_update(Ordering::Relaxed, Ordering::Relaxed, next);
    }

    /// Records that a scenario gave up because the server throttles it. `true` if the run must stop.
    pub(crate) fn give_up(&self) -> bool {
        self.gave_up.fetch_add(1, Ordering::Relaxed) + 1 >= THROTTLED_AT_MOST
    }

    /// Records that a scenario has waited in vain for the storage of a type.
    pub(crate) fn note_uninitialized(&self, ty: String) {
        self.uninitialized.lock().unwrap_or_else(PoisonError::into_inner).insert(ty);
    }

    /// Whether a scenario has waited in vain for the storage of a type: the next one does not wait for it.
    pub(crate) fn is_uninitialized(&self, ty: &str) -> bool {
        self.uninitialized.lock().unwrap_or_else(PoisonError::into_inner).contains(ty)
    }

    /// Waits because the server throttles a scenario, or a request of the clean-up.
    pub(crate) async fn wait_out(&self, wait: Duration) {
        let _waiting = Waiting::begin(&self.throttled);
        tokio::time::sleep(wait).await;
    }
}

/// A wait, until its drop.
struct Waiting<'a>(&'a AtomicUsize);

impl<'a> Waiting<'a> {
    fn begin(count: &'a AtomicUsize) -> Self {
        count.fetch_add(1, Ordering::Relaxed);
        Self(count)
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slow_responses_are_a_reason() {
        let slowdown = Slowdown::default();
        (0..50).for_each(|_| slowdown.note(Duration::from_millis(900), false));
        assert_eq!(slowdown.reason(), "");
        (0..50).for_each(|_| slowdown.note(Duration::from_millis(2_500), false));
        assert_eq!(slowdown.reason(), "responses take 2.5 s");
    }

    #[test]
    fn scenarios_that_are_throttled_to_their_end_stop_the_run() {
        let slowdown = Slowdown::default();
        (1..THROTTLED_AT_MOST).for_each(|_| assert!(!slowdown.give_up()));
        slowdown.note(Duration::ZERO, false);
        (1..THROTTLED_AT_MOST).for_each(|_| assert!(!slowdown.give_up()));
        slowdown.note(Duration::ZERO, true);
        assert!(slowdown.give_up());
    }

    #[tokio::test]
    async fn a_throttled_scenario_is_a_reason_as_long_as_it_waits() {
        let slowdown = Slowdown::default();
        let mut waiting = Box::pin(slowdown.wait_out(Duration::from_hours(1)));
        assert!(futures::poll!(&mut waiting).is_pending());
        assert_eq!(slowdown.reason(), "1 throttled");
        drop(waiting);
        assert_eq!(slowdown.reason(), "");
    }

    #[test]
    fn the_clean_up_is_known_until_its_end() {
        let slowdown = Slowdown::default();
        assert_eq!(slowdown.clean_up(), None);
        slowdown.begin_clean_up();
        assert!(slowdown.clean_up().is_some());
        slowdown.end_clean_up();
        assert_eq!(slowdown.clean_up(), None);
    }
}
