//! Deliveries: 10,000 watches, every write goes to all of them, 3.7 kB each. Beside a client that parses every event,
//! and with a server that holds some events back.

use std::sync::Arc;
use std::time::{Duration, Instant};

use bytes::Bytes;
use harness::load::{DurationKind, Scope, SeriesKey};
use http::{HeaderMap, Method};
use loadgen::generator::{self, TimerMonitor};
use loadgen::pace::Pace;
use loadgen::requests::{LoadRequest, Operation, Outcome, Reading, RequestSource, RequestTiming, Requests};
use loadgen::stamp::Stamps;
use loadgen::wire::{Call, ConnectionPool, Endpoint, Limits};
use loadgen::{Aggregator, IntervalReport, Recorder, Worker};
use serde_json::{Value, json};
use tokio::sync::mpsc;

use crate::stage::{self, Bench};

/// So many writes go to an object before the next to it.
const OBJECTS: usize = 1_000;

const SECONDS: Duration = Duration::from_secs(6);
const WARM_UP: Duration = Duration::from_secs(1);

pub(crate) const BENCH: Bench = Bench { name: "fanout", whole, sides: &[("deliveries", client)] };

fn whole() {
    let (a, b) =
        stage::alternate(stage::pairs(3), || run("tls", 10_000, 5.0, 1_000), || run("tls", 10_000, 5.0, 1));
    let both = (a.as_slice(), b.as_slice());
    println!("50,000 deliveries/s offered; other: every event parsed to a Value");
    report(both);
    let (a, b) =
        stage::alternate(stage::pairs(3), || run("tls", 10_000, 10.0, 1_000), || run("tls", 10_000, 10.0, 1));
    println!("100,000 deliveries/s offered; other: every event parsed to a Value");
    report((a.as_slice(), b.as_slice()));
    // Few watches, so that the truth is the server's delay and not the time that a write takes to reach all of them.
    println!("1 % of the events held back by 200 ms, 100 watches, 500 writes/s; other: as the server saw it");
    let held: Vec<Value> = (0..stage::pairs(3)).map(|_| run("hold", 100, 500.0, 1_000)).collect();
    let truth: Vec<Value> = held.iter().map(|report| report["truth"].clone()).collect();
    for name in ["p50", "p99", "p995"] {
        stage::compare(&format!("lag since sent, {name}"), (&held, &truth), name, "ms");
    }
}

fn report(both: (&[Value], &[Value])) {
    stage::compare("processor time of each delivery", both, "cpu", "µs");
    stage::compare("deliveries a second", both, "rate", "/s");
    stage::compare("delivered of expected", both, "delivered", "%");
    stage::compare("lag since sent, p50", both, "p50", "ms");
    stage::compare("lag since sent, p99", both, "p99", "ms");
    stage::compare("own delay, p99", both, "queueing", "ms");
    stage::compare("memory, whole process", both, "memory", "MB");
    stage::compare("cores used", both, "cores", "");
}

fn run(server: &str, watches: usize, writes: f64, check: u64) -> Value {
    let server = stage::Server::start(&["tls", server]);
    let (watches, writes, check) = (watches.to_string(), writes.to_string(), check.to_string());
    stage::side("deliveries", &[&server.url, &watches, &writes, &check])
}

