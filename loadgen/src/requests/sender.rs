//! A sender: takes a start and a stream permit, and sends; repeatedly.

use std::time::{Duration, Instant};

use http::StatusCode;

use super::load_request::{LoadRequest, Outcome, exchange};
use super::operation::Instants;
use super::queue::Start;
use super::{Operation, RequestSource, Requests};
use crate::recorder::Recorder;
use crate::wire::{RequestError, StreamPermit};

/// The pause of a sender without a connection: it must not flood a server that is down.
const PAUSE: Duration = Duration::from_millis(100);

/// The maximum number of connections for a request that the server has not processed.
const ATTEMPTS: usize = 4;

/// Sends a request for each start, until the queue ends.
pub(super) async fn open<F: RequestSource + 'static>(requests: Requests<F>, sender: usize) {
    while let Some(start) = requests.0.queue.take(sender).await {
        let permit = requests.0.pool.permit().await;
        if !perform(&requests, start, permit).await {
            requests.count(start.intended, |starts| starts.dropped += 1);
        }
    }
}

/// Sends one request after the other until an instant, or until there is none to send.
pub(super) async fn closed<F: RequestSource + 'static>(requests: Requests<F>, until: Instant) {
    let (mut number, mut has_measured) = (0, false);
    while Instant::now() < until {
        let permit = requests.0.pool.permit().await;
        let start = Start { number, intended: Instant::now(), waited: false };
        if start.intended >= until {
            // It waited for a connection until the end.
            return;
        }
        if !has_measured && requests.measures(start.intended) {
            has_measured = true;
            requests.0.measuring.update(|senders| senders + 1);
        }
        if !perform(&requests, start, permit).await {
            return;
        }
        number += 1;
    }
}

/// Performs one request; returns whether there was one.
async fn perform<F: RequestSource + 'static>(
    requests: &Requests<F>,
    start: Start,
    permit: Result<StreamPermit, RequestError>,
) -> bool {
    let inner = &*requests.0;
    let Some(load_request) = inner.source.borrow_mut().next(start.number, start.intended) else {
        return false;
    };
    let sent = Instant::now();
    inner.source.borrow_mut().sent(&load_request, sent);
    requests.count(start.intended, |starts| {
        starts.sent += 1;
        starts.late += u64::from(start.waited);
    });
    let operation =
        inner.operations.get(load_request.operation).filter(|_| requests.measures(start.intended));
    let pending = operation.map(|operation| Pending { operation, recorder: &inner.recorder, start, sent });
    let mut outcome = send(requests, &load_request, permit).await;
    let ended = outcome.ended.unwrap_or_else(Instant::now);
    outcome.is_right_refusal = match outcome.status {
        Some(StatusCode::CONFLICT) => inner.source.borrow().may_conflict(&load_request),
        Some(StatusCode::GONE) => load_request.may_be_expired(),
        _ => false,
    };
    if let Some(pending) = pending {
        pending.end(ended, &outcome);
    }
    let unreachable = matches!(outcome.request_error, Some(RequestError::Unreachable(_)));
    inner.source.borrow_mut().done(load_request, &outcome, ended);
    if unreachable {
        tokio::time::sleep(PAUSE).await;
    }
    true
}

/// Sends a request again on another connection if the server closed the first one before it processed the request.
async fn send<F: RequestSource + 'static>(
    requests: &Requests<F>,
    load_request: &LoadRequest,
    mut permit: Result<StreamPermit, RequestError>,
) -> Outcome {
    for _ in 1..ATTEMPTS {
        let outcome = attempt(&permit, load_request).await;
        if !outcome.request_error.as_ref().is_some_and(RequestError::is_unprocessed) {
            return outcome;
        }
        drop(permit);
        permit = requests.0.pool.permit().await;
    }
    attempt(&permit, load_request).await
}

async fn attempt(permit: &Result<StreamPermit, RequestError>, load_request: &LoadRequest) -> Outcome {
    match permit {
        Ok(permit) => exchange(permit, load_request).await,
        Err(request_error) => Outcome { request_error: Some(request_error.clone()), ..Outcome::default() },
    }
}

/// A request in flight. Dropping it records its duration so far.
struct Pending<'a> {
    operation: &'a Operation,
    recorder: &'a Recorder,
    start: Start,
    sent: Instant,
}

impl Pending<'_> {
    fn end(self, ended: Instant, outcome: &Outcome) {
        let at = Instants { intended: self.start.intended, sent: self.sent, ended };
        self.operation.record(self.recorder, at, outcome);
        std::mem::forget(self);
    }
}

impl Drop for Pending<'_> {
    fn drop(&mut self) {
        self.operation.pend(self.recorder, self.start.intended, self.sent);
    }
}
