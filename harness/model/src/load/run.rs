//! The data of a load run.

use std::collections::BTreeMap;
use std::time::Duration;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::breach::Breach;
use super::counts::{Deliveries, Senders, Starts, Watches};
use super::generator::Generator;
use super::host::Host;
use super::interval::Interval;
use super::key::{DurationKind, SeriesKey};
use super::partial_cause::PartialCause;
use super::phase::{Phase, PhaseName};
use super::series::Series;
use super::server_metrics::ServerMetrics;
use super::threshold::ThresholdResult;
use super::warning::Warning;
use super::worker_account::WorkerAccount;
use crate::target_info::TargetInfo;

/// The version of [`LoadRun`]'s file format; a reader rejects a greater one.
pub const LOAD_FORMAT: u32 = 2;

/// All data of a load run, finished or not.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LoadRun {
    /// [`LOAD_FORMAT`] of the writer.
    pub format: u32,
    /// Name and version of the program.
    pub tool: String,
    /// The run's id, part of the name of every object that it creates.
    pub run: String,
    /// The seed of the schedule.
    pub seed: u64,
    /// Labels of the user or of the CI job: `commit`, `branch`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub labels: BTreeMap<String, String>,
    /// The requests.
    pub workload: Workload,
    /// The server under test.
    pub target: TargetInfo,
    /// The wall-clock instant that all durations count from.
    pub began: Timestamp,
    /// The phases, in order.
    pub phases: Vec<Phase>,
    /// The measurements.
    pub series: Vec<Series>,
    /// The deliveries of watch events; `None` if the workload delivers none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deliveries: Option<Deliveries>,
    /// Whether the generator kept the pace; `None` in a closed loop.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub starts: Option<Starts>,
    /// Whether all senders of a closed loop sent requests; `None` in an open loop.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub senders: Option<Senders>,
    /// The watches; `None` if the workload has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub watches: Option<Watches>,
    /// The generator's own cost and delay.
    pub generator: Generator,
    /// The machine of the generator.
    #[serde(default)]
    pub host: Host,
    /// The workers, if the run had several.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub workers: Vec<WorkerAccount>,
    /// The server's own metrics.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub server_metrics: Option<ServerMetrics>,
    /// Why the server's own metrics are missing, in one sentence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub no_server_metrics: Option<String>,
    /// The warnings of the engine; [`LoadRun::all_warnings`] adds those that follow from the numbers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<Warning>,
    /// Requirements that the server broke.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub breaches: Vec<Breach>,
    /// The thresholds with their verdicts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub thresholds: Vec<ThresholdResult>,
    /// Every second of the run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub intervals: Vec<Interval>,
    /// Why the run ended early, if it did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub partial: Option<String>,
    /// The cause, if `partial` says why.
    #[serde(default, skip_serializing_if = "PartialCause::is_default")]
    pub partial_cause: PartialCause,
    /// Paths of objects that the run failed to remove from the server.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub leftovers: Vec<String>,
}

impl LoadRun {
    /// Replaces each text that a server can have a part in: a server may give a credential back anywhere.
    pub fn replace_texts(&mut self, replaced: impl Fn(&str) -> String) {
        let breaches = self
            .breaches
            .iter_mut()
            .flat_map(|breach| std::iter::once(&mut breach.actual).chain(&mut breach.evidence));
        let metrics = self.server_metrics.iter_mut().flat_map(ServerMetrics::names);
        let warnings = self.warnings.iter_mut().map(|warning| &mut warning.says);
        let reasons = self.no_server_metrics.iter_mut().chain(&mut self.partial).chain(&mut self.leftovers);
        for text in breaches.chain(metrics).chain(warnings).chain(reasons) {
            *text = replaced(text);
        }
    }
}

/// The requests of a run.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Workload {
    /// Such as `watch-fanout`.
    pub name: String,
    /// The real use that it models, in one sentence.
    pub models: String,
    /// The pace of requests as a text; equal paces have equal texts: `open, 20/s`.
    pub pace: String,
    /// The objects before the run as a text; equal populations have equal texts: `1000 configmaps of 1 KiB`.
    pub population: String,
    /// Every other setting, as text.
    pub settings: BTreeMap<String, String>,
    /// SHA-256 of all that decides the requests, except the seed: equal digests mean equal workloads. Empty until the run
    /// has ended, and in files of earlier versions.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub digest: String,
}

impl LoadRun {
    /// A run without measurements yet.
    pub fn new(tool: &str, run: &str, workload: Workload, target: TargetInfo, began: Timestamp) -> Self {
        Self {
            format: LOAD_FORMAT,
            tool: tool.to_owned(),
            run: run.to_owned(),
            seed: 0,
            labels: BTreeMap::new(),
            workload,
            target,
            began,
            phases: Vec::new(),
            series: Vec::new(),
            deliveries: None,
            starts: None,
            senders: None,
            watches: None,
            generator: Generator::default(),
            host: Host::default(),
            workers: Vec::new(),
            server_metrics: None,
            no_server_metrics: None,
            warnings: Vec::new(),
            breaches: Vec::new(),
            thresholds: Vec::new(),
            intervals: Vec::new(),
            partial: None,
            partial_cause: PartialCause::default(),
            leftovers: Vec::new(),
        }
    }

