//! One sender: takes a start, a place on a connection, and sends; again and again.

use std::time::{Duration, Instant};

use super::ask::{Ask, Outcome, exchange};
use super::books::Instants;
use super::queue::Start;
use super::{Feed, Operation, Requests};
use crate::recorder::Recorder;
use crate::wire::{Broken, Seat};

/// How long a sender waits after it got no connection: a server that is down is not to be flooded.
const PAUSE: Duration = Duration::from_millis(100);

/// On how many connections a request is tried that none of them has looked at.
const ATTEMPTS: usize = 4;

/// Sends what the queue says, until that has ended.
pub(super) async fn open<F: Feed + 'static>(requests: Requests<F>, sender: usize) {
    while let Some(start) = requests.0.queue.take(sender).await {
        let seat = requests.0.lines.seat().await;
        perform(&requests, start, seat).await;
    }
}

/// Sends one after the other until an instant, or until there is nothing to send.
pub(super) async fn closed<F: Feed + 'static>(requests: Requests<F>, until: Instant) {
    let mut number = 0;
    while Instant::now() < until {
        let seat = requests.0.lines.seat().await;
        let start = Start { number, intended: Instant::now(), waited: false };
        if !perform(&requests, start, seat).await {
            return;
        }
        number += 1;
    }
}

/// Performs one request; whether there was any.
async fn perform<F: Feed + 'static>(
    requests: &Requests<F>,
    start: Start,
    seat: Result<Seat, Broken>,
) -> bool {
    let inner = &*requests.0;
    let Some(ask) = inner.feed.borrow_mut().next(start.number, start.intended) else { return false };
    let sent = Instant::now();
    inner.feed.borrow_mut().sent(&ask, sent);
    requests.count(start.intended, |books| {
        books.sent += 1;
        books.late += u64::from(start.waited);
    });
    let operation = inner.operations.get(ask.operation).filter(|_| requests.measures(start.intended));
    let pending = operation.map(|operation| Pending { operation, recorder: &inner.recorder, start, sent });
    let outcome = send(requests, &ask, seat).await;
    let ended = Instant::now();
    if let Some(pending) = pending {
        pending.end(ended, &outcome);
    }
    let unreachable = matches!(outcome.broken, Some(Broken::Unreachable(_)));
    inner.feed.borrow_mut().done(ask, &outcome, ended);
    if unreachable {
        tokio::time::sleep(PAUSE).await;
    }
    true
}

/// What the server has not looked at, because it was closing the connection, is sent on another.
async fn send<F: Feed + 'static>(
    requests: &Requests<F>,
    ask: &Ask,
    mut seat: Result<Seat, Broken>,
) -> Outcome {
    for _ in 1..ATTEMPTS {
        let outcome = attempt(&seat, ask).await;
        if outcome.broken != Some(Broken::GoAway) {
            return outcome;
        }
        drop(seat);
        seat = requests.0.lines.seat().await;
    }
    attempt(&seat, ask).await
}

async fn attempt(seat: &Result<Seat, Broken>, ask: &Ask) -> Outcome {
    match seat {
        Ok(seat) => exchange(seat, ask).await,
        Err(broken) => Outcome { broken: Some(broken.clone()), ..Outcome::default() },
    }
}

/// A request under way. If it is given up it has taken at least so long.
struct Pending<'a> {
    operation: &'a Operation,
    recorder: &'a Recorder,
    start: Start,
    sent: Instant,
}

impl Pending<'_> {
    fn end(self, ended: Instant, outcome: &Outcome) {
        let at = Instants { intended: self.start.intended, sent: self.sent, ended };
        self.operation.book(self.recorder, at, outcome);
        std::mem::forget(self);
    }
}

impl Drop for Pending<'_> {
    fn drop(&mut self) {
        self.operation.pend(self.recorder, self.start.intended, self.sent);
    }
}
