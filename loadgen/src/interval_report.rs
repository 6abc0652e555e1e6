//! What a thread reports once a second: all that it measured since the last report.

use std::time::Duration;

use harness::load::{Histogram, Series};
use tokio::sync::mpsc::UnboundedSender;
use tokio::time::{Interval, MissedTickBehavior};

use crate::generator::Queueing;
use crate::recorder::Recorder;

/// One second of one thread.
#[derive(Debug)]
pub struct IntervalReport {
    /// Which thread.
    pub thread: String,
    /// What was measured in it.
    pub series: Vec<Series>,
    /// Events that watches had in it.
    pub events: u64,
    /// Watches that are open.
    pub watches: u64,
    /// How long what had arrived waited for its turn.
    pub queueing: Histogram,
}

impl IntervalReport {
    /// Of a thread that has measured nothing.
    pub fn empty(thread: &str) -> Self {
        Self {
            thread: thread.to_owned(),
            series: Vec::new(),
            events: 0,
            watches: 0,
            queueing: Histogram::default(),
        }
    }
}

/// Hands over what one thread measures.
pub(crate) struct IntervalReporter {
    recorder: Recorder,
    queueing: Queueing,
    interval_reports: UnboundedSender<IntervalReport>,
    interval: Interval,
}

impl IntervalReporter {
    /// Must be made on the thread that it is for.
    pub(crate) fn new(recorder: Recorder, interval_reports: UnboundedSender<IntervalReport>) -> Self {
        let queueing = Queueing::default();
        tokio::task::spawn_local(queueing.clone().look());
        let mut interval = tokio::time::interval(Duration::from_secs(1));
        interval.set_missed_tick_behavior(MissedTickBehavior::Delay);
        Self { recorder, queueing, interval_reports, interval }
    }

    /// Waits for the next second.
    pub(crate) async fn rest(&mut self) {
        self.interval.tick().await;
    }

    /// Hands over.
    pub(crate) fn report(&self, events: u64, watches: u64) {
        let thread = std::thread::current().name().unwrap_or_default().to_owned();
        let (series, queueing) = (self.recorder.take(), self.queueing.take());
        // Nobody listens any more when the run is over.
        let _ = self.interval_reports.send(IntervalReport { thread, series, events, watches, queueing });
    }
}
