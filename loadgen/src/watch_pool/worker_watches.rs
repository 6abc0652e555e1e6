//! The watches of one thread, and their shared state.

use std::cell::{Cell, RefCell};
use std::fmt::Display;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use harness::load::{DurationKind, Ending, SeriesKey};
use harness::stream::Absence;
use tokio::sync::{mpsc, watch};

use super::watcher::{Watcher, keep_open};
use super::{PoolCommand, WatchPool, WatchPoolSummary};
use crate::broken_rules::Rule;
use crate::interval_report::{IntervalReport, IntervalReporter};
use crate::pace::{Clock, Pace};
use crate::recorder::{Recorder, SeriesId};
use crate::scan::{COUNT_TWICE_ONE_IN, Check, CollectionFinder};
use crate::stamp::{OtherWriter, Stamp, Stamps};
use crate::wire::{ConnectionPool, Endpoint};

/// The precision of opening watches.
const TICK: Duration = Duration::from_millis(1);

/// The progress of one thread: only that thread writes it, and all read it.
#[derive(Default)]
pub(super) struct Progress {
    open: AtomicU64,
    /// The number of watches that have been open.
    opened: AtomicU64,
    /// The number of watches that the server refused with 403.
    forbidden: AtomicU64,
    openings: AtomicU64,
    delivered: AtomicU64,
}

impl Progress {
    pub(super) fn open(&self) -> u64 {
        self.open.load(Relaxed)
    }

    pub(super) fn opened(&self) -> u64 {
        self.opened.load(Relaxed)
    }

    pub(super) fn forbidden(&self) -> u64 {
        self.forbidden.load(Relaxed)
    }

    pub(super) fn openings(&self) -> u64 {
        self.openings.load(Relaxed)
    }

    pub(super) fn delivered(&self) -> u64 {
        self.delivered.load(Relaxed)
    }
}

/// The watches of one thread.
pub(super) struct WorkerWatches {
    pub(super) watch_pool: Arc<WatchPool>,
    pub(super) stamps: Arc<Stamps>,
    pub(super) pool: ConnectionPool,
    pub(super) recorder: Recorder,
    pub(super) series: Names,
    pub(super) check: RefCell<Check>,
    /// By the index of the route.
    pub(super) collections: Box<[CollectionFinder]>,
    pub(super) watchers: Vec<RefCell<Watcher>>,
    pub(super) account: RefCell<WatchPoolSummary>,
    pub(super) events: Cell<u64>,
    /// The number of lists before watches.
    lists: Cell<u32>,
    thread: (usize, usize),
    progress: Arc<[Progress]>,
}

/// The series of a watch pool.
pub(super) struct Names {
    pub(super) latency: SeriesId,
    pub(super) service: SeriesId,
    pub(super) first_event: SeriesId,
    pub(super) synced: SeriesId,
    pub(super) resumption: SeriesId,
    pub(super) lags: [SeriesId; 3],
    pub(super) list: [SeriesId; 2],
}

impl Names {
    fn new(recorder: &Recorder, watch_pool: &WatchPool) -> Self {
        let name = |verb, kind| {
            recorder.series(SeriesKey::new(
                verb,
                &watch_pool.resource,
                watch_pool.scope,
                kind,
                &watch_pool.variant,
            ))
        };
        let watch = |kind| name("WATCH", kind);
        Self {
            latency: watch(DurationKind::Latency),
            service: watch(DurationKind::Service),
            first_event: watch(DurationKind::FirstEvent),
            synced: watch(DurationKind::Synced),
            resumption: watch(DurationKind::Resumption),
            lags: [DurationKind::LagIntended, DurationKind::LagSent, DurationKind::LagAcknowledged]
                .map(watch),
            // Attempts and errors count in the latency series.
            list: [DurationKind::Latency, DurationKind::Service].map(|kind| name("LIST", kind)),
        }
    }
}

impl WorkerWatches {
    /// The watches of one thread among this number of threads.
    pub(super) fn new(
        watch_pool: Arc<WatchPool>,
        endpoint: Endpoint,
        stamps: Arc<Stamps>,
        thread: (usize, usize),
        progress: Arc<[Progress]>,
    ) -> Rc<Self> {
        let recorder = Recorder::of(watch_pool.measured.clone());
        let check = RefCell::new(Check::one_in(watch_pool.check_one_in));
        let own = (thread.0..watch_pool.watches).step_by(thread.1);
        let watcher = |index: usize| {
            Watcher::new(index % watch_pool.routes.len().max(1), &watch_pool, stamps.writers())
        };
        let collections = watch_pool.routes.iter().map(|route| CollectionFinder::new(&route.collection));
        Rc::new(Self {
            collections: collections.collect(),
            watchers: own.map(watcher).map(RefCell::new).collect(),
            pool: ConnectionPool::new(endpoint, watch_pool.limits),
            series: Names::new(&recorder, &watch_pool),
            recorder,
            stamps,
            check,
            account: RefCell::default(),
            events: Cell::new(0),
            lists: Cell::new(0),
            thread,
            progress,
            watch_pool,
        })
    }

    /// Opens the watches, and continues until the order to stop.
    pub(super) async fn work(
        self: Rc<Self>,
        mut commands: watch::Receiver<PoolCommand>,
        interval_reports: mpsc::UnboundedSender<IntervalReport>,
    ) -> WatchPoolSummary {
        let mut interval_reporter = IntervalReporter::new(self.recorder.clone(), interval_reports);
        let opening = tokio::task::spawn_local(self.clone().open_all());
        loop {
            tokio::select! {
                changed = commands.changed() => {
                    let order = *commands.borrow_and_update();
                    match order {
                        _ if changed.is_err() => break,
                        PoolCommand::Stop => break,
                        PoolCommand::Return { relist } => self.come_back(relist),
                        PoolCommand::Watch => {}
                    }
                }
                () = interval_reporter.rest() => interval_reporter.report(self.events.take(), self.own().open()),
            }
        }
        opening.abort();
        let account = self.close();
        interval_reporter.report(self.events.take(), account.watches.open);
        account
    }

