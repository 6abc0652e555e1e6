//! A pool of watches over few connections: it keeps them open, reads them, and accounts for every event.
//!
//! Each thread has its own connections and watches. A watch that ends is opened again from its last version, or from a
//! new list if that version has expired; each end counts under its reason. Each watch has a delivery tracker, so at the
//! end every write is delivered, lost, or pending.

mod events;
mod initial_objects;
mod population_check;
mod restarts;
mod retries;
mod route;
mod watcher;
mod worker_watches;

pub use initial_objects::InitialObjects;
pub use restarts::Restarts;
pub use route::{ReadRate, Route};

use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use harness::load::{Deliveries, Scope, Watches};
use serde::{Deserialize, Serialize};
use tokio::sync::{mpsc, watch};

use crate::broken_rules::BrokenRules;
use crate::interval_report::IntervalReport;
use crate::recorder::MeasuredTime;
use crate::scan::Checks;
use crate::stamp::Stamps;
use crate::wire::{Endpoint, Limits};
use crate::worker::{Vanished, Worker};
use worker_watches::{Progress, WorkerWatches};

/// The parameters of a watch pool.
#[derive(Clone)]
pub struct WatchPool {
    /// The number of watches.
    pub watches: usize,
    /// The collections, assigned to the watches in turn.
    pub routes: Arc<[Route]>,
    /// The resource in the names of series.
    pub resource: String,
    /// The scope of each watch.
    pub scope: Scope,
    /// Distinguishes the series from those of other pools for the same resource.
    pub variant: String,
    /// The number of threads.
    pub threads: usize,
    /// Connections of each thread, and streams on each.
    pub limits: Limits,
    /// Rate of opening watches, in watches per second.
    pub opening: f64,
    /// Timeout for the head of a response.
    pub within: Duration,
    /// The speed at which each watch reads.
    pub read_rate: ReadRate,
    /// The measured time of the run; without it, all time counts.
    pub measured: Option<MeasuredTime>,
    /// One event in this number is parsed completely; see [`Check`](crate::scan::Check).
    pub check_one_in: u64,
}

/// A running watch pool. Dropping it closes its connections.
pub struct RunningWatchPool {
    workers: Mutex<Vec<Worker<WatchPoolSummary>>>,
    progress: Arc<[Progress]>,
    commands: watch::Sender<PoolCommand>,
    planned: u64,
}

/// A command to all threads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PoolCommand {
    /// Keep the watches open.
    Watch,
    /// Cut every connection at each new value, and open the watches again.
    Return {
        /// Whether each watch starts with a new list.
        relist: bool,
    },
    /// Account for all events, and end.
    Stop,
}

/// The results of a watch pool.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct WatchPoolSummary {
    /// The results of all deliveries.
    pub deliveries: Deliveries,
    /// Writes that a watch cannot have received: its version had expired, and it started again from a list.
    pub skipped: u64,
    /// How the beginnings of watches ended.
    #[serde(default)]
    pub restarts: Restarts,
    /// The counts of watches.
    pub watches: Watches,
    /// The rules that events, and lists before watches, broke.
    pub broken_rules: BrokenRules,
    /// The counts of scanned, checked and misread events.
    pub checks: Checks,
}

impl WatchPool {
    /// Starts to open watches. Sends the measurements to `interval_reports`, once a second.
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
    /// The number of open watches.
    pub fn open(&self) -> u64 {
        self.progress.iter().map(Progress::open).sum()
    }

    /// The number of watches.
    pub fn planned(&self) -> u64 {
        self.planned
    }

    /// The number of times that watches were opened, first or again.
    pub fn openings(&self) -> u64 {
        self.progress.iter().map(Progress::openings).sum()
    }

    /// The number of deliveries: each write counts once for each watch.
    pub fn delivered(&self) -> u64 {
        self.progress.iter().map(Progress::delivered).sum()
    }

    /// Waits until every watch has been open, all are forbidden, or the time is over; returns the number of open watches. A
    /// server that ends its watches early never has all of them open.
    pub async fn all_open(&self, within: Duration) -> u64 {
        self.until(within, || self.opened() >= self.planned || self.is_forbidden()).await;
        self.open()
    }

    /// Whether the server refused at least as many watches as there are with 403, and no watch has been open.
    pub(crate) fn is_forbidden(&self) -> bool {
        let forbidden = self.progress.iter().map(Progress::forbidden).sum::<u64>();
        forbidden > 0 && forbidden >= self.planned && self.opened() == 0
    }

    fn opened(&self) -> u64 {
        self.progress.iter().map(Progress::opened).sum()
    }

    /// Waits until watches have been opened this often or the time is over; returns whether they have.
    pub async fn all_back(&self, openings: u64, within: Duration) -> bool {
        self.until(within, || self.openings() >= openings).await
    }

    /// Waits for this number of deliveries, or until the time is over; returns whether they have happened.
    pub async fn all_delivered(&self, expected: u64, within: Duration) -> bool {
        self.until(within, || self.delivered() >= expected).await
    }

    /// Cuts all connections at once; the watches open again, optionally each with a new list.
    pub fn cut(&self, relist: bool) {
        self.commands.send_replace(PoolCommand::Return { relist });
    }

    /// Closes all watches and accounts for every event; a second call has an empty summary.
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
    pub(crate) fn add(&mut self, other: Self) {
        self.deliveries.add(&other.deliveries);
        self.skipped += other.skipped;
        self.restarts.add(other.restarts);
        self.broken_rules.add(other.broken_rules);
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
    }
}
