//! The order of a replay: what happened in the record happens again, one step after the other.
//!
//! A step is a request that is sent, a part of a response that arrives, or a time that is over. The next step waits until
//! no task has anything left to do, so the speed and the scheduler of the machine do not matter. Time is the paused clock
//! of tokio: it moves on when nothing else is left to do, so a recorded minute takes no time.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::runtime::{Builder, Runtime};
use tokio::sync::Notify;
use tokio::sync::oneshot::{self, Sender};
use tokio::task::AbortHandle;
use tokio::time::{Instant, advance, sleep_until};

use super::recorder::micros;

/// How late a step may be. Then the replay does not have it, and nothing waits for it any longer. Timers are late by their
/// resolution.
const LATE: Duration = Duration::from_millis(20);

/// The resolution of tokio's timers.
const TICK: Duration = Duration::from_millis(1);

/// Tells when all tasks of a runtime wait.
#[derive(Debug, Clone, Default)]
pub struct Idle(Arc<Waited>);

#[derive(Debug, Default)]
struct Waited {
    wanted: AtomicBool,
    reached: Notify,
}

impl Idle {
    /// The runtime of a replay: of one thread, with a paused clock.
    pub fn runtime(&self) -> std::io::Result<Runtime> {
        let waited = self.0.clone();
        let parked = move || {
            if waited.wanted.swap(false, Ordering::Relaxed) {
                waited.reached.notify_one();
            }
        };
        Builder::new_current_thread().enable_all().start_paused(true).on_thread_park(parked).build()
    }

    async fn reached(&self) {
        self.0.wanted.store(true, Ordering::Relaxed);
        self.0.reached.notified().await;
    }
}

/// Decides which step is next.
#[derive(Debug)]
pub(super) struct Order {
    began: Instant,
    turns: Mutex<Turns>,
    changed: Notify,
}

/// Each step by its time, in microseconds: no two recorded steps have the same.
#[derive(Debug)]
struct Turns {
    /// The recorded steps that are still to come.
    expected: BTreeSet<u64>,
    /// The steps that somebody waits for.
    waiting: BTreeMap<u64, Vec<Sender<()>>>,
}

/// What to do before anything else.
enum Step {
    /// Nobody waits for a step.
    Rest,
    /// Until this instant, or a change.
    Wait(Instant),
    /// This step may happen.
    Take(u64),
}

/// Ends the order with its drop.
#[derive(Debug)]
pub(super) struct Conductor(AbortHandle);

impl Drop for Conductor {
    fn drop(&mut self) {
        self.0.abort();
    }
}

impl Order {
    /// The order of these steps, from now on.
    pub(super) fn begin(expected: BTreeSet<u64>, idle: Idle) -> (Arc<Self>, Conductor) {
        let turns = Mutex::new(Turns { expected, waiting: BTreeMap::new() });
        let order = Arc::new(Self { began: Instant::now(), turns, changed: Notify::new() });
        let conducting = tokio::spawn(order.clone().conduct(idle));
        (order, Conductor(conducting.abort_handle()))
    }

    /// Waits for the step of this time.
    pub(super) async fn turn(&self, at: u64) {
        let (sender, taken) = oneshot::channel();
        self.turns().waiting.entry(at).or_default().push(sender);
        self.changed.notify_one();
        // The sender ends with the run only.
        let _ = taken.await;
    }

    /// Waits until the recorded step of this time is over, with all that it causes, or will not happen any more.
    pub(super) async fn after(&self, at: u64) {
        self.turn(at.saturating_add(micros(LATE))).await;
    }

    /// The instant of a recorded time.
    pub(super) fn instant(&self, at: u64) -> Instant {
        self.began + Duration::from_micros(at)
    }

    async fn conduct(self: Arc<Self>, idle: Idle) {
        loop {
            idle.reached().await;
            match self.step() {
                Step::Rest => self.changed.notified().await,
                Step::Wait(until) => {
                    tokio::select! {
                        () = self.changed.notified() => {}
                        () = sleep_until(until) => {}
                    }
                }
                Step::Take(at) => self.take(at).await,
            }
        }
    }