    async fn open_all(self: Rc<Self>) {
        let Ok(clock) = Clock::new(TICK) else { return };
        let began = Instant::now();
        #[expect(clippy::cast_precision_loss, reason = "few threads")]
        let pace = Pace::Fixed(self.watch_pool.opening / self.thread.1 as f64);
        for (index, at) in (0..self.watchers.len()).zip(pace.plan(Duration::MAX)) {
            clock.wait_until(began + at).await;
            tokio::task::spawn_local(keep_open(self.clone(), index, began + at));
        }
    }

    fn come_back(&self, relist: bool) {
        for watcher in &self.watchers {
            let mut watcher = watcher.borrow_mut();
            (watcher.ordered, watcher.relist) = (true, watcher.relist || relist);
        }
        self.pool.cut();
    }

    fn own(&self) -> &Progress {
        &self.progress[self.thread.0]
    }

    /// Counts a watch as open, or as ended.
    pub(super) fn count_open(&self, open: bool) {
        let now = self.own().open();
        self.own().open.store(if open { now + 1 } else { now.saturating_sub(1) }, Relaxed);
        self.own().openings.store(self.own().openings() + u64::from(open), Relaxed);
    }

    /// Counts a watch that is open for the first time.
    pub(super) fn count_opened(&self) {
        self.own().opened.store(self.own().opened() + 1, Relaxed);
    }

    /// Counts a watch that the user may not open.
    pub(super) fn count_forbidden(&self) {
        self.own().forbidden.store(self.own().forbidden() + 1, Relaxed);
    }

    /// Counts a write that reaches a watcher for the first time.
    pub(super) fn count_delivered(&self) {
        self.own().delivered.store(self.own().delivered() + 1, Relaxed);
    }

    /// Counts the end of a watch without an order.
    pub(super) fn count_ended(&self, ending: Ending) {
        *self.account.borrow_mut().watches.ended.entry(ending).or_default() += 1;
    }

    /// Whether to count the items of the next list before a watch twice. The first one is: a server that always leaves
    /// objects out is found at once.
    pub(super) fn counts_twice(&self) -> bool {
        self.lists.replace(self.lists.get().wrapping_add(1)).is_multiple_of(COUNT_TWICE_ONE_IN)
    }

    /// Counts what breaks a rule.
    pub(super) fn breach(&self, rule: Rule, example: impl FnOnce() -> String) {
        self.account.borrow_mut().broken_rules.count(rule, example);
    }

    /// Accounts for every write that a watcher has not received.
    fn close(&self) -> WatchPoolSummary {
        let ended = Instant::now();
        self.count_open_unsynced(ended);
        let (first, now) = (self.stamps.measured_from(), self.stamps.micros(ended));
        for (index, watcher) in self.watchers.iter().enumerate() {
            let watcher = watcher.borrow();
            for (sequence, absence) in watcher.delivery_tracker.absences(first, &*self.stamps) {
                self.miss(index, &sequence, absence, || self.ages(sequence, now));
            }
            for (worker, writer) in self.stamps.others() {
                let delivery_tracker = &watcher.of_workers[usize::from(worker)];
                for (sequence, absence) in delivery_tracker.absences(writer.measured_from(), writer) {
                    let stamp = Stamp { worker, sequence }.text();
                    self.miss(index, &stamp, absence, || ages_of_other(writer, sequence, now));
                }
            }
        }
        let mut account = self.account.take();
        account.checks = self.check.borrow().checks;
        account.watches.planned = self.watchers.len() as u64;
        account.watches.open = self.own().open();
        account.watches.connections = self.pool.served();
        account.watches.streams = self.pool.streams();
        let deliveries = &mut account.deliveries;
        deliveries.expected = deliveries.delivered + deliveries.lost + deliveries.pending;
        account
    }

    fn ages(&self, sequence: u32, now: u64) -> Option<[Option<u64>; 3]> {
        let lags = self.stamps.lags(sequence, now)?;
        let acknowledged = u64::try_from(lags.acknowledged).unwrap_or(0);
        Some([Some(lags.intended), Some(lags.sent), Some(acknowledged)])
    }

    fn miss(
        &self,
        index: usize,
        write: &dyn Display,
        absence: Absence,
        ages: impl FnOnce() -> Option<[Option<u64>; 3]>,
    ) {
        match absence {
            Absence::Skipped => self.account.borrow_mut().skipped += 1,
            Absence::Lost => {
                self.account.borrow_mut().deliveries.lost += 1;
                self.breach(Rule::Lost, || {
                    format!("watch {index} never had write {write}, but one sent after it")
                });
            }
            Absence::Pending => {
                self.account.borrow_mut().deliveries.pending += 1;
                for (series, age) in self.series.lags.into_iter().zip(ages().into_iter().flatten()) {
                    if let Some(age) = age {
                        self.recorder.pend(series, age);
                    }
                }
            }
        }
    }
}

/// The least ages of a pending write of another worker, as far as its log has them, for the series of lags.
fn ages_of_other(writer: &OtherWriter, sequence: u32, now: u64) -> Option<[Option<u64>; 3]> {
    let age = writer.age(sequence, now)?;
    // Its intended start was earlier still.
    Some([Some(age), Some(age), None])
}
