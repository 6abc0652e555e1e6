//! A watch pool against the reference server: right, wrong, cut off, and compacted behind its back.
#![allow(clippy::unwrap_used, reason = "a failed test panics")]

mod going_away;

use std::sync::Arc;
use std::time::{Duration, Instant};

use bytes::Bytes;
use harness::load::{Breach, Deliveries, DurationKind, Ending, Scope};
use harness::{Access, Flags};
use http::{HeaderMap, HeaderValue, Method};
use loadgen::pace::Pace;
use loadgen::requests::{LoadRequest, Operation, Outcome, Reading, RequestSource, RequestTiming, Requests};
use loadgen::scan::Collection;
use loadgen::stamp::Stamps;
use loadgen::watch_pool::{ReadRate, Route, RunningWatchPool, WatchPool, WatchPoolSummary};
use loadgen::wire::{Call, ConnectionPool, Endpoint, Limits, Plain};
use loadgen::{Aggregator, Recorder, Worker};
use reference::{Options, Server};
use tokio::sync::mpsc;

const COLLECTION: &str = "/api/v1/namespaces/default/configmaps";
const WATCHES: usize = 12;
const OBJECTS: u64 = 3;
const WRITES: u64 = 30;
const LONG: Duration = Duration::from_secs(30);

/// A server with watches on it, and writes to come.
struct Stage {
    server: Server,
    endpoint: Endpoint,
    stamps: Arc<Stamps>,
    watch_pool: RunningWatchPool,
    interval_reports: mpsc::UnboundedReceiver<loadgen::IntervalReport>,
}

impl Stage {
    /// All watches begin from the same version; one that is given has expired.
    async fn set(fault: Option<&str>, plain: Plain, from: &str) -> Self {
        Self::expecting("ConfigMap", fault, plain, from).await
    }

    /// Likewise, with watches that expect objects of this kind.
    async fn expecting(kind: &str, fault: Option<&str>, plain: Plain, from: &str) -> Self {
        let faults = reference::faults().filter(|known| fault == Some(known.name)).collect();
        let server = Server::start(Options { faults, ..Options::default() }).await.unwrap();
        server.compact();
        let token = Some(server.admin_token().to_owned());
        let flags = Flags { token, ..Flags::at(server.url()) };
        let access = Access::load(flags.into()).await.unwrap();
        let endpoint = Endpoint::new(access, "kube-assay/test", plain).unwrap();
        let stamps = Arc::new(Stamps::new(0, 3));
        let (sender, interval_reports) = mpsc::unbounded_channel();
        let watch_pool = watch_pool(from, kind).launch(&endpoint, &stamps, &sender).unwrap();
        // The server reports an expired version as an event: each watch was open for it.
        let openings = if from.is_empty() { 1 } else { 2 };
        assert!(watch_pool.all_back(openings * WATCHES as u64, LONG).await, "{}", watch_pool.openings());
        Self { server, endpoint, stamps, watch_pool, interval_reports }
    }

    /// Creates the objects and changes them in turn, one write after the other.
    async fn write(&self, create: bool) {
        let (endpoint, stamps) = (self.endpoint.clone(), self.stamps.clone());
        let writer = Worker::start("writes", move || async move {
            let (recorder, pool) =
                (Recorder::default(), ConnectionPool::new(endpoint, Limits::connections(1)));
            let operation = Operation::new(&recorder, "PUT", "configmaps", Scope::Resource, "");
            let timing = RequestTiming {
                pace: Pace::Closed(1),
                warm_up: Duration::ZERO,
                length: LONG,
                drain: Duration::ZERO,
                tick: Duration::ZERO,
            };
            let source = Writes { stamps, create, left: WRITES };
            let requests = Requests::new(pool, recorder, timing, vec![operation], source);
            let _ = tokio::time::timeout(LONG, requests.run()).await;
        });
        writer.unwrap().join().await.unwrap();
    }

    async fn delivered(&self) {
        let expected = self.stamps.writes() * WATCHES as u64;
        assert!(
            self.watch_pool.all_delivered(expected, LONG).await,
            "{} of {expected}",
            self.watch_pool.delivered()
        );
    }

