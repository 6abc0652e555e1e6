//! A worker's side of the rendezvous: reads the coordinator's state, and writes its own.

mod peers;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use harness::TestError;
use tokio::sync::mpsc::UnboundedReceiver;
use tokio_util::sync::CancellationToken;

use super::LOST_AFTER;
use super::clock_bounds::{OwnClock, UpperBound, both};
use super::documents::{CoordinatorDocument, RunDocument, WorkerDocument, WorkerResult, read, write};
use super::rendezvous::{Documents, Rendezvous};
use crate::aggregator::Aggregator;
use crate::generator;
use crate::interval_report::IntervalReport;
use crate::recorder::micros;
use crate::run::LoadNews;
use crate::share::Share;
use crate::stamp::Stamps;

/// The interval of reports, for as many workers as a coordinator reads each second; more report less often.
const REPORT_EVERY: Duration = Duration::from_secs(1);
const REPORTS_PER_SECOND: usize = 25;

/// During the load the documents are read less often: reading costs time as well.
const CALM: u32 = 5;

/// How much the bounds of a clock can weaken until the next document of the coordinator, in microseconds.
const MARGIN: i64 = 500;

/// Grace period for the writes of other workers, beside the drain period.
const FOR_WRITES: Duration = Duration::from_secs(20);

/// The link of one worker with its coordinator.
pub(super) struct Link {
    share: Share,
    rendezvous: Arc<dyn Rendezvous>,
    clock: OwnClock,
    stamps: Arc<Stamps>,
    /// Timeout for the writes of the others.
    writes_within: Duration,
    /// Cancelled when the load must stop.
    stop: CancellationToken,
    state: Mutex<State>,
}

struct State {
    coordinator: CoordinatorDocument,
    heard: Instant,
    /// The upper bound of this clock minus the coordinator's.
    behind: UpperBound,
    /// The upper bounds of this clock minus those of other workers.
    ahead: BTreeMap<usize, UpperBound>,
    own: WorkerDocument,
    /// Whether the own document differs from the written one in more than its reports.
    is_news: bool,
    reported: u64,
    result: Option<WorkerResult>,
    is_lost: bool,
    is_dismissed: bool,
}

impl Link {
    /// The link of a worker that has joined.
    pub(super) fn new(
        share: Share,
        (run, coordinator): (&RunDocument, CoordinatorDocument),
        (rendezvous, clock): (Arc<dyn Rendezvous>, OwnClock),
        stamps: Arc<Stamps>,
        stop: CancellationToken,
    ) -> Self {
        let state = State {
            coordinator,
            heard: Instant::now(),
            behind: UpperBound::default(),
            ahead: BTreeMap::new(),
            own: WorkerDocument {
                run: run.run.clone(),
                process: fastrand::u64(..),
                ..WorkerDocument::default()
            },
            is_news: true,
            reported: 0,
            result: None,
            is_lost: false,
            is_dismissed: false,
        };
        let writes_within = run.workload.drain.0 + FOR_WRITES;
        Self { share, rendezvous, clock, stamps, writes_within, stop, state: Mutex::new(state) }
    }

    /// Keeps the link until the coordinator has the result, or is lost.
    pub(super) async fn keep(self: Arc<Self>, mut news: UnboundedReceiver<LoadNews>) {
        let (mut aggregator, mut since, mut cpu) = (Aggregator::default(), Instant::now(), generator::cpu());
        let every = REPORT_EVERY * u32::try_from(self.share.of.div_ceil(REPORTS_PER_SECOND)).unwrap_or(1);
        let mut written = Instant::now();
        loop {
            let document = self.rendezvous.get(Documents::COORDINATOR.to_owned()).await;
            match document {
                // It has removed its document after the last result.
                Ok(None) if self.is_delivered() => self.state().is_dismissed = true,
                Ok(text) => self.hear(text.as_deref()),
                // The rendezvous may come back.
                Err(_) => self.hear(None),
            }
            if self.is_over() {
                return;
            }
            let has_ended = self.state().result.is_some();
            while let Ok(news) = news.try_recv() {
                match news {
                    LoadNews::Report(report) => aggregator.take(report),
                    LoadNews::Backlog(backlog) => self.state().own.backlog = backlog,
                }
            }
            if has_ended || since.elapsed() >= every {
                let now = generator::cpu();
                let used = now.zip(cpu).map_or(0, |(now, then)| micros(now.saturating_sub(then)));
                (since, cpu) = (Instant::now(), now);
                self.report(aggregator.report(&format!("worker {}", self.share.index), used));
            }
            let is_due = written.elapsed() >= self.write_every();
            if (is_due || self.state().is_news) && !self.is_delivered() && self.tell().await.is_ok() {
                written = Instant::now();
            }
            tokio::time::sleep(self.pause()).await;
        }
    }

