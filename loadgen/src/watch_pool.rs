//! A pool of watches over few connections: it keeps them open, reads them as they come, and accounts for every event.
//!
//! Each thread has its own connections and watches. A watch that ends is opened again from its last version, or from a
//! new list where that version has expired, and every end is counted with its reason. Each watch has a delivery tracker
//! of the writes that it has seen, so that at the end every write is delivered, lost, or still pending.

mod events;
mod route;
mod watcher;
mod worker_watches;

pub use route::{ReadRate, Route};

use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use harness::load::{Deliveries, Scope, Watches};
use tokio::sync::{mpsc, watch};

use crate::interval_report::IntervalReport;
use crate::scan::Checks;
use crate::stamp::Stamps;
use crate::wire::{Endpoint, Limits};
use crate::worker::{Vanished, Worker};
use worker_watches::{Progress, WorkerWatches};

/// The parameters of a watch pool.
#[derive(Clone)]
pub struct WatchPool {
    /// How many watches.
    pub watches: usize,
    /// What they watch, in turn.
    pub routes: Arc<[Route]>,
    /// The resource and the scope, as series name them.
    pub resource: String,
    /// How much of it each watch sees.
    pub scope: Scope,
    /// Set beside series of other fleets of the same resource.
    pub variant: String,
    /// How many threads read.
    pub threads: usize,
    /// Connections of each thread, and streams on each.
    pub limits: Limits,
    /// How many are opened a second.
    pub opening: f64,
    /// How long the head of an answer may take.
    pub within: Duration,
    /// Whether each watch reads as fast as it can.
    pub read_rate: ReadRate,
    /// One event in so many is parsed as a whole; see [`Check`](crate::scan::Check).
    pub check_one_in: u64,
}

/// A running watch pool. Dropping it closes its connections.
pub struct RunningWatchPool {
    workers: Mutex<Vec<Worker<WatchPoolSummary>>>,
    progress: Arc<[Progress]>,
    commands: watch::Sender<PoolCommand>,
    planned: u64,
}

/// What all threads are to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PoolCommand {
    /// Go on.
    Watch,
    /// Cut every connection, whenever this comes, and come back.
    Return {
        /// Whether each watch begins with a new list.
        relist: bool,
    },
    /// Account for all, and end.
    Stop,
}

/// What a watch pool adds up to at its end.
#[derive(Debug, Clone, Default)]
pub struct WatchPoolSummary {
    /// What became of every event.
    pub deliveries: Deliveries,
    /// Writes that a watcher did not see, because its version had expired and it began anew from a list.
    pub skipped: u64,
    /// What became of every watch.
    pub watches: Watches,
    /// Lines of a watch that are no events.
    pub malformed: u64,
    /// Events that were looked at, parsed as a whole to check that, and misread.
    pub checks: Checks,
    /// The first few of what went wrong, in words.
    pub evidence: Vec<String>,
}

impl WatchPool {
    /// Begins to open watches. Everything that is measured goes to `interval_reports`, once a second.
    pub fn launch(
        self,
        endpoint: &Endpoint,
        stamps: &Arc<Stamps>,
        interval_reports: &mpsc::UnboundedSender<IntervalReport>,
    ) -> io::Result<RunningWatchPool> {
        let threads = self.threads.clamp(1, self.watches.max(1));
        let progress: Arc<[Progress]> = (0..threads).map(|_| Progress::default()).collect();
        let (commands, receiver) = watch::channel(PoolCommand::Watch);
        let planned = self.watches as u64;
        let variant = self.variant.clone();
        let watch_pool = Arc::new(self);
        let workers = (0..threads).map(|thread| {
            let (watch_pool, endpoint, stamps) = (watch_pool.clone(), endpoint.clone(), stamps.clone());
            let (commands, progress, interval_reports) =
                (receiver.clone(), progress.clone(), interval_reports.clone());
            Worker::start(&format!("watches-{variant}{thread}"), move || {
                WorkerWatches::new(watch_pool, endpoint, stamps, (thread, threads), progress)
                    .work(commands, interval_reports)
            })
        });
        let workers = Mutex::new(workers.collect::<io::Result<_>>()?);
        Ok(RunningWatchPool { workers, progress, commands, planned })
    }
}

impl RunningWatchPool {
    /// How many watches are open.
    pub fn open(&self) -> u64 {
        self.progress.iter().map(Progress::open).sum()
    }

    /// How many watches there are to be.
    pub fn planned(&self) -> u64 {
        self.planned
    }

    /// How often a watch was opened so far, the first time and again.
    pub fn openings(&self) -> u64 {
        self.progress.iter().map(Progress::openings).sum()
    }

    /// How many writes were delivered so far, each counted once for each watch.
    pub fn delivered(&self) -> u64 {
        self.progress.iter().map(Progress::delivered).sum()
    }

    /// Waits until all watches are open, or a time is over; how many are.
    pub async fn all_open(&self, within: Duration) -> u64 {
        self.until(within, || self.open() >= self.planned).await;
        self.open()
    }

    /// Waits until watches have been opened so often, or a time is over; whether they were.
    pub async fn all_back(&self, openings: u64, within: Duration) -> bool {
        self.until(within, || self.openings() >= openings).await
    }

    /// Waits until so many writes have been delivered, or a time is over; whether they were.
    pub async fn all_delivered(&self, expected: u64, within: Duration) -> bool {
        self.until(within, || self.delivered() >= expected).await
    }

    /// Cuts all connections at once; the watches come back, each with a new list if so wished.
    pub fn cut(&self, relist: bool) {
        self.commands.send_replace(PoolCommand::Return { relist });
    }

    /// Closes all watches and accounts for every event. There is nothing to account for a second time.
    pub async fn stop(&self) -> Result<WatchPoolSummary, Vanished> {
        self.commands.send_replace(PoolCommand::Stop);
        let mut all = WatchPoolSummary::default();
        let workers = std::mem::take(&mut *self.workers.lock().unwrap_or_else(PoisonError::into_inner));
        for worker in workers {
            all.add(worker.join().await?);
        }
        Ok(all)
    }

    async fn until(&self, within: Duration, done: impl Fn() -> bool) -> bool {
        let waiting = async {
            while !done() {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        };
        tokio::time::timeout(within, waiting).await.is_ok()
    }
}

impl WatchPoolSummary {
    /// How many examples of what went wrong are kept.
    pub(crate) const EVIDENCE: usize = 20;

    fn add(&mut self, other: Self) {
        self.deliveries.add(&other.deliveries);
        self.skipped += other.skipped;
        self.malformed += other.malformed;
        let (watches, more) = (&mut self.watches, other.watches);
        watches.planned += more.planned;
        watches.opened += more.opened;
        watches.open += more.open;
        watches.resumed += more.resumed;
        watches.connections += more.connections;
        watches.streams = watches.streams.or(more.streams);
        for (ending, count) in more.ended {
            *watches.ended.entry(ending).or_default() += count;
        }
        self.checks.seen += other.checks.seen;
        self.checks.checked += other.checks.checked;
        self.checks.misread += other.checks.misread;
        let room = Self::EVIDENCE.saturating_sub(self.evidence.len());
        self.evidence.extend(other.evidence.into_iter().take(room));
    }
}