    async fn end(mut self) -> (WatchPoolSummary, Aggregator) {
        let account = self.watch_pool.stop().await.unwrap();
        let mut aggregator = Aggregator::default();
        while let Ok(interval_report) = self.interval_reports.try_recv() {
            aggregator.take(interval_report);
        }
        self.server.stop().await;
        (account, aggregator)
    }
}

fn watch_pool(from: &str, kind: &str) -> WatchPool {
    let [api_version, kind, namespace] = ["v1", kind, "default"].map(str::to_owned);
    let collection = Collection { api_version, kind, namespace };
    WatchPool {
        watches: WATCHES,
        routes: [Route::new(COLLECTION, collection, from)].into(),
        resource: "configmaps".to_owned(),
        scope: Scope::Namespace,
        variant: String::new(),
        threads: 2,
        limits: Limits { streams: 4, ..Limits::connections(100) },
        opening: 1_000.0,
        within: LONG,
        read_rate: ReadRate::Healthy,
        measured: None,
        check_one_in: 1,
    }
}

/// Applies a stamp to one object after the other.
struct Writes {
    stamps: Arc<Stamps>,
    /// Whether the objects are to be created first.
    create: bool,
    left: u64,
}

impl RequestSource for Writes {
    fn next(&mut self, number: u64, intended: Instant) -> Option<LoadRequest> {
        self.left = self.left.checked_sub(1)?;
        let object = number % OBJECTS;
        let stamp = self.stamps.issue(usize::try_from(object).unwrap(), intended)?;
        let (name, text) = (format!("o{object}"), stamp.text());
        let annotations = format!(r#"{{"kube-assay/stamp":"{text}"}}"#);
        let body = format!(
            r#"{{"apiVersion":"v1","kind":"ConfigMap","metadata":{{"name":"{name}","annotations":{annotations}}}}}"#
        );
        let mut headers = HeaderMap::new();
        headers.insert("content-type", HeaderValue::from_static("application/json"));
        let (method, path) = if self.create && number < OBJECTS {
            (Method::POST, COLLECTION.to_owned())
        } else {
            (Method::PUT, format!("{COLLECTION}/{name}"))
        };
        let call = Call { method, path: path.parse().unwrap(), headers, body: Bytes::from(body) };
        Some(LoadRequest {
            call,
            operation: 0,
            reading: Reading::Keep,
            within: LONG,
            stamp: Some(stamp),
            not_older_than: 0,
            list_began: None,
            token: 0,
        })
    }

    fn sent(&mut self, load_request: &LoadRequest, at: Instant) {
        self.stamps.sent(load_request.stamp.unwrap(), at);
    }

    fn done(&mut self, load_request: LoadRequest, outcome: &Outcome, at: Instant) {
        assert!(outcome.is_success(), "{outcome:?}");
        self.stamps.acknowledged(load_request.stamp.unwrap(), at);
    }
}

fn all_of(count: u64) -> Deliveries {
    Deliveries { expected: count, delivered: count, ..Deliveries::default() }
}

#[tokio::test]
async fn every_write_is_delivered_to_every_watch_over_both_protocols() {
    for plain in [Plain::One, Plain::Two] {
        let stage = Stage::set(None, plain, "").await;
        stage.write(true).await;
        stage.delivered().await;

        let (account, aggregator) = stage.end().await;

        assert_eq!(account.deliveries, all_of(WRITES * WATCHES as u64), "{:?}", account.broken_rules);
        assert_eq!((account.watches.opened, account.watches.open, account.watches.ended()), (12, 12, 0));
        assert_eq!(account.watches.connections, if plain == Plain::Two { 4 } else { 12 });
        assert_eq!((account.checks.misread, account.skipped), (0, 0));
        assert!(account.checks.checked >= WRITES * WATCHES as u64);
        let series = aggregator.into_series();
        let lag = series.iter().find(|series| series.key.kind == DurationKind::LagSent).unwrap();
        assert_eq!(lag.count, WRITES * WATCHES as u64);
    }
}

#[tokio::test]
async fn a_missing_event_is_lost_and_not_late() {
    let stage = Stage::set(Some("rv-watch-exact-complete"), Plain::Two, "").await;
    stage.write(true).await;
    let all_but_one = (WRITES - 1) * WATCHES as u64;
    assert!(stage.watch_pool.all_delivered(all_but_one, LONG).await);

    let (account, _) = stage.end().await;

    let expected = WRITES * WATCHES as u64;
    let lost = WATCHES as u64;
    assert_eq!(
        account.deliveries,
        Deliveries { expected, delivered: all_but_one, lost, ..Deliveries::default() }
    );
    let broken: Vec<Breach> = account.broken_rules.breaches().collect();
    assert_eq!((broken.len(), &*broken[0].rule, broken[0].count), (1, "lost", lost));
    assert!(broken[0].actual.contains("never had write 2"), "{broken:?}");
}

#[tokio::test]
async fn an_event_of_another_object_delivers_no_write() {
    let mut stage = Stage::expecting("Secret", None, Plain::Two, "").await;
    let events = WRITES * WATCHES as u64;
    stage.write(true).await;
    let mut received = 0;
    while received < events {
        received += stage.interval_reports.recv().await.unwrap().events;
    }

    let (account, _) = stage.end().await;

    let broken: Vec<Breach> = account.broken_rules.breaches().collect();
    assert_eq!(
        (&*broken[0].rule, broken[0].count, account.deliveries.delivered),
        ("invalid-event", events, 0)
    );
    assert!(broken[0].actual.contains("its kind is \"ConfigMap\", not \"Secret\""));
}

#[tokio::test]
async fn watches_that_are_cut_go_on_from_their_last_version() {
    let stage = Stage::set(None, Plain::Two, "").await;
    stage.write(true).await;
    stage.delivered().await;
    stage.watch_pool.cut(false);
    stage.write(false).await;
    stage.delivered().await;
    assert!(stage.watch_pool.all_back(2 * WATCHES as u64, LONG).await);

    let (account, _) = stage.end().await;

    assert_eq!(account.deliveries, all_of(2 * WRITES * WATCHES as u64), "{:?}", account.broken_rules);
    // Nobody else ended them.
    assert_eq!((account.watches.ended(), account.watches.resumed), (0, 12));
}

#[tokio::test]
async fn watches_may_come_back_with_a_new_list() {
    let stage = Stage::set(None, Plain::Two, "").await;
    stage.watch_pool.cut(true);
    assert!(stage.watch_pool.all_back(2 * WATCHES as u64, LONG).await);
    stage.write(true).await;
    stage.delivered().await;

    let (account, aggregator) = stage.end().await;

    assert_eq!(account.deliveries, all_of(WRITES * WATCHES as u64), "{:?}", account.broken_rules);
    assert_eq!((lists(&aggregator), account.watches.resumed), (2 * WATCHES as u64, WATCHES as u64));
}

#[tokio::test]
async fn a_version_that_has_expired_is_replaced_by_a_new_list() {
    let stage = Stage::set(None, Plain::Two, "1").await;
    stage.write(true).await;
    stage.delivered().await;

    let (account, aggregator) = stage.end().await;

    assert_eq!(account.deliveries, all_of(WRITES * WATCHES as u64), "{:?}", account.broken_rules);
    assert_eq!(account.watches.ended.get(&Ending::Gone), Some(&12));
    assert_eq!(lists(&aggregator), WATCHES as u64);
}

fn lists(aggregator: &Aggregator) -> u64 {
    let lists = aggregator.total().filter(|series| series.key.verb == "LIST");
    lists.filter(|series| series.key.kind == DurationKind::Latency).map(|series| series.count).sum()
}

#[tokio::test]
async fn a_repeated_event_breaks_a_rule_in_the_warm_up_as_well() {
    let stage = Stage::set(Some("stream-unique"), Plain::Two, "").await;
    stage.stamps.warm_up();
    stage.write(true).await;
    stage.delivered().await;

    let (account, _) = stage.end().await;

    assert_eq!(account.deliveries, Deliveries::default());
    let broken: Vec<Breach> = account.broken_rules.breaches().collect();
    assert_eq!((broken.len(), &*broken[0].rule), (1, "repeated"), "{broken:?}");
}
