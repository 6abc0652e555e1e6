//! The order of a replay: every response arrives at its recorded time, after every request that was sent before it.
//!
//! Time is the paused clock of tokio: it moves on when nothing else is left to do, so a recorded minute takes no time.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::{Notify, oneshot};
use tokio::task::{AbortHandle, yield_now};
use tokio::time::{Instant, advance, sleep_until};

/// How late a request may be. Then the scenario does not send it in the replay, and nothing waits for it any longer.
const LATE: Duration = Duration::from_millis(20);

/// The resolution of tokio's timers.
const TICK: Duration = Duration::from_millis(1);

/// How often other tasks may go on before time does: a response passes through a few tasks.
const HOPS: usize = 8;

/// Decides which response is next.
#[derive(Debug)]
pub(super) struct Order {
    began: Instant,
    turns: Mutex<Turns>,
    changed: Notify,
}

#[derive(Debug)]
struct Turns {
    /// The recorded requests that the replay has not sent yet: the time of each, and its number.
    unsent: BTreeSet<(u64, usize)>,
    /// The responses that somebody waits for: the time of each, and a number that tells equal times apart.
    waiting: BTreeMap<(u64, usize), Waiting>,
    next: usize,
}

/// A response that somebody waits for.
#[derive(Debug)]
struct Waiting {
    due: Instant,
    arrived: oneshot::Sender<()>,
}

/// What to do before anything else.
enum Step {
    /// Nobody waits for a response.
    Rest,
    /// Until this instant, or a change.
    Wait(Instant),
    /// This response may arrive, at this instant.
    Deliver((u64, usize), Instant),
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
    /// The order of these requests, from now on.
    pub(super) fn begin(requests: impl Iterator<Item = (u64, usize)>) -> (Arc<Self>, Conductor) {
        let turns = Turns { unsent: requests.collect(), waiting: BTreeMap::new(), next: 0 };
        let order =
            Arc::new(Self { began: Instant::now(), turns: Mutex::new(turns), changed: Notify::new() });
        let conducting = tokio::spawn(order.clone().conduct());
        (order, Conductor(conducting.abort_handle()))
    }

    /// Records that the replay sent a request.
    pub(super) fn sent(&self, at: u64, number: usize) {
        self.turns().unsent.remove(&(at, number));
        self.changed.notify_one();
    }

    /// Waits for the recorded time of a response, in microseconds.
    pub(super) async fn turn(&self, at: u64) {
        self.turn_after(at, None).await;
    }

    /// The same, but no longer than the recorded wait: a scenario that gives up after a time does not give up here.
    pub(super) async fn turn_after(&self, at: u64, waited: Option<u64>) {
        let (sender, arrived) = oneshot::channel();
        let due = self.instant(at);
        let due = waited.map_or(due, |waited| due.min(Instant::now() + Duration::from_micros(waited)));
        {
            let mut turns = self.turns();
            turns.next += 1;
            let number = turns.next;
            turns.waiting.insert((at, number), Waiting { due, arrived: sender });
        }
        self.changed.notify_one();
        // The sender ends with the run only.
        let _ = arrived.await;
    }

    async fn conduct(self: Arc<Self>) {
        loop {
            match self.step() {
                Step::Rest => self.changed.notified().await,
                Step::Wait(until) => {
                    tokio::select! {
                        () = self.changed.notified() => {}
                        () = sleep_until(until) => {}
                    }
                }
                Step::Deliver(turn, due) => self.deliver(turn, due).await,
            }
        }
    }

    fn step(&self) -> Step {
        let (mut turns, now) = (self.turns(), Instant::now());
        let Some((turn, due)) = turns.waiting.first_key_value().map(|(turn, waiting)| (*turn, waiting.due))
        else {
            return Step::Rest;
        };
        while let Some(first) = turns.unsent.first().copied().filter(|first| first.0 < turn.0) {
            let late = self.instant(first.0) + LATE;
            if now < late {
                return Step::Wait(late);
            }
            turns.unsent.remove(&first);
        }
        if now + TICK < due { Step::Wait(due - TICK) } else { Step::Deliver(turn, due) }
    }

    async fn deliver(&self, turn: (u64, usize), due: Instant) {
        for _ in 0..HOPS {
            yield_now().await;
        }
        // One of the tasks may wait for an earlier response by now.
        if !matches!(self.step(), Step::Deliver(still, _) if still == turn) {
            return;
        }
        let early = due.saturating_duration_since(Instant::now());
        if !early.is_zero() {
            advance(early).await;
        }
        if let Some(waiting) = self.turns().waiting.remove(&turn) {
            // A scenario that has given up waits no longer.
            let _ = waiting.arrived.send(());
        }
    }

    fn instant(&self, at: u64) -> Instant {
        self.began + Duration::from_micros(at)
    }

    fn turns(&self) -> MutexGuard<'_, Turns> {
        self.turns.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The responses in the order of their arrival, each with its time in microseconds.
    async fn arrived(order: &Arc<Order>, responses: &[u64]) -> Vec<(u64, u128)> {
        let arrived = Mutex::new(Vec::new());
        let began = order.began;
        let waiting = responses.iter().map(|at| async {
            order.turn(*at).await;
            arrived.lock().unwrap().push((*at, began.elapsed().as_micros()));
        });
        futures::future::join_all(waiting).await;
        arrived.into_inner().unwrap()
    }

    #[tokio::test(start_paused = true)]
    async fn responses_arrive_in_the_recorded_order_at_the_recorded_time() {
        let (order, _conductor) = Order::begin(std::iter::empty());
        let expected = [(100, 100), (900, 900), (1_050, 1_050), (90_000_000, 90_000_000)];
        assert_eq!(arrived(&order, &[90_000_000, 900, 1_050, 100]).await, expected);
    }

    #[tokio::test(start_paused = true)]
    async fn a_response_waits_for_the_requests_before_it() {
        let (order, _conductor) = Order::begin([(200, 7), (5_000, 8)].into_iter());
        let sending = async {
            tokio::time::sleep(Duration::from_millis(3)).await;
            order.sent(200, 7);
        };
        let (arrived, ()) = tokio::join!(arrived(&order, &[100, 300]), sending);
        assert_eq!(arrived, [(100, 100), (300, 3_100)]);
    }

    #[tokio::test(start_paused = true)]
    async fn nothing_waits_for_a_request_that_is_never_sent() {
        let (order, _conductor) = Order::begin([(200, 7)].into_iter());
        assert_eq!(arrived(&order, &[300]).await, [(300, 21_000)]);
    }

    #[tokio::test(start_paused = true)]
    async fn a_response_after_a_deadline_is_not_waited_for() {
        let (order, _conductor) = Order::begin(std::iter::empty());
        let waited = tokio::time::timeout(Duration::from_secs(2), order.turn(60_000_000)).await;
        assert!(waited.is_err());
        assert_eq!(order.began.elapsed().as_secs(), 2);
    }
}
