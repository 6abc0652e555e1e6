//! The record of a run in progress: phases, intervals, and the reasons to stop early.

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

use harness::load::threshold::{Metric, ThresholdVerdict};
use harness::load::{DurationKind, Histogram, Interval, LoadRun, Phase, PhaseName, Threshold, judge};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::time::{self, MissedTickBehavior};
use tokio_util::sync::CancellationToken;

use super::user_tasks::UserTasks;
use crate::aggregator::Aggregator;
use crate::generator;
use crate::interval_report::IntervalReport;
use crate::recorder::micros;
use crate::stamp::Stamps;
use crate::watch_pool::RunningWatchPool;

/// Seconds without a response after which the server is gone.
const DEAD_AFTER: u32 = 3;

/// The minimum number of samples for a threshold that can stop the run.
const ENOUGH: u64 = 100;

/// The reason for an early end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Stopped(String);

impl Stopped {
    pub(super) fn of(why: impl fmt::Display) -> Self {
        Self(why.to_string())
    }
}

impl fmt::Display for Stopped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The record of a run in progress.
pub(super) struct RunRecord<S> {
    began: Instant,
    show: S,
    stop: CancellationToken,
    aggregator: Aggregator,
    interval_reports: (UnboundedSender<IntervalReport>, UnboundedReceiver<IntervalReport>),
    phases: Vec<Phase>,
    intervals: Vec<Interval>,
    second: time::Interval,
    last: (Instant, Option<Duration>),
    followed: Option<(Arc<UserTasks>, Arc<Stamps>)>,
    abort: Option<(Vec<Threshold>, Box<LoadRun>)>,
    responded: u64,
    unresponsive: u64,
    silent: u32,
}

impl<S: FnMut(&Interval)> RunRecord<S> {
    pub(super) fn open(stop: CancellationToken, show: S) -> Self {
        let period = Duration::from_secs(1);
        let mut second = time::interval_at((Instant::now() + period).into(), period);
        second.set_missed_tick_behavior(MissedTickBehavior::Delay);
        Self {
            began: Instant::now(),
            show,
            stop,
            aggregator: Aggregator::default(),
            interval_reports: unbounded_channel(),
            phases: Vec::new(),
            intervals: Vec::new(),
            second,
            last: (Instant::now(), generator::cpu()),
            followed: None,
            abort: None,
            responded: 0,
            unresponsive: 0,
            silent: 0,
        }
    }

    /// The channel for the interval reports of threads.
    pub(super) fn interval_reports(&self) -> UnboundedSender<IntervalReport> {
        self.interval_reports.0.clone()
    }

    /// Sets the parts of the run, whose deliveries each interval counts.
    pub(super) fn follow(&mut self, user_tasks: &Arc<UserTasks>, stamps: &Arc<Stamps>) {
        self.followed = Some((user_tasks.clone(), stamps.clone()));
    }

    /// Sets the thresholds that stop the run.
    pub(super) fn abort_on(&mut self, thresholds: &[Threshold], load: &LoadRun) {
        // Numbers that only grow at the end are no reason to stop.
        let mut early = thresholds.to_vec();
        early.retain(|threshold| matches!(threshold.metric, Metric::Time(..) | Metric::Errors));
        self.abort = Some((early, Box::new(load.clone()))).filter(|(early, _)| !early.is_empty());
    }

    /// Whether the server has become unreachable.
    pub(super) fn is_dead(&self) -> bool {
        self.silent >= DEAD_AFTER
    }

    /// The time between arrival and processing, so far.
    pub(super) fn queueing(&self) -> Histogram {
        self.aggregator.queueing().clone()
    }

    /// Records intervals during a future, until it ends or there is a reason to stop.
    pub(super) async fn attend<T>(
        &mut self,
        name: PhaseName,
        doing: impl Future<Output = T>,
    ) -> Result<T, Stopped> {
        let stop = self.stop.clone();
        let from = self.now();
        let mut doing = std::pin::pin!(doing);
        let ended = loop {
            tokio::select! {
                done = &mut doing => break Ok(done),
                () = stop.cancelled() => break Err(Stopped::of("interrupted")),
                Some(interval_report) = self.interval_reports.1.recv() => self.take(interval_report),
                _ = self.second.tick() => if let Some(why) = self.close_interval(name) { break Err(why) },
            }
        };
        self.end_phase(name, from);
        ended
    }

