//! A load run with everything in it that a reader can meet.

use model::TargetInfo;
use model::load::{
    Breach, Deliveries, DurationKind, Ending, ErrorClass, Gauge, Host, Interval, LoadRun, Phase, PhaseName,
    Scope, Series, SeriesInterval, SeriesKey, ServerHistogram, ServerMetrics, Slo, Starts, Warning, Watches,
    Workload, judge,
};

pub(super) fn key(verb: &str, scope: Scope, kind: DurationKind, variant: &str) -> SeriesKey {
    SeriesKey::new(verb, "configmaps", scope, kind, variant)
}

/// Values with a long tail, the same on every machine.
pub(super) fn tail(base: u64, count: u64) -> impl Iterator<Item = u64> {
    (0..count).map(move |at| base + base * at / count + base * at * at / (count * (count - at)) / 8)
}

pub(super) fn series(key: SeriesKey, base: u64, count: u64, bytes: u64) -> Series {
    let mut series = Series::new(key);
    tail(base, count).for_each(|value| series.record(value));
    series.bytes = count * bytes;
    series
}

fn workload() -> Workload {
    let settings = [("connections", "10"), ("duration", "60s"), ("watches", "1000"), ("writers", "4")];
    Workload {
        name: "watch-fanout".to_owned(),
        models: "controllers on every node that watch the same ConfigMaps while some of them change"
            .to_owned(),
        pace: "open loop, 20/s".to_owned(),
        population: "100 configmaps of 1 kB in one namespace".to_owned(),
        settings: settings.map(|(name, value)| (name.to_owned(), value.to_owned())).into(),
        digest: "5f70bf18a086007016e948b04aed3b82103a36bea41755b6cddfaf10ace3c6ef".to_owned(),
    }
}

fn intervals(series: &[SeriesKey]) -> Vec<Interval> {
    let interval = |second: u64| {
        let slow = if second == 30 { 40 } else { 1 };
        let series_interval = |(at, key): (u64, &SeriesKey)| {
            let mut values = Series::new(key.clone());
            tail(900 * (at + 1) * slow, 20 + at).for_each(|value| values.record(value));
            if second == 30 {
                values.fail(ErrorClass::Status(429));
                values.conflicts = 1;
            }
            values.bytes = 36_000;
            SeriesInterval::of(&values)
        };
        Interval {
            at_ms: 5_000 + second * 1_000,
            length_ms: 1_000,
            phase: if second <= 60 { PhaseName::Measure } else { PhaseName::Drain },
            series_intervals: (0..).zip(series).map(series_interval).collect(),
            events: 20_000 / slow,
            watches: 1_000,
            pending: if second == 30 { 12_000 } else { 0 },
            dropped: 0,
            left: None,
            cpu: 310_000,
        }
    };
    (1..=62).map(interval).collect()
}

/// What a busy kube-apiserver says of itself.
fn server_metrics() -> ServerMetrics {
    let histogram = |name: &str, count, mean, p50: f64, p99| ServerHistogram {
        name: name.to_owned(),
        count,
        mean: Some(mean),
        p50: Some(p50),
        p99,
    };
    let gauge = |name: &str, before, after| Gauge { name: name.to_owned(), before, after };
    ServerMetrics {
        window_ms: 61_000,
        requests: vec![
            histogram("LIST configmaps namespace", 1_620, 18_400.0, 25_000.0, Some(100_000.0)),
            histogram("PATCH configmaps resource", 1_210, 3_350.0, 5_000.0, Some(25_000.0)),
            histogram("other resources", 61, 900.0, 5_000.0, None),
        ],
        etcd: vec![histogram("update", 1_210, 1_150.0, 5_000.0, Some(5_000.0))],
        queue_wait: vec![histogram("global-default", 2_830, 41.5, 5_000.0, Some(20_000.0))],
        queue_length: vec![histogram("global-default", 2_830, 1.25, 0.0, Some(10.0))],
        in_flight: vec![gauge("mutating", 2.0, 3.0), gauge("readOnly", 8.0, 11.0)],
        memory: Some(gauge("", 294e6, 331e6)),
        cpu: Some(51_300_000),
    }
}

