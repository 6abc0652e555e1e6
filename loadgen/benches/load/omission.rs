//! A server that stops for one second in a run of ten, at 1,000 requests a second: what is reported, beside what the
//! server saw of the same requests since they were meant to start, and what is reported by a tool that measures from
//! the instant of sending.

use std::time::{Duration, Instant};

use harness::load::DurationKind;
use loadgen::pace::Pace;
use loadgen::requests::{LoadRequest, RequestSource};
use loadgen::wire::{Call, ConnectionPool, Endpoint, Limits};
use serde_json::{Value, json};

use crate::stage::{self, Bench, clock, gets, server};

const RATE: f64 = 1_000.0;
const LENGTH: Duration = Duration::from_secs(10);
const STOP_AFTER: Duration = Duration::from_secs(4);
const STOP: u64 = 1_000;

const QUANTILES: [&str; 5] = ["p90", "p92", "p95", "p99", "p999"];

pub(crate) const BENCH: Bench = Bench { name: "omission", whole, sides: &[("stopped", ours)] };

fn whole() {
    println!(
        "the server stops for 1 s in 10 s, 1,000 requests/s; truth: as the server saw it; other: measured from the instant of sending"
    );
    let reports: Vec<Value> = (0..stage::pairs(3)).map(|_| run()).collect();
    let number = |name: &str| stage::middle(&reports, name);
    for name in QUANTILES {
        let (truth, ours) = (number(&format!("truth-{name}")), number(name));
        let (off, other) = (number(&format!("off-{name}")), number(&format!("service-{name}")));
        println!(
            "{name:<5} truth {truth:8.2} ms  ours {ours:8.2} ms ({off:+.2} %)  other {other:8.2} ms ({:+.1} %)",
            (other / truth - 1.0) * 100.0
        );
    }
    println!(
        "planned {} sent {} late {} dropped {} measured {}",
        number("planned"),
        number("sent"),
        number("late"),
        number("dropped"),
        number("measured")
    );
}

fn run() -> Value {
    let server = stage::Server::start(&["plain"]);
    stage::side("stopped", &[&server.url])
}

fn ours(arguments: &[String]) -> Value {
    stage::runtime().block_on(async {
        let endpoint = stage::endpoint(&arguments[0]).await;
        let pool = ConnectionPool::new(endpoint.clone(), Limits::connections(50));
        pool.open_all().await.unwrap();
        tokio::task::spawn_local(stop(endpoint.clone()));
        let (tick, dated) = (Duration::from_millis(1), Dated(clock::Anchor::now()));
        let (starts, aggregator) = gets::send(pool, Pace::Fixed(RATE), tick, LENGTH, dated).await;
        let at = |kind, q| gets::at(&aggregator, kind, q);
        let truth = stage::truth(&endpoint).await;
        let mut report = json!({
            "planned": starts.planned, "sent": starts.sent, "late": starts.late, "dropped": starts.dropped,
            "measured": aggregator.series(&gets::key(DurationKind::Latency)).unwrap().count,
        });
        for name in QUANTILES {
            let q = server::quantile(name);
            let (ours, truth) = (at(DurationKind::Latency, q), truth[name].as_f64().unwrap());
            report[name] = json!(ours);
            report[format!("truth-{name}")] = json!(truth);
            report[format!("off-{name}")] = json!((ours / truth - 1.0) * 100.0);
            report[format!("service-{name}")] = json!(at(DurationKind::Service, q));
        }
        report
    })
}

/// Requests that say when they were meant to start, so that the server can tell how long they took since.
struct Dated(clock::Anchor);

impl RequestSource for Dated {
    fn next(&mut self, _: u64, intended: Instant) -> Option<LoadRequest> {
        Some(gets::load_request(
            format!("{}?intended={}", gets::PATH, self.0.nanos(intended)).parse().unwrap(),
        ))
    }
}

/// Has the server stop, over a connection of its own.
async fn stop(endpoint: Endpoint) {
    let pool = ConnectionPool::new(endpoint, Limits::connections(1));
    pool.open_all().await.unwrap();
    tokio::time::sleep(STOP_AFTER).await;
    let permit = pool.permit().await.unwrap();
    let call = Call::get(format!("/stop/{STOP}").parse().unwrap());
    let mut response = permit.send(&call).await.unwrap();
    response.body.discard().await.unwrap();
}
