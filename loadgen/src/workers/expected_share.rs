//! What a complete share has: the coordinator knows it without the worker.

use super::documents::WorkerResult;
use crate::share::Share;
use crate::watch_pool::WatchPoolSummary;
use crate::workload::{Verb, Way, Workload};

/// The share of one worker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ExpectedShare {
    /// The measured starts of an open loop.
    starts: Option<u64>,
    /// The senders of a closed loop.
    senders: Option<u64>,
    watches: Option<u64>,
    slow: Option<u64>,
    /// Whether watches and requests have no series in common.
    are_apart: bool,
}

impl ExpectedShare {
    pub(super) fn new(share: Share, whole: &Workload, starts: Option<u64>) -> Self {
        let own = share.divide(whole);
        let mut operations = whole.requests.iter().flat_map(|requests| &requests.operations);
        let are_alike = operations.any(|one| one.verb == Verb::List && one.way == Way::Plain);
        Self {
            are_apart: !(are_alike && whole.watches.is_some()),
            starts,
            senders: own.requests.and_then(|requests| requests.closed).map(|senders| senders as u64),
            watches: own.watches.map(|watches| watches.count as u64),
            slow: own.slow.map(|slow| slow.count as u64),
        }
    }

    /// Compares the result of a worker and the attempts in its series with the share; the error is a sentence.
    pub(super) fn check(&self, result: &WorkerResult, attempts: u64) -> Result<(), String> {
        let planned = |summary: &Option<WatchPoolSummary>| summary.as_ref().map(|one| one.watches.planned);
        let starts = result.found.requests.starts;
        let counts = [
            ("starts of requests", starts.map(|starts| starts.planned), self.starts),
            ("senders", result.found.requests.senders.map(|senders| senders.planned), self.senders),
            ("watches", planned(&result.found.healthy), self.watches),
            ("slow watches", planned(&result.found.slow), self.slow),
        ];
        for (what, counted, expected) in counts {
            if counted != expected {
                let (counted, expected) = (counted.unwrap_or(0), expected.unwrap_or(0));
                return Err(format!("it counts {counted} {what}, and its share has {expected}"));
            }
        }
        let Some(starts) = starts else { return Ok(()) };
        if starts.sent.saturating_add(starts.dropped) != starts.planned || starts.late > starts.sent {
            return Err("the counts of its starts contradict each other".to_owned());
        }
        if self.are_apart && attempts != starts.sent {
            let sent = starts.sent;
            return Err(format!("it counts {sent} requests, and its interval reports have {attempts}"));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use harness::load::Starts;

    use super::*;

    fn result(planned: u64, sent: u64, watches: Option<u64>) -> WorkerResult {
        let mut result = WorkerResult::nothing();
        let dropped = planned.saturating_sub(sent);
        result.found.requests.starts = Some(Starts { planned, sent, late: 0, dropped });
        result.found.healthy = watches.map(|planned| {
            let mut summary = WatchPoolSummary::default();
            summary.watches.planned = planned;
            summary
        });
        result
    }

    #[test]
    fn a_result_without_its_share_is_refused() {
        let whole = Workload::named("watch-fanout").unwrap();
        let share = Share { index: 1, of: 2 };
        let watches = share.divide(&whole).watches.map(|watches| watches.count as u64);
        let expected = ExpectedShare::new(share, &whole, Some(60));
        assert_eq!(expected.check(&result(60, 60, watches), 60), Ok(()));
        assert_eq!(expected.check(&result(60, 58, watches), 58), Ok(()));
        for (result, attempts, why) in [
            (result(0, 0, watches), 0, "it counts 0 starts of requests, and its share has 60"),
            (result(60, 60, watches), 0, "it counts 60 requests, and its interval reports have 0"),
            (result(60, 60, None), 60, "it counts 0 watches, and its share has "),
            (result(60, 61, watches), 61, "the counts of its starts contradict each other"),
            (WorkerResult::nothing(), 0, "it counts 0 starts of requests, and its share has 60"),
        ] {
            let error = expected.check(&result, attempts).unwrap_err();
            assert!(error.starts_with(why), "{error}");
        }
    }

    #[test]
    fn lists_of_watches_are_no_requests() {
        let mut whole = Workload::named("watch-fanout").unwrap();
        let operation = &mut whole.requests.as_mut().unwrap().operations[0];
        (operation.verb, operation.way) = (Verb::List, Way::Plain);
        let expected = ExpectedShare::new(Share::WHOLE, &whole, Some(60));
        let watches = whole.watches.map(|watches| watches.count as u64);
        assert_eq!(expected.check(&result(60, 60, watches), 0), Ok(()));
    }
}
