//! The record of a run in progress: phases, intervals, and the reasons to stop early.

use std::fmt;
use std::time::{Duration, Instant};

use harness::load::threshold::{Metric, ThresholdVerdict};
use harness::load::{Histogram, Interval, LoadRun, Phase, PhaseName, Starts, Threshold, judge};
use serde::{Deserialize, Serialize};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::time::{self, MissedTickBehavior};
use tokio_util::sync::CancellationToken;

use super::responses::{Responses, Silence, are_all_refused};
use crate::aggregator::Aggregator;
use crate::generator;
use crate::interval_report::IntervalReport;
use crate::recorder::micros;

/// The minimum number of samples for a threshold that can stop the run.
const ENOUGH: u64 = 100;

/// What helps if the server refuses the credentials.
const CREDENTIALS: &str = "; hint: use credentials that are valid for the whole run";

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
    responses: Responses,
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
            responses: Responses::default(),
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
        self.responses.is_dead()
    }

    /// The load has lost the server.
    pub(crate) fn lose_server(&mut self) {
        self.responses.lose_server();
    }

    /// The silence behind the last response to the load, if that arrived in the measured time.
    pub(crate) fn silence(&self) -> Option<Silence> {
        let measured = self.phases.iter().find(|phase| phase.name == PhaseName::Measure)?;
        self.responses.silence(measured)
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
                _ = self.second.tick() => if let Some(why) = self.close_interval(name, None) { break Err(why) },
            }
        };
        self.end_phase(name, from);
        ended
    }

    /// Records intervals during a future that must end.
    pub(crate) async fn see_through<T>(&mut self, name: PhaseName, doing: impl Future<Output = T>) -> T {
        self.see_through_with(name, doing, || None).await
    }

    /// The same for a clean-up; each interval has the number of objects that are left.
    pub(crate) async fn clean_up<T>(
        &mut self,
        cleaning: impl Future<Output = T>,
        left: impl Fn() -> Option<u64>,
    ) -> T {
        self.see_through_with(PhaseName::CleanUp, cleaning, left).await
    }

    async fn see_through_with<T>(
        &mut self,
        name: PhaseName,
        doing: impl Future<Output = T>,
        left: impl Fn() -> Option<u64>,
    ) -> T {
        let from = self.now();
        let mut doing = std::pin::pin!(doing);
        let done = loop {
            tokio::select! {
                done = &mut doing => break done,
                Some(interval_report) = self.interval_reports.1.recv() => self.take(interval_report),
                _ = self.second.tick() => drop(self.close_interval(name, left())),
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
        // Most starts are dropped at the end of the load, in its last interval.
        let dropped = self.aggregator.second().dropped;
        self.intervals.last_mut().into_iter().for_each(|last| last.dropped += dropped);
        load.series = std::mem::take(&mut self.aggregator).into_series();
    }

    /// Closes the record.
    pub(crate) fn close(self, load: &mut LoadRun) {
        load.phases = self.phases;
        load.intervals = self.intervals;
    }

    fn take(&mut self, interval_report: IntervalReport) {
        let now = self.now();
        self.responses.take(&interval_report.series, now);
        if let Some(news) = &self.news {
            let _ = news.send(LoadNews::Report(interval_report.clone()));
        }
        self.aggregator.take(interval_report);
    }

    /// Closes an interval; returns a reason to stop.
    fn close_interval(&mut self, phase: PhaseName, left: Option<u64>) -> Option<Stopped> {
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
            dropped: second.dropped,
            left,
            cpu: if self.is_local { own_cpu } else { second.cpu },
        };
        (self.show)(&interval);
        self.intervals.push(interval);
        let stopped = self.followed.as_ref().and_then(|followed| followed.stopped());
        stopped.or_else(|| self.gone()).or_else(|| self.missed())
    }

    fn gone(&mut self) -> Option<Stopped> {
        let is_adrift = self.followed.as_ref().is_some_and(|followed| followed.is_adrift());
        self.responses.end_second(is_adrift);
        self.is_dead().then(|| Stopped::of("the server no longer responds"))
    }

    fn missed(&mut self) -> Option<Stopped> {
        let (thresholds, load) = self.abort.as_mut()?;
        load.series = self.aggregator.total().filter(|series| series.count >= ENOUGH).cloned().collect();
        let judged = judge(thresholds, load);
        let with = |verdict: ThresholdVerdict| judged.iter().filter(move |judged| judged.verdict == verdict);
        // So far nothing but refused credentials leaves a threshold for errors open, and they refuse what follows as well.
        let refused =
            with(ThresholdVerdict::Inconclusive).find(|judged| judged.threshold.metric == Metric::Errors);
        // Without a response of another kind, a threshold for a time never has a value.
        let valueless =
            with(ThresholdVerdict::NotJudged).find(|one| matches!(one.threshold.metric, Metric::Time(..)));
        let refused = refused.or(valueless.filter(|_| are_all_refused(self.aggregator.total(), ENOUGH)));
        let (judged, why, hint) = match with(ThresholdVerdict::Missed).next() {
            Some(missed) => (missed, "a threshold was missed", ""),
            None => {
                (refused?, "the server refused the credentials, which leaves a threshold open", CREDENTIALS)
            }
        };
        let (threshold, observed) = (&judged.threshold, judged.observed_text());
        self.abort = None;
        Some(Stopped::of(format!("stopped because {why} ({threshold}, was {observed}){hint}")))
    }

    fn now(&self) -> u64 {
        micros(self.began.elapsed()) / 1_000
    }
}