    /// Records intervals during a future that must end.
    pub(super) async fn see_through<T>(&mut self, name: PhaseName, doing: impl Future<Output = T>) -> T {
        let from = self.now();
        let mut doing = std::pin::pin!(doing);
        let done = loop {
            tokio::select! {
                done = &mut doing => break done,
                Some(interval_report) = self.interval_reports.1.recv() => self.take(interval_report),
                _ = self.second.tick() => drop(self.close_interval(name)),
            }
        };
        self.end_phase(name, from);
        done
    }

    /// Adds a phase; two in turn with one name are one.
    fn end_phase(&mut self, name: PhaseName, from_ms: u64) {
        let to_ms = self.now();
        match self.phases.last_mut().filter(|last| last.name == name) {
            Some(last) => last.to_ms = to_ms,
            None => self.phases.push(Phase { name, from_ms, to_ms }),
        }
    }

    /// Adds all series to the run.
    pub(super) fn settle(&mut self, load: &mut LoadRun) {
        while let Ok(interval_report) = self.interval_reports.1.try_recv() {
            self.take(interval_report);
        }
        load.series = std::mem::take(&mut self.aggregator).into_series();
    }

    /// Closes the record.
    pub(super) fn close(self, load: &mut LoadRun) {
        load.phases = self.phases;
        load.intervals = self.intervals;
    }

    fn take(&mut self, interval_report: IntervalReport) {
        // The delay of sending is independent of the server.
        for series in
            interval_report.series.iter().filter(|series| series.key.kind != DurationKind::SendError)
        {
            let of = |status: bool| {
                let errors = series.errors.iter();
                errors.filter(|(class, _)| class.is_response() == status).map(|(_, n)| n).sum::<u64>()
            };
            self.responded += series.histogram.len() + of(true);
            self.unresponsive += of(false);
        }
        self.aggregator.take(interval_report);
    }

    /// Closes an interval; returns a reason to stop.
    fn close_interval(&mut self, phase: PhaseName) -> Option<Stopped> {
        let (now, cpu) = (Instant::now(), generator::cpu());
        let (since, before) = std::mem::replace(&mut self.last, (now, cpu));
        let second = self.aggregator.second();
        let interval = Interval {
            at_ms: self.now(),
            length_ms: micros(now - since) / 1_000,
            phase,
            series_intervals: second.series_intervals,
            events: second.events,
            watches: second.watches,
            pending: self.pending(),
            dropped: 0,
            cpu: cpu.zip(before).map_or(0, |(now, before)| micros(now.saturating_sub(before))),
        };
        (self.show)(&interval);
        self.intervals.push(interval);
        self.gone().or_else(|| self.missed())
    }

    fn gone(&mut self) -> Option<Stopped> {
        let responded = std::mem::take(&mut self.responded);
        let unresponsive = std::mem::take(&mut self.unresponsive);
        let adrift = |watch_pool: &RunningWatchPool| watch_pool.openings() > 0 && watch_pool.open() == 0;
        let adrift = self
            .followed
            .as_ref()
            .and_then(|(user_tasks, _)| user_tasks.watch_pools.healthy())
            .is_some_and(adrift);
        let silent = responded == 0 && (unresponsive > 0 || adrift);
        self.silent = if silent {
            self.silent + 1
        } else if responded > 0 {
            0
        } else {
            self.silent
        };
        self.is_dead().then(|| Stopped::of("the server no longer responds"))
    }

    fn missed(&mut self) -> Option<Stopped> {
        let (thresholds, load) = self.abort.as_mut()?;
        load.series = self.aggregator.total().filter(|series| series.count >= ENOUGH).cloned().collect();
        let judged = judge(thresholds, load);
        let missed = judged.iter().find(|judged| judged.verdict == ThresholdVerdict::Missed)?;
        let why = format!(
            "stopped because a threshold was missed ({}, was {})",
            missed.threshold,
            missed.observed_text()
        );
        self.abort = None;
        Some(Stopped::of(why))
    }

    fn pending(&self) -> u64 {
        self.followed.as_ref().map_or(0, |(user_tasks, stamps)| user_tasks.watch_pools.pending(stamps))
    }

    fn now(&self) -> u64 {
        micros(self.began.elapsed()) / 1_000
    }
}