    fn step(&self) -> Step {
        let (mut turns, now) = (self.turns(), Instant::now());
        // A scenario that has given up waits no longer.
        while turns.waiting.first_entry().is_some_and(|first| first.get().iter().all(Sender::is_closed)) {
            turns.waiting.pop_first();
        }
        let Some(turn) = turns.waiting.first_key_value().map(|(turn, _)| *turn) else { return Step::Rest };
        while let Some(first) = turns.expected.first().copied().filter(|first| *first < turn) {
            let late = self.instant(first) + LATE;
            if now < late {
                return Step::Wait(late);
            }
            turns.expected.remove(&first);
        }
        // Timers before it go off first.
        let due = self.instant(turn);
        if now + TICK < due { Step::Wait(due - TICK) } else { Step::Take(turn) }
    }

    async fn take(&self, at: u64) {
        let early = self.instant(at).saturating_duration_since(Instant::now());
        if !early.is_zero() {
            advance(early).await;
        }
        let mut turns = self.turns();
        turns.expected.remove(&at);
        for waiting in turns.waiting.remove(&at).into_iter().flatten() {
            let _ = waiting.send(());
        }
    }

    fn turns(&self) -> MutexGuard<'_, Turns> {
        self.turns.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs a test in the runtime of a replay that expects these steps.
    fn replayed<T>(expected: &[u64], test: impl AsyncFnOnce(Arc<Order>) -> T) -> T {
        let idle = Idle::default();
        idle.runtime().unwrap().block_on(async {
            let (order, _conductor) = Order::begin(expected.iter().copied().collect(), idle);
            test(order).await
        })
    }

    /// The steps in the order in which they happen, each with its time in microseconds.
    async fn taken(order: &Arc<Order>, steps: &[u64]) -> Vec<(u64, u128)> {
        let taken = Mutex::new(Vec::new());
        let waiting = steps.iter().map(|at| async {
            order.turn(*at).await;
            taken.lock().unwrap().push((*at, order.began.elapsed().as_micros()));
        });
        futures::future::join_all(waiting).await;
        taken.into_inner().unwrap()
    }

    #[test]
    fn steps_happen_in_the_recorded_order_at_the_recorded_time() {
        let steps = [90_000_000, 900, 1_050, 100];
        let expected = [(100, 100), (900, 900), (1_050, 1_050), (90_000_000, 90_000_000)];
        assert_eq!(replayed(&steps, async |order| taken(&order, &steps).await), expected);
    }

    #[test]
    fn a_step_waits_for_the_steps_before_it() {
        let taken = replayed(&[100, 200, 300], async |order| {
            let sending = async {
                tokio::time::sleep(Duration::from_millis(3)).await;
                order.turn(200).await;
            };
            tokio::join!(taken(&order, &[100, 300]), sending).0
        });
        // The timer is late by a part of its resolution.
        assert_eq!(taken, [(100, 100), (300, 3_100)]);
    }

    #[test]
    fn a_step_waits_for_tasks_that_still_work() {
        let began = Mutex::new(Vec::new());
        replayed(&[100, 200], async |order| {
            let working = async {
                order.turn(100).await;
                for _ in 0..1_000 {
                    tokio::task::yield_now().await;
                }
                began.lock().unwrap().push(100);
            };
            let waiting = async {
                order.turn(200).await;
                began.lock().unwrap().push(200);
            };
            tokio::join!(waiting, working);
        });
        assert_eq!(began.into_inner().unwrap(), [100, 200]);
    }

    #[test]
    fn nothing_waits_for_a_step_that_never_happens() {
        let taken = replayed(&[200, 300], async |order| taken(&order, &[300]).await);
        assert_eq!(taken, [(300, 21_000)]);
    }

    #[test]
    fn a_step_after_a_deadline_is_not_waited_for() {
        let waited = replayed(&[60_000_000], async |order| {
            let waited = tokio::time::timeout(Duration::from_secs(2), order.turn(60_000_000)).await;
            (waited.is_err(), order.began.elapsed().as_secs())
        });
        assert_eq!(waited, (true, 2));
    }
}
