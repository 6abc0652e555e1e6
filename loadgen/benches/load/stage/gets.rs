//! Small GETs, as two benchmarks send them.

use std::time::{Duration, Instant};

use harness::load::{Kind, Scope, SeriesKey};
use http::uri::PathAndQuery;
use loadgen::pace::Pace;
use loadgen::requests::{Ask, Course, Feed, Operation, Reading, Requests};
use loadgen::wire::{Call, Lines};
use loadgen::{Beat, Ledger, Recorder};

pub(crate) const PATH: &str = "/api/v1/namespaces/load/configmaps/a";

/// The same request again and again.
pub(crate) struct Gets;

impl Feed for Gets {
    fn next(&mut self, _: u64, _: Instant) -> Option<Ask> {
        Some(ask(PathAndQuery::from_static(PATH)))
    }
}

/// A request for this.
pub(crate) fn ask(path: PathAndQuery) -> Ask {
    let (call, within) = (Call::get(path), Duration::from_secs(10));
    Ask { call, operation: 0, reading: Reading::Discard, within, stamp: None, token: 0 }
}

/// Sends them over these connections for so long, and returns the starts and all that was measured.
pub(crate) async fn send(
    lines: Lines,
    pace: Pace,
    tick: Duration,
    length: Duration,
    feed: impl Feed + 'static,
) -> (harness::load::Starts, Ledger) {
    let recorder = Recorder::default();
    let operation = Operation::new(&recorder, "GET", "configmaps", Scope::Resource, "");
    let course = Course { pace, warm_up: Duration::ZERO, length, drain: length, tick };
    let requests = Requests::new(lines, recorder.clone(), course, vec![operation], feed);
    let starts = requests.run().await.unwrap();
    let mut ledger = Ledger::default();
    ledger.take(Beat { series: recorder.take(), ..Beat::empty("gets") });
    (starts, ledger)
}

/// A quantile of a kind, in milliseconds.
pub(crate) fn at(ledger: &Ledger, kind: Kind, q: f64) -> f64 {
    ledger.series(&key(kind)).unwrap().quantile(q).unwrap().at_least as f64 / 1e3
}

pub(crate) fn key(kind: Kind) -> SeriesKey {
    SeriesKey::new("GET", "configmaps", Scope::Resource, kind, "")
}