#[cfg(test)]
mod tests {
    use harness::TargetInfo;
    use harness::load::{DurationKind, ErrorClass, Scope, Series, SeriesKey, Workload};
    use jiff::Timestamp;

    use super::*;

    /// Why a run with a threshold for errors stops after attempts with these statuses.
    fn stopped(statuses: &[(u16, u64)]) -> Option<String> {
        stopped_by("errors<1% for GET", statuses)
    }

    fn stopped_by(rule: &str, statuses: &[(u16, u64)]) -> Option<String> {
        let mut run_record = RunRecord::open(CancellationToken::new(), |_| {});
        let target = TargetInfo::default();
        let load = LoadRun::new("kube-assay 0", "r", Workload::default(), target, Timestamp::UNIX_EPOCH);
        run_record.abort_on(&[rule.parse().unwrap()], &load);
        let key = SeriesKey::new("GET", "configmaps", Scope::Resource, DurationKind::Latency, "");
        let mut series = Series::new(key);
        for (status, count) in statuses {
            (0..*count).for_each(|_| match status {
                200 => series.record(1_000),
                _ => series.fail(ErrorClass::Status(*status)),
            });
        }
        run_record.take(IntervalReport { series: vec![series], ..IntervalReport::empty("requests") });
        run_record.missed().map(|stopped| stopped.to_string())
    }

    #[tokio::test(start_paused = true)]
    async fn a_clean_up_shows_the_objects_that_are_left() {
        let mut shown = Vec::new();
        let show = |interval: &Interval| shown.push((interval.phase, interval.left));
        let mut run_record = RunRecord::open(CancellationToken::new(), show);
        run_record.clean_up(time::sleep(Duration::from_millis(2_500)), || Some(7)).await;
        drop(run_record);
        assert_eq!(shown, [(PhaseName::CleanUp, Some(7)); 2]);
    }

    #[tokio::test]
    async fn errors_stop_a_run_also_if_the_credentials_explain_them() {
        assert_eq!(stopped(&[(200, 1_000)]), None);
        assert_eq!(stopped(&[(401, ENOUGH - 1)]), None);
        assert_eq!(stopped(&[(200, 1_000), (401, 1)]), None);
        let missed = stopped(&[(200, 90), (500, 10)]).unwrap();
        assert!(missed.starts_with("stopped because a threshold was missed (errors<1% for GET"), "{missed}");
        for refused in [vec![(401, 100)], vec![(403, 100)], vec![(200, 90), (401, 10)]] {
            let refused = stopped(&refused).unwrap();
            assert!(refused.starts_with("stopped because the server refused the credentials"), "{refused}");
        }
    }
    #[tokio::test]
    async fn times_stop_a_run_if_the_credentials_are_refused_in_all_attempts() {
        for refused in [401, 403] {
            let why = stopped_by("p99<=1s", &[(refused, ENOUGH)]).unwrap();
            assert!(why.starts_with("stopped because the server refused the credentials"), "{why}");
            assert!(why.contains("(p99<=1s, was nothing); hint: use credentials"), "{why}");
        }
        for open in [vec![(401, ENOUGH - 1)], vec![(401, ENOUGH), (200, 1)], vec![(401, ENOUGH), (500, 1)]] {
            assert_eq!(stopped_by("p99<=1s", &open), None, "{open:?}");
        }
    }
}
