//! What a thread sends once a second: its measurements since the last report.

use std::time::Duration;

use harness::load::{Histogram, Series};
use serde::{Deserialize, Serialize};
use tokio::sync::mpsc::UnboundedSender;
use tokio::time::{Interval, MissedTickBehavior};

use crate::generator::Queueing;
use crate::recorder::Recorder;

/// One interval of one thread.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct IntervalReport {
    /// The name of the thread, or of the worker whose threads it sums up.
    pub thread: String,
    /// The series with samples in it.
    pub series: Vec<Series>,
    /// The number of watch events in it.
    pub events: u64,
    /// The number of open watches.
    pub watches: u64,
    /// The number of starts that were dropped in it.
    #[serde(default)]
    pub dropped: u64,
    /// The time between arrival and processing.
    #[serde(default, skip_serializing_if = "Histogram::is_empty")]
    pub queueing: Histogram,
    /// Processor time of a worker, in microseconds; 0 for a thread.
    #[serde(default)]
    pub cpu: u64,
}

impl IntervalReport {
    /// The report of a thread without measurements.
    pub fn empty(thread: &str) -> Self {
        Self {
            thread: thread.to_owned(),
            series: Vec::new(),
            events: 0,
            watches: 0,
            dropped: 0,
            queueing: Histogram::default(),
            cpu: 0,
        }
    }
}

/// Sends the measurements of one thread.
pub(crate) struct IntervalReporter {
    recorder: Recorder,
    queueing: Queueing,
    interval_reports: UnboundedSender<IntervalReport>,
    interval: Interval,
}

impl IntervalReporter {
    /// Must be called on the thread that it measures.
    pub(crate) fn new(recorder: Recorder, interval_reports: UnboundedSender<IntervalReport>) -> Self {
        let queueing = Queueing::default();
        tokio::task::spawn_local(queueing.clone().look());
        let mut interval = tokio::time::interval(Duration::from_secs(1));
        interval.set_missed_tick_behavior(MissedTickBehavior::Delay);
        Self { recorder, queueing, interval_reports, interval }
    }

    /// Waits for the end of the interval.
    pub(crate) async fn rest(&mut self) {
        self.interval.tick().await;
    }

    /// Sends the report of watches.
    pub(crate) fn report(&self, events: u64, watches: u64) {
        self.send(events, watches, 0);
    }

    /// Sends the report of requests.
    pub(crate) fn report_requests(&self, dropped: u64) {
        self.send(0, 0, dropped);
    }

    fn send(&self, events: u64, watches: u64, dropped: u64) {
        let thread = std::thread::current().name().unwrap_or_default().to_owned();
        let (series, queueing) = (self.recorder.take(), self.queueing.take());
        let interval_report = IntervalReport { thread, series, events, watches, dropped, queueing, cpu: 0 };
        // After the end of the run there is no receiver.
        let _ = self.interval_reports.send(interval_report);
    }
}