    /// Hands the result over, and waits until the coordinator has it.
    pub(super) async fn finish(&self, result: WorkerResult) -> Result<(), TestError> {
        self.state().result = Some(result);
        while !self.is_over() {
            tokio::time::sleep(self.rendezvous.pause()).await;
        }
        if self.is_delivered() && !self.is_lost() {
            return Ok(());
        }
        let why = self.stopped().unwrap_or_else(|| "the coordinator ended the run".to_owned());
        let index = self.share.index;
        Err(if self.is_lost() {
            Self::lost()
        } else {
            TestError::new(format!("perform the share of worker {index}"), why)
        })
    }

    /// Whether the coordinator seems to be dead.
    pub(super) fn is_lost(&self) -> bool {
        self.state().is_lost
    }

    /// Why the load stopped early, if the link did it.
    pub(super) fn stopped(&self) -> Option<String> {
        let state = self.state();
        if state.is_lost {
            return Some(Self::lost().to_string());
        }
        state.coordinator.stop.as_ref().map(|why| format!("stopped by the coordinator: {why}"))
    }

    fn lost() -> TestError {
        let seconds = LOST_AFTER.as_secs();
        TestError::new(
            "follow the coordinator",
            format!("it wrote nothing at the rendezvous for {seconds} s"),
        )
    }

    /// Takes the coordinator's document.
    fn hear(&self, text: Option<&str>) {
        let now = Instant::now();
        let state = &mut *self.state();
        let document = text.and_then(|text| read::<CoordinatorDocument>(Documents::COORDINATOR, text).ok());
        let document = document.filter(|document| document.run == state.own.run);
        if let Some(document) = document.filter(|document| document.beat > state.coordinator.beat) {
            state.heard = now;
            let own = self.clock.micros(now).cast_signed();
            state.behind.take(own.saturating_sub(document.now.cast_signed()), now);
            state.own.reports.retain(|(number, _)| {
                document.taken.get(self.share.index).is_none_or(|taken| number > taken)
            });
            if document.writes.is_some() {
                // The coordinator has them.
                state.own.writes = None;
            }
            self.set_clocks(&document);
            state.is_dismissed |= document.collected;
            state.coordinator = document;
        }
        state.is_lost |= !state.is_dismissed && now.saturating_duration_since(state.heard) > LOST_AFTER;
        if state.is_lost || state.coordinator.stop.is_some() {
            self.stop.cancel();
        }
    }

    fn set_clocks(&self, document: &CoordinatorDocument) {
        let Some(own) = document.clocks.get(self.share.index) else { return };
        let to_first = |worker: usize| document.to_first.get(worker).copied().unwrap_or_default();
        let own_to_first = to_first(self.share.index);
        for (worker, other) in (0..).zip(&document.clocks) {
            let by_writes = to_first(usize::from(worker)).ahead_of(own_to_first);
            let (least, most) = both(own.ahead_of(*other), by_writes);
            self.stamps.set_ahead(worker, (least.saturating_sub(MARGIN), most.saturating_add(MARGIN)));
        }
    }

    /// Adds a report to the document.
    fn report(&self, report: IntervalReport) {
        let state = &mut *self.state();
        if state.own.result.is_some() {
            return;
        }
        state.reported += 1;
        state.own.reports.push((state.reported, report));
        if let Some(result) = state.result.take() {
            (state.own.result, state.is_news) = (Some(result), true);
        }
    }

    /// Writes the own document.
    async fn tell(&self) -> Result<(), TestError> {
        let text = {
            let state = &mut *self.state();
            let now = Instant::now();
            state.own.beat += 1;
            state.own.now = self.clock.micros(now);
            state.own.clock_at_least = state.behind.at(now).map(i64::saturating_neg);
            state.own.ahead = self.ahead(&mut state.ahead, now);
            state.is_news = false;
            write(&state.own)?
        };
        let put = self.rendezvous.put(Documents::worker(self.share.index), text).await;
        if put.is_err() {
            self.state().is_news = true;
        }
        put
    }

    /// The bounds that the writes of other workers give: two workers are compared through the first one.
    fn ahead(&self, known: &mut BTreeMap<usize, UpperBound>, now: Instant) -> Vec<(usize, i64)> {
        for (worker, other) in self.stamps.others() {
            if let Some(bound) = other.take_bound().filter(|_| worker == 0 || self.share.index == 0) {
                known.entry(worker.into()).or_default().take(bound, now);
            }
        }
        known.iter().filter_map(|(worker, bound)| Some((*worker, bound.at(now)?))).collect()
    }

    /// Whether the coordinator can read all that this worker has to say.
    fn is_delivered(&self) -> bool {
        let state = self.state();
        state.own.result.is_some() && !state.is_news
    }

    fn is_over(&self) -> bool {
        let state = self.state();
        state.is_dismissed || (state.is_lost && (state.result.is_some() || state.own.result.is_some()))
    }

    /// Before the load the clocks are compared, and every document helps.
    fn pause(&self) -> Duration {
        self.rendezvous.pause() * if self.state().coordinator.start.is_some() { CALM } else { 1 }
    }

    fn write_every(&self) -> Duration {
        if self.state().coordinator.start.is_some() { REPORT_EVERY } else { self.rendezvous.pause() * 2 }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