fn client(arguments: &[String]) -> Value {
    let watches: usize = arguments[1].parse().unwrap();
    stage::runtime().block_on(async {
        let endpoint = stage::endpoint(&arguments[0]).await;
        let stamps = Arc::new(Stamps::new(0, OBJECTS));
        let (interval_reports, receiver) = mpsc::unbounded_channel();
        let watch_pool = stage::watch_pool(watches, arguments[3].parse().unwrap());
        let watch_pool = watch_pool.launch(&endpoint, &stamps, &interval_reports).unwrap();
        assert_eq!(watch_pool.all_open(Duration::from_secs(30)).await, watches as u64);
        let (timer_monitor, meter, began) =
            (TimerMonitor::start(Instant::now()).unwrap(), stage::Meter::start(), Instant::now());
        let writer = writer(&endpoint, &stamps, arguments[2].parse().unwrap());
        writer.join().await.unwrap();
        watch_pool.all_delivered(stamps.writes() * watches as u64, Duration::from_secs(3)).await;
        let (cpu, took) = (meter.cpu(), began.elapsed());
        let (events, truth) = (watch_pool.delivered() as f64, stage::truth(&endpoint).await);
        let account = watch_pool.stop().await.unwrap();
        drop(interval_reports);
        let aggregator = fold(receiver).await;
        let lag = aggregator.series(&lag()).unwrap();
        let at = |q: f64| lag.quantile(q).unwrap().at_least as f64 / 1e3;
        let generator = timer_monitor.report(aggregator.queueing().clone());
        json!({
            "cpu": cpu / events, "cores": cpu / took.as_secs_f64() / 1e6,
            "rate": events / took.as_secs_f64().min((SECONDS + WARM_UP).as_secs_f64()),
            "delivered": account.deliveries.delivered as f64 * 100.0 / account.deliveries.expected as f64,
            "p50": at(0.5), "p99": at(0.99), "p995": at(0.995), "truth": truth,
            "queueing": generator.queueing.inner().value_at_quantile(0.99) as f64 / 1e3,
            "memory": stage::megabytes(generator::peak_memory()),
            "misread": account.checks.misread, "broken": account.broken_rules.breaches().collect::<Vec<_>>(),
        })
    })
}

async fn fold(mut interval_reports: mpsc::UnboundedReceiver<IntervalReport>) -> Aggregator {
    let mut aggregator = Aggregator::default();
    while let Some(interval_report) = interval_reports.recv().await {
        aggregator.take(interval_report);
    }
    aggregator
}

fn lag() -> SeriesKey {
    SeriesKey::new("WATCH", "pods", Scope::Namespace, DurationKind::LagSent, "")
}

/// Writes to one object after the other.
struct Writes {
    stamps: Arc<Stamps>,
    warm_until: Option<Instant>,
}

impl RequestSource for Writes {
    fn next(&mut self, number: u64, intended: Instant) -> Option<LoadRequest> {
        let object = number as usize % OBJECTS;
        if self.warm_until.is_some_and(|until| intended >= until) {
            self.warm_until = None;
            self.stamps.measure_from_now();
        }
        let stamp = self.stamps.issue(object, intended)?;
        let body =
            format!("{{\"metadata\":{{\"annotations\":{{\"kube-assay/stamp\":\"{}\"}}}}}}", stamp.text());
        let path = format!("/api/v1/namespaces/load/pods/o{object}").parse().unwrap();
        let call = Call { method: Method::PUT, path, headers: HeaderMap::new(), body: Bytes::from(body) };
        let within = Duration::from_secs(10);
        Some(LoadRequest {
            call,
            operation: 0,
            reading: Reading::Discard,
            within,
            stamp: Some(stamp),
            not_older_than: 0,
            list_began: None,
            token: 0,
        })
    }

    fn sent(&mut self, load_request: &LoadRequest, at: Instant) {
        load_request.stamp.into_iter().for_each(|stamp| self.stamps.sent(stamp, at));
    }

    fn done(&mut self, load_request: LoadRequest, outcome: &Outcome, at: Instant) {
        let Some(stamp) = load_request.stamp else { return };
        if outcome.is_success() { self.stamps.acknowledged(stamp, at) } else { self.stamps.lost_sight(stamp) }
    }
}

fn writer(endpoint: &Endpoint, stamps: &Arc<Stamps>, rate: f64) -> Worker<harness::load::Starts> {
    let (endpoint, stamps) = (endpoint.clone(), stamps.clone());
    let timing = RequestTiming {
        pace: Pace::Fixed(rate),
        warm_up: WARM_UP,
        length: WARM_UP + SECONDS,
        drain: Duration::from_secs(5),
        tick: Duration::ZERO,
    };
    let work = move || async move {
        let (recorder, pool) = (Recorder::default(), ConnectionPool::new(endpoint, Limits::connections(1)));
        pool.open_all().await.unwrap();
        let operation = Operation::new(&recorder, "PUT", "pods", Scope::Resource, "");
        stamps.warm_up();
        let source = Writes { stamps, warm_until: Some(Instant::now() + WARM_UP) };
        Requests::new(pool, recorder, timing, vec![operation], source).run().await.unwrap()
    };
    Worker::start("writes", work).unwrap()
}
