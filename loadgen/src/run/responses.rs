//! The responses of the server to the load, second by second.

use std::time::Duration;

use harness::load::{DurationKind, Phase, Series};

/// Seconds without a response after which the server is gone.
const DEAD_AFTER: u32 = 3;

/// The responses so far.
#[derive(Debug, Default)]
pub(super) struct Responses {
    responded: u64,
    unresponsive: u64,
    silent: u32,
    /// When the last report with a response arrived, in milliseconds since the run began.
    last_ms: Option<u64>,
    is_lost: bool,
}

/// The rest of the measured time, and of the load, without a response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Silence {
    /// The part of the measured time before it, rounded up to the next report of responses.
    pub(crate) after: Duration,
    /// Its length until the end of the measured time, at least.
    pub(crate) length: Duration,
}

impl Responses {
    /// Takes the measurements of a report that arrives at this time.
    pub(super) fn take(&mut self, all: &[Series], now_ms: u64) {
        // The delay of sending is independent of the server.
        for series in all.iter().filter(|series| series.key.kind != DurationKind::SendError) {
            let of = |status: bool| {
                let errors = series.errors.iter();
                errors.filter(|(class, _)| class.is_response() == status).map(|(_, n)| n).sum::<u64>()
            };
            let responded = series.histogram.len() + of(true);
            if responded > 0 {
                self.last_ms = Some(now_ms);
            }
            self.responded += responded;
            self.unresponsive += of(false);
        }
    }

    /// Ends a second. `is_adrift`: watches were open, and none is.
    pub(super) fn end_second(&mut self, is_adrift: bool) {
        let responded = std::mem::take(&mut self.responded);
        let unresponsive = std::mem::take(&mut self.unresponsive);
        if responded > 0 {
            self.silent = 0;
        } else if unresponsive > 0 || is_adrift {
            self.silent += 1;
        }
    }

    /// The load has lost the server.
    pub(super) fn lose_server(&mut self) {
        self.is_lost = true;
    }

    /// Whether the server has become unreachable.
    pub(super) fn is_dead(&self) -> bool {
        self.is_lost || self.silent >= DEAD_AFTER
    }

    /// The silence behind the last response, if that arrived in the measured time.
    pub(super) fn silence(&self, measured: &Phase) -> Option<Silence> {
        let last = self.last_ms.filter(|last| (measured.from_ms..measured.to_ms).contains(last))?;
        let time = |from: u64, to: u64| Duration::from_millis(to - from);
        Some(Silence { after: time(measured.from_ms, last), length: time(last, measured.to_ms) })
    }
}

/// Whether the server refused the credentials of all attempts, and there are this many of them at least.
pub(super) fn are_all_refused<'a>(all: impl Iterator<Item = &'a Series>, enough: u64) -> bool {
    let attempts = all.filter(|series| series.key.kind == DurationKind::Latency);
    let counts = attempts.map(|series| (series.refused(), series.count));
    let (refused, count) = counts.fold((0, 0), |sum, counts| (sum.0 + counts.0, sum.1 + counts.1));
    count >= enough && refused == count
}

#[cfg(test)]
mod tests {
    use harness::load::{ErrorClass, PhaseName, Scope, SeriesKey};

    use super::*;

    fn latencies(record: impl FnOnce(&mut Series)) -> [Series; 1] {
        let key = SeriesKey::new("GET", "configmaps", Scope::Resource, DurationKind::Latency, "");
        let mut series = Series::new(key);
        record(&mut series);
        [series]
    }

    #[test]
    fn a_silence_begins_behind_the_last_response_in_the_measured_time() {
        let measured = Phase { name: PhaseName::Measure, from_ms: 2_000, to_ms: 10_000 };
        let mut responses = Responses::default();
        responses.take(&latencies(|series| series.record(5)), 1_900);
        assert_eq!(responses.silence(&measured), None, "all of the measured time is silent");
        responses.take(&latencies(|series| series.fail(ErrorClass::Status(500))), 6_000);
        responses.take(&latencies(|series| series.give_up(ErrorClass::Timeout, 5)), 9_000);
        responses.take(&latencies(|series| series.pend(5)), 12_000);
        let (after, length) = (Duration::from_secs(4), Duration::from_secs(4));
        assert_eq!(responses.silence(&measured), Some(Silence { after, length }));
        responses.take(&latencies(|series| series.record(5)), 13_000);
        assert_eq!(responses.silence(&measured), None, "a later response ends it");
    }

    #[test]
    fn a_server_is_dead_after_some_seconds_of_failures_without_a_response() {
        let mut responses = Responses::default();
        let mut end_second = |record: fn(&mut Series)| {
            responses.take(&latencies(record), 0);
            responses.end_second(false);
            responses.is_dead()
        };
        let late = |series: &mut Series| series.give_up(ErrorClass::Timeout, 5);
        assert!(!end_second(late) && !end_second(late) && !end_second(|_| {}) && end_second(late));
        assert!(!end_second(|series| series.record(5)));
        responses.lose_server();
        assert!(responses.is_dead());
    }
}