    /// The measured time: the base of rates.
    pub fn measured(&self) -> Duration {
        let measured = self.phases.iter().filter(|phase| phase.name == PhaseName::Measure);
        Duration::from_millis(measured.map(|phase| phase.to_ms.saturating_sub(phase.from_ms)).sum())
    }

    /// The duration of the whole run.
    pub fn elapsed(&self) -> Duration {
        Duration::from_millis(self.phases.iter().map(|phase| phase.to_ms).max().unwrap_or(0))
    }

    /// The series with this key.
    pub fn series(&self, key: &SeriesKey) -> Option<&Series> {
        self.series.iter().find(|series| series.key == *key)
    }

    /// The series of this kind.
    pub fn of_kind(&self, kind: DurationKind) -> impl Iterator<Item = &Series> {
        self.series.iter().filter(move |series| series.key.kind == kind)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::load::{Ending, ErrorClass, Gauge, Scope, SeriesInterval, ServerHistogram};

    fn key(verb: &str, kind: DurationKind) -> SeriesKey {
        SeriesKey::new(verb, "configmaps", Scope::Namespace, kind, "")
    }

    /// A run without an empty field.
    fn full() -> LoadRun {
        let workload = Workload { name: "watch-fanout".to_owned(), ..Workload::default() };
        let mut run =
            LoadRun::new("kube-assay 0", "r1", workload, TargetInfo::default(), Timestamp::UNIX_EPOCH);
        run.labels = [("commit".to_owned(), "1f2e".to_owned())].into();
        run.workload.digest = "ab12".to_owned();
        run.phases = vec![
            Phase { name: PhaseName::WarmUp, from_ms: 0, to_ms: 500 },
            Phase { name: PhaseName::Measure, from_ms: 500, to_ms: 2_500 },
            Phase { name: PhaseName::Drain, from_ms: 2_500, to_ms: 3_000 },
        ];
        let mut series = Series::new(key("PATCH", DurationKind::Latency));
        series.record(1_234);
        series.give_up(ErrorClass::Timeout, 30_000_000);
        series.fail(ErrorClass::Status(429));
        let series_interval = SeriesInterval { interval: None, ..SeriesInterval::of(&series) };
        run.intervals = vec![Interval {
            at_ms: 1_000,
            length_ms: 1_000,
            phase: PhaseName::Measure,
            series_intervals: vec![series_interval],
            events: 9,
            watches: 10,
            pending: 1,
            dropped: 0,
            left: None,
            cpu: 12_345,
        }];
        run.series = vec![series];
        run.deliveries = Some(Deliveries { expected: 10, delivered: 9, pending: 1, ..Deliveries::default() });
        run.starts = Some(Starts { planned: 3, sent: 3, late: 1, dropped: 0 });
        run.senders = Some(Senders { planned: 4, measured: 3 });
        run.watches = Some(Watches { ended: [(Ending::Gone, 2)].into(), ..Watches::default() });
        run.generator.timer_lag.record(80);
        run.host =
            Host { cores: 2, cpu: "a model".to_owned(), kernel: "Linux 6".to_owned(), memory: 1 << 30 };
        run.workers = vec![worker()];
        run.server_metrics = Some(server_metrics());
        run.no_server_metrics = Some("the server refused /metrics".to_owned());
        run.warnings = vec![
            Warning::new("pace", "it was not kept").about([key("PATCH", DurationKind::Latency)]).grave(),
        ];
        run.thresholds = crate::load::judge(&["p99<1s".parse().unwrap()], &run);
        run.thresholds[0].preset = Some("own".to_owned());
        run.breaches = vec![Breach {
            rule: "lost".to_owned(),
            count: 1,
            expected: "every event".to_owned(),
            actual: "none of w3/17".to_owned(),
            evidence: vec!["frame".to_owned()],
        }];
        run.partial = Some("interrupted".to_owned());
        run.partial_cause = PartialCause::NamespaceDeleted;
        run.leftovers = vec!["/api/v1/namespaces/x".to_owned()];
        run
    }

    fn worker() -> WorkerAccount {
        WorkerAccount {
            index: 1,
            cpu: 7,
            memory: 8,
            clock_at_least: Some(-900),
            clock_at_most: Some(1_200),
            problem: Some("it no longer reports".to_owned()),
            ..WorkerAccount::default()
        }
    }

    fn server_metrics() -> ServerMetrics {
        let histogram = |p99| ServerHistogram {
            name: "PATCH configmaps resource".to_owned(),
            count: 3,
            mean: Some(1_234.5),
            p50: Some(5_000.0),
            p99,
        };
        let gauge = Gauge { name: "mutating".to_owned(), before: 1.0, after: 4.0 };
        ServerMetrics {
            window_ms: 2_100,
            requests: vec![histogram(None), histogram(Some(25_000.0))],
            in_flight: vec![gauge.clone()],
            memory: Some(gauge),
            cpu: Some(1_500_000),
            ..ServerMetrics::default()
        }
    }

    #[test]
    fn a_run_survives_a_round_trip_through_json() {
        for run in [full(), LoadRun { series: Vec::new(), ..full() }] {
            let text = serde_json::to_string(&run).unwrap();
            assert_eq!(serde_json::from_str::<LoadRun>(&text).unwrap(), run);
        }
    }

    #[test]
    fn only_the_measure_phase_counts_as_measured() {
        assert_eq!(full().measured(), Duration::from_secs(2));
        assert_eq!(full().elapsed(), Duration::from_secs(3));
    }
}