/// A run as it should be, of all kinds of series.
pub(super) fn calm() -> LoadRun {
    let target = TargetInfo {
        address: "https://127.0.0.1:6443".to_owned(),
        version: "1.36".parse().ok(),
        release: "v1.36.0".to_owned(),
        groups: vec![String::new(), "apps".to_owned()],
        ..TargetInfo::default()
    };
    let mut run =
        LoadRun::new("kube-assay 0.1.0", "k7f3", workload(), target, "2026-03-01T12:00:00Z".parse().unwrap());
    run.seed = 7;
    let phase = |name, from_ms, to_ms| Phase { name, from_ms, to_ms };
    run.phases = vec![
        phase(PhaseName::Populate, 0, 1_200),
        phase(PhaseName::Ramp, 1_200, 3_000),
        phase(PhaseName::WarmUp, 3_000, 5_000),
        phase(PhaseName::Measure, 5_000, 65_000),
        phase(PhaseName::Drain, 65_000, 67_000),
    ];
    let (one, all) = (Scope::Resource, Scope::Namespace);
    run.series = vec![
        series(key("PATCH", one, DurationKind::Latency, ""), 4_000, 1_200, 1_400),
        series(key("PATCH", one, DurationKind::Service, ""), 3_900, 1_200, 1_400),
        series(key("PATCH", one, DurationKind::SendError, ""), 50, 1_200, 0),
        series(key("LIST", all, DurationKind::Latency, "rv=0"), 20_000, 1_600, 140_000),
        series(key("LIST", all, DurationKind::FirstByte, "rv=0"), 1_500, 1_600, 0),
        series(key("WATCH", all, DurationKind::FirstEvent, ""), 9_000, 1_000, 0),
        series(key("WATCH", all, DurationKind::LagIntended, ""), 11_000, 12_000, 1_500),
        series(key("WATCH", all, DurationKind::LagSent, ""), 10_500, 12_000, 1_500),
        series(key("WATCH", all, DurationKind::LagAcknowledged, ""), 6_000, 12_000, 1_500),
    ];
    run.deliveries = Some(Deliveries { expected: 1_200_000, delivered: 1_200_000, ..Deliveries::default() });
    run.starts = Some(Starts { planned: 1_200, sent: 1_200, ..Starts::default() });
    run.watches = Some(Watches {
        planned: 1_000,
        opened: 1_000,
        open: 1_000,
        connections: 10,
        streams: Some(100),
        ..Watches::default()
    });
    run.generator.cores = 2;
    run.generator.cpu = 18_600_000;
    run.generator.memory = 23_000_000;
    run.generator.timer_lag.record_n(85, 60_000);
    run.generator.checked = 1_200;
    run.host = Host {
        cores: 2,
        cpu: "Example CPU at 2.5 GHz".to_owned(),
        kernel: "Linux 6.12.4".to_owned(),
        memory: 16 << 30,
    };
    run.server_metrics = Some(server_metrics());
    run.intervals = intervals(&run.series.iter().map(|series| series.key.clone()).collect::<Vec<_>>());
    let own = ["p99<1s for PATCH", "p99<500ms for LIST configmaps", "errors<1%"];
    let own: Vec<_> = own.iter().map(|text| text.parse().unwrap()).collect();
    run.thresholds = judge(&own, &run);
    run.thresholds.extend(Slo::preset("watch").unwrap().judge(&run));
    run
}

/// The same with all that can go wrong.
pub(super) fn stormy() -> LoadRun {
    let mut run = calm();
    run.labels = [("branch", "main"), ("commit", "1f2e3d4c")]
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .into();
    (0..30).for_each(|_| run.series[0].fail(ErrorClass::Status(429)));
    run.series[3].give_up(ErrorClass::Timeout, 30_000_000);
    run.series[3].fail(ErrorClass::Cut);
    for at in 6..9 {
        (0..900).for_each(|_| run.series[at].pend(3_800_000));
    }
    run.deliveries = Some(Deliveries {
        expected: 1_200_000,
        delivered: 1_109_997,
        lost: 3,
        repeated: 2,
        reordered: 1,
        pending: 90_000,
    });
    run.starts = Some(Starts { planned: 1_300, sent: 1_230, late: 44, dropped: 70 });
    let watches = run.watches.as_mut().unwrap();
    watches.ended = [(Ending::Gone, 4), (Ending::Goaway, 100)].into();
    (watches.open, watches.resumed) = (996, 100);
    run.generator.cpu = 111_000_000;
    run.generator.timer_lag.record_n(2_900, 40_000);
    run.warnings = vec![Warning::new("neighbours", "the machine was busy with something else for 12 s")];
    run.breaches = vec![Breach {
        rule: "lost".to_owned(),
        count: 3,
        expected: "every event of a watch, in the order of its changes".to_owned(),
        actual: "event 17 of writer 3 was followed by 19".to_owned(),
        evidence: vec!["watch 412, connection 4, frame 8,812".to_owned()],
    }];
    (run.server_metrics, run.no_server_metrics) =
        (None, Some("the server returned 403 for /metrics".to_owned()));
    run.partial = Some("interrupted after 62 s".to_owned());
    run.leftovers = vec!["/api/v1/namespaces/kube-assay-k7f3".to_owned()];
    let thresholds: Vec<_> = run.thresholds.iter().map(|judged| judged.threshold.clone()).collect();
    let presets: Vec<_> = run.thresholds.iter().map(|judged| judged.preset.clone()).collect();
    run.thresholds = judge(&thresholds, &run);
    for (judged, preset) in run.thresholds.iter_mut().zip(presets) {
        (judged.required, judged.preset) = (preset.is_none(), preset);
    }
    run
}
