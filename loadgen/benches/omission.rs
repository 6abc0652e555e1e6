//! A server that stops for one second in a run of ten, at 1,000 requests a second: what is reported, beside what a tool
//! reports that measures from the instant of sending.
#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a benchmark prints what it finds, and ends where it cannot go on"
)]

mod stage;

use std::time::Duration;

use harness::load::Kind;
use loadgen::pace::Pace;
use loadgen::wire::{Call, Endpoint, Limits, Lines};
use serde_json::{Value, json};
use stage::gets;

const RATE: f64 = 1_000.0;
const LENGTH: Duration = Duration::from_secs(10);
const STOP_AFTER: Duration = Duration::from_secs(4);
const STOP: f64 = 1_000.0;

fn main() {
    stage::begin(&[("ours", ours)], whole);
}

fn whole() {
    let server = stage::Server::start(&["plain"]);
    println!(
        "the server stops for 1 s in 10 s, 1,000 requests/s; other: measured from the instant of sending"
    );
    let reports: Vec<Value> = (0..stage::pairs(3)).map(|_| stage::side("ours", &[&server.url])).collect();
    let number =
        |name: &str| stage::median(reports.iter().map(|report| report[name].as_f64().unwrap_or(f64::NAN)));
    for (name, q) in [("p92", 0.92), ("p95", 0.95), ("p99", 0.99), ("p999", 0.999)] {
        // A tenth of the starts wait from all of the stop down to nothing.
        let truth = STOP * (1.0 - (1.0 - q) * LENGTH.as_secs_f64() * 1e3 / STOP);
        let (ours, other) = (number(name), number(&format!("service-{name}")));
        println!(
            "{name:<5} truth {truth:7.1} ms  ours {ours:7.1} ms ({:+.1} %)  other {other:7.1} ms",
            (ours / truth - 1.0) * 100.0
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

fn ours(arguments: &[String]) -> Value {
    stage::runtime().block_on(async {
        let endpoint = stage::endpoint(&arguments[0]).await;
        let lines = Lines::new(endpoint.clone(), Limits::lines(50));
        lines.open_all().await.unwrap();
        tokio::task::spawn_local(stop(endpoint));
        let tick = Duration::from_millis(1);
        let (starts, ledger) = gets::send(lines, Pace::Fixed(RATE), tick, LENGTH).await;
        let at = |kind, q| gets::at(&ledger, kind, q);
        let mut report = json!({
            "planned": starts.planned, "sent": starts.sent, "late": starts.late, "dropped": starts.dropped,
            "measured": ledger.series(&gets::key(Kind::Latency)).unwrap().count,
        });
        for (name, q) in [("p92", 0.92), ("p95", 0.95), ("p99", 0.99), ("p999", 0.999)] {
            report[name] = json!(at(Kind::Latency, q));
            report[format!("service-{name}")] = json!(at(Kind::Service, q));
        }
        report
    })
}

/// Has the server stop, over a connection of its own.
async fn stop(endpoint: Endpoint) {
    let lines = Lines::new(endpoint, Limits::lines(1));
    lines.open_all().await.unwrap();
    tokio::time::sleep(STOP_AFTER).await;
    let seat = lines.seat().await.unwrap();
    let call = Call::get(format!("/stop/{STOP}").parse().unwrap());
    let mut answer = seat.send(&call).await.unwrap();
    answer.body.discard().await.unwrap();
}
