//! Paced requests: sent by the schedule, measured from their intended start, and all accounted for.
//!
//! A pacer puts every start into a queue at its instant. Senders take the starts, one sender for each concurrent
//! request that the connections carry. While all senders wait for the server, starts wait in the queue, and their
//! latency counts from the intended instant. A closed loop has no queue: each sender sends its next request by itself.

mod body;
mod load_request;
mod operation;
mod queue;
mod sender;
mod short_body;

pub(crate) use body::is_plain_json;
pub use load_request::{ExpectedObject, LoadRequest, Outcome, Page, Reading, Room};
pub use operation::Operation;
pub(crate) use operation::class;

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::{Duration, Instant};

use harness::load::{Senders, Starts};
use tokio::task::JoinSet;

use crate::pace::{Clock, Pace};
use crate::recorder::Recorder;
use crate::wire::ConnectionPool;
use queue::{Queue, Start};

/// Creates the requests, and receives their outcomes.
pub trait RequestSource {
    /// The request of the start with this number; `None` if there is none to send. That drops the start;
    /// in a closed loop, which has no schedule, it ends the sender.
    fn next(&mut self, number: u64, intended: Instant) -> Option<LoadRequest>;

    /// Whether a start of the schedule is to be sent; asked for each number in order. Another worker sends the others.
    fn is_own(&mut self, _number: u64) -> bool {
        true
    }

    /// The request goes out at this instant.
    fn sent(&mut self, _request: &LoadRequest, _at: Instant) {}

    /// Whether a 409 that has arrived is right: a legal conflict, not an error.
    fn may_conflict(&self, _request: &LoadRequest) -> bool {
        false
    }

    /// The request has ended.
    fn done(&mut self, _request: LoadRequest, _outcome: &Outcome, _at: Instant) {}
}

/// When requests are sent, and for how long.
#[derive(Debug, Clone, Copy)]
pub struct RequestTiming {
    /// The distribution of their starts.
    pub pace: Pace,
    /// Requests with an earlier start are sent but not measured.
    pub warm_up: Duration,
    /// The duration of the schedule, with the warm-up.
    pub length: Duration,
    /// Grace period for the last responses.
    pub drain: Duration,
    /// The precision of the starts; see [`Clock`].
    pub tick: Duration,
}

/// The requests of one thread. Clones share them.
pub struct Requests<F>(Rc<Inner<F>>);

struct Inner<F> {
    source: RefCell<F>,
    operations: Vec<Operation>,
    pool: ConnectionPool,
    recorder: Recorder,
    queue: Queue,
    starts: Cell<Starts>,
    /// The senders of a closed loop that have started a measured request.
    measuring: Cell<u64>,
    timing: RequestTiming,
    measured_from: Cell<Option<Instant>>,
}

impl<F> Clone for Requests<F> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<F: RequestSource + 'static> Requests<F> {
    /// Requests over these connections.
    pub fn new(
        pool: ConnectionPool,
        recorder: Recorder,
        timing: RequestTiming,
        operations: Vec<Operation>,
        source: F,
    ) -> Self {
        Self(Rc::new(Inner {
            source: RefCell::new(source),
            operations,
            pool,
            recorder,
            queue: Queue::default(),
            starts: Cell::default(),
            measuring: Cell::new(0),
            timing,
            measured_from: Cell::new(None),
        }))
    }

    /// The counts of starts. A planned start that was not sent is dropped, wherever it waited.
    pub fn starts(&self) -> Starts {
        let starts = self.0.starts.get();
        Starts { dropped: starts.planned.saturating_sub(starts.sent), ..starts }
    }

    /// The number of starts without a request to send so far. One that waits for a sender is dropped at the end, if at all.
    pub(crate) fn dropped(&self) -> u64 {
        self.0.starts.get().dropped
    }

    /// The senders so far; `None` in an open loop.
    pub fn senders(&self) -> Option<Senders> {
        let Pace::Closed(planned) = self.0.timing.pace else { return None };
        Some(Senders { planned: planned as u64, measured: self.0.measuring.get() })
    }

    /// Opens all connections, sends all requests, waits for the last responses, and returns how they ended.
    ///
    /// Dropping this future gives up all requests in flight, and records them as such.
    pub async fn run(&self) -> std::io::Result<Starts> {
        // The number of senders depends on the capacity of a connection. An error here fails every request, and counts
        // there.
        let _ = self.0.pool.open_all().await;
        self.run_from(Instant::now()).await
    }

    /// The same from an instant on, over connections that are open.
    pub(crate) async fn run_from(&self, began: Instant) -> std::io::Result<Starts> {
        self.0.measured_from.set(Some(began + self.0.timing.warm_up));
        let mut senders = JoinSet::new();
        if let Pace::Closed(count) = self.0.timing.pace {
            let until = began + self.0.timing.length;
            tokio::time::sleep_until(began.into()).await;
            (0..count).for_each(|_| drop(senders.spawn_local(sender::closed(self.clone(), until))));
        } else {
            let places = self.0.pool.places();
            (0..places).for_each(|sender| drop(senders.spawn_local(sender::open(self.clone(), sender))));
            self.start_all(began).await?;
        }
        self.0.queue.end();
        let give_up_at = began + self.0.timing.length + self.0.timing.drain;
        let _ = tokio::time::timeout_at(give_up_at.into(), join_all(&mut senders)).await;
        senders.shutdown().await;
        Ok(self.starts())
    }

    /// Shows the source of the requests.
    pub(crate) fn look<T>(&self, show: impl FnOnce(&F) -> T) -> T {
        show(&self.0.source.borrow())
    }

    async fn start_all(&self, began: Instant) -> std::io::Result<()> {
        let clock = Clock::new(self.0.timing.tick)?;
        let mut behind = 0_u64;
        for (number, at) in (0..).zip(self.0.timing.pace.plan(self.0.timing.length)) {
            let intended = began + at;
            if !self.0.source.borrow_mut().is_own(number) {
                continue;
            }
            if intended > Instant::now() {
                clock.wait_until(intended).await;
            } else {
                behind += 1;
                if behind.is_multiple_of(64) {
                    // Behind schedule, or within a tick: the senders need their turn as well.
                    tokio::task::yield_now().await;
                }
            }
            self.count(intended, |starts| starts.planned += 1);
            self.0.queue.put(Start { number, intended, waited: false });
        }
        Ok(())
    }

    fn measures(&self, intended: Instant) -> bool {
        self.0.measured_from.get().is_some_and(|from| intended >= from)
    }

    fn count(&self, intended: Instant, change: impl FnOnce(&mut Starts)) {
        if self.measures(intended) {
            let mut starts = self.0.starts.get();
            change(&mut starts);
            self.0.starts.set(starts);
        }
    }
}

async fn join_all(senders: &mut JoinSet<()>) {
    while senders.join_next().await.is_some() {}
}
