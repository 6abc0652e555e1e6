//! Small GETs, one after the other, as two benchmarks send them.

use std::time::{Duration, Instant};

use harness::load::{Kind, Scope, SeriesKey};
use http::uri::PathAndQuery;
use loadgen::pace::Pace;
use loadgen::requests::{Ask, Course, Feed, Operation, Reading, Requests};
use loadgen::wire::{Call, Lines};
use loadgen::{Beat, Ledger, Recorder};

pub const PATH: &str = "/api/v1/namespaces/load/configmaps/a";

struct Gets;

impl Feed for Gets {
    fn next(&mut self, _: u64, _: Instant) -> Option<Ask> {
        let call = Call::get(PathAndQuery::from_static(PATH));
        let within = Duration::from_secs(10);
        Some(Ask { call, operation: 0, reading: Reading::Discard, within, stamp: None, token: 0 })
    }
}

/// Sends them over these connections for so long, and returns the starts and all that was measured.
pub async fn send(
    lines: Lines,
    pace: Pace,
    tick: Duration,
    length: Duration,
) -> (harness::load::Starts, Ledger) {
    let recorder = Recorder::default();
    let operation = Operation::new(&recorder, "GET", "configmaps", Scope::Resource, "");
    let course = Course { pace, warm_up: Duration::ZERO, length, drain: length, tick };
    let requests = Requests::new(lines, recorder.clone(), course, vec![operation], Gets);
    let starts = requests.run().await.unwrap();
    let mut ledger = Ledger::default();
    ledger.take(Beat { series: recorder.take(), ..Beat::empty("gets") });
    (starts, ledger)
}

/// A quantile of a kind, in milliseconds.
pub fn at(ledger: &Ledger, kind: Kind, q: f64) -> f64 {
    ledger.series(&key(kind)).unwrap().quantile(q).unwrap().at_least as f64 / 1e3
}

pub fn key(kind: Kind) -> SeriesKey {
    SeriesKey::new("GET", "configmaps", Scope::Resource, kind, "")
}
