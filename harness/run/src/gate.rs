//! Bounded concurrency, and the compaction: scenarios that need expired versions wait there for all others.
//!
//! A compaction expires the versions of every scenario, so it happens once, when only waiting scenarios are left. A
//! waiting scenario gives its place back, and so does one that waits for the server's own actions.

use std::future::Future;
use std::sync::{Arc, Mutex, PoisonError};

use model::{Halt, TestError};
use target::Instant;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};

/// The places of scenarios; shared by a whole run.
#[derive(Debug)]
pub(crate) struct Gate {
    places: Arc<Semaphore>,
    /// Lets one new scenario at a time wait for a place: a returning one need not queue behind all of them.
    door: Semaphore,
    state: watch::Sender<State>,
}

#[derive(Debug, Clone, Default)]
struct State {
    unfinished: usize,
    waiting: usize,
    opened: Option<Result<Instant, TestError>>,
}

/// A scenario's place among the running ones.
#[derive(Debug)]
pub(crate) struct Pass {
    gate: Arc<Gate>,
    place: Mutex<Option<OwnedSemaphorePermit>>,
}

impl Gate {
    /// Lets `places` scenarios run at a time, of `scenarios` in total.
    pub(crate) fn new(places: usize, scenarios: usize) -> Arc<Self> {
        let state = State { unfinished: scenarios, ..State::default() };
        let (places, state) = (Arc::new(Semaphore::new(places)), watch::Sender::new(state));
        Arc::new(Self { places, door: Semaphore::new(1), state })
    }

    /// Waits for a place.
    pub(crate) async fn enter(self: &Arc<Self>) -> Pass {
        let _newcomer = self.door.acquire().await.ok();
        let place = self.places.clone().acquire_owned().await.ok();
        Pass { gate: self.clone(), place: Mutex::new(place) }
    }

    /// Records the end of a scenario.
    pub(crate) fn finished(&self) {
        self.state.send_modify(|state| state.unfinished = state.unfinished.saturating_sub(1));
    }

    /// Waits until only waiting scenarios are left; returns whether any waits.
    pub(crate) async fn quiet(&self) -> bool {
        let mut state = self.state.subscribe();
        let quiet = state.wait_for(|state| state.unfinished == state.waiting).await;
        quiet.is_ok_and(|state| state.waiting > 0)
    }

    /// Lets the waiting scenarios continue, or fails them with the reason.
    pub(crate) fn open(&self, compacted: Result<(), TestError>) {
        self.state.send_modify(|state| state.opened = Some(compacted.map(|()| Instant::now())));
    }
}

impl Pass {
    /// Gives the place back until all others have ended and the store is compacted; returns the time of that.
    pub(crate) async fn wait_for_compaction(&self) -> Result<Instant, Halt> {
        let opened = self.yield_place_while(async {
            self.gate.state.send_modify(|state| state.waiting += 1);
            let opened = self.opened().await;
            self.gate.state.send_modify(|state| state.waiting -= 1);
            opened
        });
        opened.await.map_err(Halt::from)
    }

    /// Gives the place back during a wait, and takes one again.
    pub(crate) async fn yield_place_while<T>(&self, waiting: impl Future<Output = T>) -> T {
        self.place.lock().unwrap_or_else(PoisonError::into_inner).take();
        let waited = waiting.await;
        let place = self.gate.places.clone().acquire_owned().await.ok();
        *self.place.lock().unwrap_or_else(PoisonError::into_inner) = place;
        waited
    }

    async fn opened(&self) -> Result<Instant, TestError> {
        let mut state = self.gate.state.subscribe();
        let opened = state.wait_for(|state| state.opened.is_some()).await;
        let opened = opened.ok().and_then(|state| state.opened.clone());
        opened.unwrap_or_else(|| Err(TestError::new("wait for compaction", "the run ended")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_gate_opens_once_only_waiting_scenarios_are_left() {
        let gate = Gate::new(1, 2);
        let waiting = tokio::spawn({
            let gate = gate.clone();
            async move { gate.enter().await.wait_for_compaction().await }
        });
        let other = gate.enter().await;
        assert!(tokio::time::timeout(std::time::Duration::from_millis(20), gate.quiet()).await.is_err());
        drop(other);
        gate.finished();
        assert!(gate.quiet().await);
        gate.open(Ok(()));
        waiting.await.unwrap().unwrap();
    }

    #[tokio::test]
    async fn a_returning_scenario_precedes_the_queued_newcomers() {
        let (gate, turns) = (Gate::new(1, 0), Arc::new(Mutex::new(Vec::new())));
        let (sender, received) = tokio::sync::oneshot::channel();
        let pass = gate.enter().await;
        let newcomers: Vec<_> =
            (0..5).map(|_| tokio::spawn(pass_through(gate.clone(), turns.clone()))).collect();
        let sending = async {
            // The newcomers arrive during the wait: one takes the place, and one is behind it.
            tokio::task::yield_now().await;
            sender.send(()).unwrap();
        };

        let (waited, ()) = tokio::join!(pass.yield_place_while(received), sending);
        waited.unwrap();
        turns.lock().unwrap().push("back");
        drop(pass);
        futures::future::join_all(newcomers).await;

        let turns = turns.lock().unwrap();
        assert!(turns.iter().take(3).any(|turn| *turn == "back"), "{turns:?}");
    }

    async fn pass_through(gate: Arc<Gate>, turns: Arc<Mutex<Vec<&'static str>>>) {
        let pass = gate.enter().await;
        turns.lock().unwrap().push("new");
        tokio::task::yield_now().await;
        drop(pass);
    }
}
