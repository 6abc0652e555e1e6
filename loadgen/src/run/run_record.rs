//! The record of a run in progress: phases, intervals, and the reasons to stop early.

use std::fmt;
use std::time::{Duration, Instant};

use harness::load::threshold::{Metric, ThresholdVerdict};
use harness::load::{DurationKind, Histogram, Interval, LoadRun, Phase, PhaseName, Starts, Threshold, judge};
use serde::{Deserialize, Serialize};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::time::{self, MissedTickBehavior};
use tokio_util::sync::CancellationToken;

use crate::aggregator::Aggregator;
use crate::generator;
use crate::interval_report::IntervalReport;
use crate::recorder::micros;

/// Seconds without a response after which the server is gone.
const DEAD_AFTER: u32 = 3;

/// The minimum number of samples for a threshold that can stop the run.
const ENOUGH: u64 = 100;

/// The reason for an early end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Stopped(String);

impl Stopped {
    pub(crate) fn of(why: impl fmt::Display) -> Self {
        Self(why.to_string())
    }
}

impl fmt::Display for Stopped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A load in progress.
pub(crate) trait Followed: Send {
    /// Its writes, watches and deliveries so far.
    fn backlog(&self) -> Backlog;

    /// Whether watches were open, and none is.
    fn is_adrift(&self) -> bool;

    /// A reason of its own to stop the run.
    fn stopped(&self) -> Option<Stopped> {
        None
    }
}

/// The deliveries that a load expects so far, those that have happened, and its starts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Backlog {
    /// The number of acknowledged writes.
    pub(crate) writes: u64,
    /// The number of watches, which expect each of them.
    pub(crate) watches: u64,
    pub(crate) delivered: u64,
    /// The starts of an open loop.
    #[serde(default)]
    pub(crate) starts: Option<Starts>,
}

impl Backlog {
    /// Adds another worker's: its watches expect these writes as well.
    pub(crate) fn add(&mut self, other: Self) {
        self.writes += other.writes;
        self.watches += other.watches;
        self.delivered += other.delivered;
        if let Some(starts) = other.starts {
            self.starts.get_or_insert_default().add(&starts);
        }
    }

    fn pending(self) -> u64 {
        self.writes.saturating_mul(self.watches).saturating_sub(self.delivered)
    }
}

/// What a worker reports of its load.
#[derive(Debug)]
pub(crate) enum LoadNews {
    /// The measurements of a thread.
    Report(IntervalReport),
    /// The deliveries so far.
    Backlog(Backlog),
}

/// The record of a run in progress.
pub(crate) struct RunRecord<S> {
    began: Instant,
    show: S,
    stop: CancellationToken,
    aggregator: Aggregator,
    interval_reports: (UnboundedSender<IntervalReport>, UnboundedReceiver<IntervalReport>),
    phases: Vec<Phase>,
    intervals: Vec<Interval>,
    second: time::Interval,
    last: (Instant, Option<Duration>),
    followed: Option<Box<dyn Followed>>,
    /// Receives all that the record takes.
    news: Option<UnboundedSender<LoadNews>>,
    /// Whether the generator is this process.
    is_local: bool,
    abort: Option<(Vec<Threshold>, Box<LoadRun>)>,
    responded: u64,
    unresponsive: u64,
    silent: u32,
}

impl<S: FnMut(&Interval)> RunRecord<S> {
    pub(crate) fn open(stop: CancellationToken, show: S) -> Self {
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
            news: None,
            is_local: true,
            abort: None,
            responded: 0,
            unresponsive: 0,
            silent: 0,
        }
    }

    /// The channel for the interval reports of threads.
    pub(crate) fn interval_reports(&self) -> UnboundedSender<IntervalReport> {
        self.interval_reports.0.clone()
    }

    /// Sets the load, whose deliveries each interval counts.
    pub(crate) fn follow(&mut self, load: impl Followed + 'static) {
        self.followed = Some(Box::new(load));
    }

    /// Sends a copy of all that the record takes.
    pub(crate) fn copy_to(&mut self, news: UnboundedSender<LoadNews>) {
        self.news = Some(news);
    }

    /// The interval reports come from workers elsewhere, with the processor time that each used.
    pub(crate) fn of_workers(mut self) -> Self {
        self.is_local = false;
        self
    }

    /// Sets the thresholds that stop the run.
    pub(crate) fn abort_on(&mut self, thresholds: &[Threshold], load: &LoadRun) {
        // Numbers that only grow at the end are no reason to stop.
        let mut early = thresholds.to_vec();
        early.retain(|threshold| matches!(threshold.metric, Metric::Time(..) | Metric::Errors));
        self.abort = Some((early, Box::new(load.clone()))).filter(|(early, _)| !early.is_empty());
    }

    /// Whether the server has become unreachable.
    pub(crate) fn is_dead(&self) -> bool {
        self.silent >= DEAD_AFTER
    }

    /// The time between arrival and processing, so far.
    pub(crate) fn queueing(&self) -> Histogram {
        self.aggregator.queueing().clone()
    }

    /// Records intervals during a future, until it ends or there is a reason to stop.
    pub(crate) async fn attend<T>(
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
    pub(crate) async fn see_through<T>(&mut self, name: PhaseName, doing: impl Future<Output = T>) -> T {
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
    pub(crate) fn settle(&mut self, load: &mut LoadRun) {
        while let Ok(interval_report) = self.interval_reports.1.try_recv() {
            self.take(interval_report);
        }
        load.series = std::mem::take(&mut self.aggregator).into_series();
    }

    /// Closes the record.
    pub(crate) fn close(self, load: &mut LoadRun) {
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
        if let Some(news) = &self.news {
            let _ = news.send(LoadNews::Report(interval_report.clone()));
        }
        self.aggregator.take(interval_report);
    }

    /// Closes an interval; returns a reason to stop.
    fn close_interval(&mut self, phase: PhaseName) -> Option<Stopped> {
        let (now, cpu) = (Instant::now(), generator::cpu());
        let (since, before) = std::mem::replace(&mut self.last, (now, cpu));
        let backlog = self.followed.as_ref().map(|followed| followed.backlog()).unwrap_or_default();
        if let Some(news) = &self.news {
            let _ = news.send(LoadNews::Backlog(backlog));
        }
        let second = self.aggregator.second();
        let own_cpu = cpu.zip(before).map_or(0, |(now, before)| micros(now.saturating_sub(before)));
        let interval = Interval {
            at_ms: self.now(),
            length_ms: micros(now - since) / 1_000,
            phase,
            series_intervals: second.series_intervals,
            events: second.events,
            watches: second.watches,
            pending: backlog.pending(),
            dropped: 0,
            cpu: if self.is_local { own_cpu } else { second.cpu },
        };
        (self.show)(&interval);
        self.intervals.push(interval);
        let stopped = self.followed.as_ref().and_then(|followed| followed.stopped());
        stopped.or_else(|| self.gone()).or_else(|| self.missed())
    }

    fn gone(&mut self) -> Option<Stopped> {
        let responded = std::mem::take(&mut self.responded);
        let unresponsive = std::mem::take(&mut self.unresponsive);
        let adrift = self.followed.as_ref().is_some_and(|followed| followed.is_adrift());
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

    fn now(&self) -> u64 {
        micros(self.began.elapsed()) / 1_000
    }
}
