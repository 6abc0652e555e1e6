//! The cost of a small GET: paced at 5,000 and 20,000 a second, and as fast as answers come beside an ordinary client.
#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a benchmark prints what it finds, and ends where it cannot go on"
)]

mod stage;

use std::time::{Duration, Instant};

use harness::load::Kind;
use loadgen::generator;
use loadgen::pace::Pace;
use loadgen::wire::{Limits, Lines};
use serde_json::{Value, json};
use stage::gets;

const CONNECTIONS: usize = 50;
const LENGTH: Duration = Duration::from_secs(4);

fn main() {
    stage::begin(&[("paced", paced), ("closed", closed), ("reqwest", reqwest_side)], whole);
}

fn whole() {
    let server = stage::Server::start(&["plain"]);
    let url = server.url.clone();
    for (rate, tick) in [("5000", "1000"), ("20000", "1000"), ("20000", "100"), ("20000", "0")] {
        let reports: Vec<Value> =
            (0..stage::pairs(3)).map(|_| stage::side("paced", &[&url, rate, tick])).collect();
        let number = |name: &str| {
            stage::median(reports.iter().map(|report| report[name].as_f64().unwrap_or(f64::NAN)))
        };
        println!(
            "paced {rate:>6}/s, tick {tick:>4} µs: {:6.2} µs processor time each, {:.2} % of the pace, send error p50 {:.3} ms p99 {:.3} ms, latency p50 {:.3} ms p99 {:.3} ms",
            number("cpu"),
            number("kept"),
            number("error50"),
            number("error99"),
            number("p50"),
            number("p99")
        );
    }
    let (a, b) = stage::alternate(
        stage::pairs(3),
        || stage::side("closed", &[&url]),
        || stage::side("reqwest", &[&url]),
    );
    let both = (a.as_slice(), b.as_slice());
    println!("closed loop, {CONNECTIONS} connections; other: reqwest");
    stage::compare("processor time of each request", both, "cpu", "µs");
    stage::compare("requests a second", both, "rate", "/s");
    stage::compare("memory, whole process", both, "memory", "MB");
}

fn paced(arguments: &[String]) -> Value {
    let rate = arguments[1].parse().unwrap();
    ask(&arguments[0], Pace::Fixed(rate), Duration::from_micros(arguments[2].parse().unwrap()))
}

fn closed(arguments: &[String]) -> Value {
    ask(&arguments[0], Pace::Closed(CONNECTIONS), Duration::ZERO)
}

fn ask(url: &str, pace: Pace, tick: Duration) -> Value {
    stage::runtime().block_on(async {
        let lines = Lines::new(stage::endpoint(url).await, Limits::lines(CONNECTIONS));
        lines.open_all().await.unwrap();
        let (meter, began) = (stage::Meter::start(), Instant::now());
        let (starts, ledger) = gets::send(lines, pace, tick, LENGTH).await;
        let (cpu, took) = (meter.cpu(), began.elapsed().as_secs_f64());
        let at = |kind, q| gets::at(&ledger, kind, q);
        let count = ledger.series(&gets::key(Kind::Latency)).unwrap().histogram.len() as f64;
        json!({
            "cpu": cpu / count, "rate": count / took, "kept": count * 100.0 / starts.planned as f64,
            "error50": at(Kind::SendError, 0.5), "error99": at(Kind::SendError, 0.99),
            "p50": at(Kind::Latency, 0.5), "p99": at(Kind::Latency, 0.99),
            "memory": stage::megabytes(generator::peak_memory()),
        })
    })
}

fn reqwest_side(arguments: &[String]) -> Value {
    let url = format!("{}{}", arguments[0], gets::PATH);
    stage::runtime().block_on(async {
        let client = reqwest::Client::new();
        let mut tasks = tokio::task::JoinSet::new();
        let (meter, began) = (stage::Meter::start(), Instant::now());
        for _ in 0..CONNECTIONS {
            let (client, url) = (client.clone(), url.clone());
            tasks.spawn(async move {
                let mut count = 0_u64;
                while began.elapsed() < LENGTH {
                    client.get(&url).send().await.unwrap().bytes().await.unwrap();
                    count += 1;
                }
                count
            });
        }
        let count = tasks.join_all().await.into_iter().sum::<u64>() as f64;
        let memory = stage::megabytes(generator::peak_memory());
        json!({ "cpu": meter.cpu() / count, "rate": count / began.elapsed().as_secs_f64(), "memory": memory })
    })
}
