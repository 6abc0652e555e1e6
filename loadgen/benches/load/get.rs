//! The cost of a small GET: paced at 5,000 and 20,000 a second, and in a closed loop beside an ordinary client.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use goose::GooseAttack;
use goose::config::GooseConfiguration;
use goose::goose::{GooseUser, Scenario, Transaction};
use harness::load::DurationKind;
use loadgen::pace::Pace;
use loadgen::wire::{ConnectionPool, Limits};
use serde_json::{Value, json};

use crate::stage::{self, Bench, gets};

const CONNECTIONS: usize = 50;
const LENGTH: Duration = Duration::from_secs(4);

pub(crate) const BENCH: Bench = Bench {
    name: "get",
    whole,
    sides: &[
        ("paced", paced),
        ("closed", closed),
        ("reqwest-gets", reqwest_side),
        ("goose-gets", goose_side),
        ("oha-gets", oha_side),
    ],
};

fn whole() {
    let server = stage::Server::start(&["plain"]);
    let url = server.url.clone();
    for (rate, tick) in [("5000", "1000"), ("20000", "1000"), ("20000", "100"), ("20000", "0")] {
        let reports: Vec<Value> =
            (0..stage::pairs(3)).map(|_| stage::side("paced", &[&url, rate, tick])).collect();
        print_paced(rate, tick, |name| stage::middle(&reports, name));
    }
    if oha(&["--version"]).output().is_ok() {
        for rate in ["5000", "20000"] {
            println!("paced {rate}/s, tick 1000 µs; other: oha with latency correction");
            let ours = || stage::side("paced", &[&url, rate, "1000"]);
            beside(ours, || stage::side("oha-gets", &[&url, rate]));
        }
    } else {
        println!("oha is not on the PATH: the comparison with it is LEFT OUT");
    }
    let ours = || stage::side("closed", &[&url]);
    println!("closed loop, {CONNECTIONS} connections; other: reqwest");
    beside(ours, || stage::side("reqwest-gets", &[&url]));
    println!("closed loop, {CONNECTIONS} connections; other: plain goose");
    beside(ours, || stage::side("goose-gets", &[&url]));
}

fn print_paced(rate: &str, tick: &str, number: impl Fn(&str) -> f64) {
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

fn beside(ours: impl FnMut() -> Value, other: impl FnMut() -> Value) {
    let (a, b) = stage::alternate(stage::pairs(3), ours, other);
    let both = (a.as_slice(), b.as_slice());
    stage::compare("processor time of each request", both, "cpu", "µs");
    stage::compare("requests a second", both, "rate", "/s");
}

fn paced(arguments: &[String]) -> Value {
    let rate = arguments[1].parse().unwrap();
    measure(&arguments[0], Pace::Fixed(rate), Duration::from_micros(arguments[2].parse().unwrap()))
}

fn closed(arguments: &[String]) -> Value {
    measure(&arguments[0], Pace::Closed(CONNECTIONS), Duration::ZERO)
}

fn measure(url: &str, pace: Pace, tick: Duration) -> Value {
    stage::runtime().block_on(async {
        let pool = ConnectionPool::new(stage::endpoint(url).await, Limits::connections(CONNECTIONS));
        pool.open_all().await.unwrap();
        let (meter, began) = (stage::Meter::start(), Instant::now());
        let (starts, aggregator) = gets::send(pool, pace, tick, LENGTH, gets::Gets).await;
        let (cpu, took) = (meter.cpu(), began.elapsed().as_secs_f64());
        let at = |kind, q| gets::at(&aggregator, kind, q);
        let count = aggregator.series(&gets::key(DurationKind::Latency)).unwrap().histogram.len() as f64;
        json!({
            "cpu": cpu / count, "rate": count / took, "kept": count * 100.0 / starts.planned as f64,
            "error50": at(DurationKind::SendError, 0.5), "error99": at(DurationKind::SendError, 0.99),
            "p50": at(DurationKind::Latency, 0.5), "p99": at(DurationKind::Latency, 0.99),
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
        json!({ "cpu": meter.cpu() / count, "rate": count / began.elapsed().as_secs_f64() })
    })
}

/// As in its documentation: a scenario of one request, users that repeat it, and its own client and numbers.
fn goose_side(arguments: &[String]) -> Value {
    let mut configuration = GooseConfiguration::default();
    configuration.host = Some(arguments[0].clone());
    (configuration.users, configuration.increase_rate) = (Some(CONNECTIONS), Some("1000".to_owned()));
    configuration.run_time = Some(format!("{}s", LENGTH.as_secs()));
    configuration.quiet = 2;
    (configuration.no_print_metrics, configuration.no_telnet, configuration.no_websocket) =
        (true, true, true);
    let request = Transaction::new(std::sync::Arc::new(|user: &mut GooseUser| {
        Box::pin(async move { user.get(gets::PATH).await.map(drop) })
    }));
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let (meter, began) = (stage::Meter::start(), Instant::now());
    let attack = GooseAttack::initialize_with_config(configuration).unwrap();
    let attack = attack.register_scenario(Scenario::new("gets").register_transaction(request));
    let metrics = runtime.block_on(attack.execute()).unwrap();
    let count: f64 = metrics.requests.values().map(|request| request.success_count as f64).sum();
    json!({ "cpu": meter.cpu() / count, "rate": count / began.elapsed().as_secs_f64() })
}

fn oha(arguments: &[&str]) -> Command {
    let mut command = Command::new("oha");
    command.args(arguments).stdin(Stdio::null()).stderr(Stdio::null());
    command
}

fn oha_side(arguments: &[String]) -> Value {
    let (length, connections) = (format!("{}s", LENGTH.as_secs()), CONNECTIONS.to_string());
    let url = format!("{}{}", arguments[0], gets::PATH);
    let began = Instant::now();
    let paced = ["-q", &arguments[1], "--latency-correction", "-z", &length, "-c", &connections];
    let output = oha(&paced).args(["--no-tui", "--output-format", "json", &url]).output().unwrap();
    let took = began.elapsed().as_secs_f64();
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let count = report["statusCodeDistribution"]["200"].as_f64().unwrap();
    json!({ "cpu": stage::cpu_of_children() / count, "rate": count / took })
}
