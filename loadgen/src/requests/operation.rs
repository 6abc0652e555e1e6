//! The series of an operation, and their recording.

use std::time::Instant;

use harness::load::{DurationKind, ErrorClass, Scope, SeriesKey};

use super::load_request::Outcome;
use crate::recorder::{Recorder, SeriesId, between};
use crate::wire::RequestError;

/// An operation, with its series.
#[derive(Debug, Clone)]
pub struct Operation {
    latency: SeriesId,
    service: SeriesId,
    send_error: SeriesId,
    body: Option<(SeriesId, SeriesId)>,
}

/// The instants of one request.
#[derive(Debug, Clone, Copy)]
pub(super) struct Instants {
    pub(super) intended: Instant,
    pub(super) sent: Instant,
    pub(super) ended: Instant,
}

impl Operation {
    /// An operation with this verb, resource, scope and variant.
    pub fn new(recorder: &Recorder, verb: &str, resource: &str, scope: Scope, variant: &str) -> Self {
        let series = |kind| recorder.series(SeriesKey::new(verb, resource, scope, kind, variant));
        Self {
            latency: series(DurationKind::Latency),
            service: series(DurationKind::Service),
            send_error: series(DurationKind::SendError),
            body: None,
        }
    }

    /// With series for the first byte and the first item of the response.
    pub fn with_body(
        mut self,
        recorder: &Recorder,
        (verb, resource): (&str, &str),
        scope: Scope,
        variant: &str,
    ) -> Self {
        let series = |kind| recorder.series(SeriesKey::new(verb, resource, scope, kind, variant));
        self.body = Some((series(DurationKind::FirstByte), series(DurationKind::FirstEvent)));
        self
    }

    /// Records a request that has ended.
    pub(super) fn record(&self, recorder: &Recorder, at: Instants, outcome: &Outcome) {
        recorder.record_micros(self.send_error, between(at.intended, at.sent));
        let (latency, service) = (at.ended - at.intended, at.ended - at.sent);
        if let Some(request_error) = &outcome.request_error {
            recorder.give_up(self.latency, class(request_error), latency);
            recorder.give_up(self.service, class(request_error), service);
        } else if outcome.is_success() {
            recorder.record(self.latency, latency);
            recorder.record(self.service, service);
            self.record_body(recorder, at, outcome);
        } else if outcome.is_right_refusal {
            recorder.conflict(self.latency, latency);
            recorder.conflict(self.service, service);
        } else if outcome.is_complete() {
            recorder.fail(self.latency, ErrorClass::InvalidBody);
            recorder.fail(self.service, ErrorClass::InvalidBody);
        } else {
            let class = ErrorClass::Status(outcome.status.map_or(0, |status| status.as_u16()));
            recorder.fail(self.latency, class);
            recorder.fail(self.service, class);
        }
        recorder.bytes(self.latency, outcome.bytes);
    }

    /// Records a request that is given up at the end of the run.
    pub(super) fn pend(&self, recorder: &Recorder, intended: Instant, sent: Instant) {
        recorder.pend(self.latency, between(intended, Instant::now()));
        recorder.pend(self.service, between(sent, Instant::now()));
    }

    fn record_body(&self, recorder: &Recorder, at: Instants, outcome: &Outcome) {
        let Some((first_byte, first_item)) = self.body else { return };
        for (series, instant) in [(first_byte, outcome.first_byte), (first_item, outcome.first_item)] {
            if let Some(instant) = instant {
                recorder.record_micros(series, between(at.sent, instant));
            }
        }
    }
}

/// The error class of a request without a complete response.
pub(crate) fn class(request_error: &RequestError) -> ErrorClass {
    match request_error {
        RequestError::Unreachable(_) => ErrorClass::Connect,
        RequestError::Late => ErrorClass::Timeout,
        RequestError::Cut | RequestError::Reset | RequestError::GoAway | RequestError::RefusedStream => {
            ErrorClass::Cut
        }
    }
}
