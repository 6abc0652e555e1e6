//! Small GETs, as two benchmarks send them.

use std::time::{Duration, Instant};

use harness::load::{DurationKind, Scope, SeriesKey};
use http::uri::PathAndQuery;
use loadgen::pace::Pace;
use loadgen::requests::{LoadRequest, Operation, Reading, RequestSource, RequestTiming, Requests};
use loadgen::wire::{Call, ConnectionPool};
use loadgen::{Aggregator, IntervalReport, Recorder};

pub(crate) const PATH: &str = "/api/v1/namespaces/load/configmaps/a";

/// The same request again and again.
pub(crate) struct Gets;

impl RequestSource for Gets {
    fn next(&mut self, _: u64, _: Instant) -> Option<LoadRequest> {
        Some(load_request(PathAndQuery::from_static(PATH)))
    }
}

/// A request for this.
pub(crate) fn load_request(path: PathAndQuery) -> LoadRequest {
    let (call, within) = (Call::get(path), Duration::from_secs(10));
    LoadRequest {
        call,
        operation: 0,
        reading: Reading::Discard,
        within,
        stamp: None,
        not_older_than: 0,
        list_began: None,
        token: 0,
    }
}

/// Sends them over these connections for so long, and returns the starts and all that was measured.
pub(crate) async fn send(
    pool: ConnectionPool,
    pace: Pace,
    tick: Duration,
    length: Duration,
    source: impl RequestSource + 'static,
) -> (harness::load::Starts, Aggregator) {
    let recorder = Recorder::default();
    let operation = Operation::new(&recorder, "GET", "configmaps", Scope::Resource, "");
    let timing = RequestTiming { pace, warm_up: Duration::ZERO, length, drain: length, tick };
    let requests = Requests::new(pool, recorder.clone(), timing, vec![operation], source);
    let starts = requests.run().await.unwrap();
    let mut aggregator = Aggregator::default();
    aggregator.take(IntervalReport { series: recorder.take(), ..IntervalReport::empty("gets") });
    (starts, aggregator)
}

/// A quantile of a kind, in milliseconds.
pub(crate) fn at(aggregator: &Aggregator, kind: DurationKind, q: f64) -> f64 {
    aggregator.series(&key(kind)).unwrap().quantile(q).unwrap().at_least as f64 / 1e3
}

pub(crate) fn key(kind: DurationKind) -> SeriesKey {
    SeriesKey::new("GET", "configmaps", Scope::Resource, kind, "")
}
