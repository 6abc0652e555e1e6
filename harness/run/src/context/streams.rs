//! The streams of a scenario: the checkers follow them from the start, and judge them at the scenario's request.

use std::sync::Arc;

use checkers::stream::{FollowedStream, Stream, StreamRule, WatchRequest};
use model::{Breach, Halt, Request};

use super::Context;
use crate::invariant::streams_too_large;

impl Context {
    /// Lets the passive checkers follow a watch, if it is one of a collection.
    pub(crate) fn follow(&self, request: &Request, index: usize) -> Option<Arc<FollowedStream>> {
        let stream = Stream::new(WatchRequest::of(request)?);
        let place = (self.scenario().clone(), self.number(), index);
        Some(self.session().invariant_checks.write_log().follow(place, stream))
    }

    /// Judges all watches of this scenario, as far as they were read, by one rule of streams.
    pub fn expect_of_streams(&self, rule: StreamRule) -> Result<(), Halt> {
        let write_log = self.session().invariant_checks.write_log();
        let streams = write_log.judge(Some(self.number()));
        for (followed, findings) in &streams {
            if let Some(Breach { expected, actual }) = findings.breach(rule) {
                return Err(self.failed(expected, actual, Some(followed.index)));
            }
        }
        if write_log.is_full() {
            return Err(streams_too_large().into());
        }
        if streams.iter().any(|(_, findings)| findings.applied(rule)) {
            return Ok(());
        }
        Err(Halt::Skipped("no watch of this scenario exercises the clause".to_owned()))
    }
}
