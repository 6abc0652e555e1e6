//! The watch pools of a run: one reads at once, the other one reads slowly.

use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use harness::load::Scope;
use tokio::sync::mpsc::UnboundedSender;

use super::Stage;
use super::run_record::{Backlog, Stopped};
use crate::interval_report::IntervalReport;
use crate::stamp::Stamps;
use crate::watch_pool::{InitialObjects, ReadRate, Route, RunningWatchPool, WatchPool, WatchPoolSummary};
use crate::wire::Limits;
use crate::workload::{Cut, SlowWatchLoad, WatchLoad};

/// One event in this number is parsed completely.
const CHECK_ONE_IN: u64 = 1_000;

/// A watch pool of the run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PoolKind {
    /// The one that reads at once.
    Healthy,
    /// The one that reads slowly.
    Slow,
}

/// The watch pools of a run, once launched.
#[derive(Default)]
pub(super) struct WatchPools {
    healthy: OnceLock<RunningWatchPool>,
    slow: OnceLock<RunningWatchPool>,
}

impl WatchPools {
    /// Opens a pool, and waits until all its watches are open, at most for the timeout of a response. It fails if the
    /// server forbids all of them.
    pub(super) async fn open(
        &self,
        kind: PoolKind,
        stage: &Stage,
        interval_reports: &UnboundedSender<IntervalReport>,
    ) -> Result<(), Stopped> {
        let workload = &stage.plan.workload;
        let watch_pool = match kind {
            PoolKind::Healthy => workload.watches.as_ref().map(|watches| stage.healthy(watches)),
            PoolKind::Slow => workload.slow.as_ref().map(|slow| stage.slow(slow)),
        };
        let Some(watch_pool) = watch_pool else { return Ok(()) };
        let running =
            watch_pool.launch(&stage.endpoint, &stage.stamps, interval_reports).map_err(Stopped::of)?;
        let running = self.place(kind).get_or_init(|| running);
        running.all_open(stage.plan.within).await;
        if running.is_forbidden() {
            let resource = &stage.settled.template.resource;
            let why = format!("the server refuses every watch of {resource} with 403 Forbidden");
            return Err(Stopped::of(format!("{why}; hint: use credentials that may watch them")));
        }
        Ok(())
    }

    /// The pool that reads at once.
    pub(super) fn healthy(&self) -> Option<&RunningWatchPool> {
        self.healthy.get()
    }

    /// Waits until an instant, and meanwhile cuts all watches at the workload's interval.
    pub(super) async fn cut_until(&self, cut: Option<&Cut>, until: Instant) {
        let (Some(cut), Some(watch_pool)) = (cut, self.healthy()) else {
            return tokio::time::sleep_until(until.into()).await;
        };
        loop {
            let next = Instant::now() + cut.every.0;
            // The watches of the last cut must be able to open again before the end.
            if next + cut.every.0 / 2 > until {
                return tokio::time::sleep_until(until.into()).await;
            }
            tokio::time::sleep_until(next.into()).await;
            watch_pool.cut(cut.relist);
        }
    }

    /// Waits until every write has reached every watch that expects it, or a time is over.
    pub(super) async fn all_delivered(&self, stage: &Stage, within: Duration) {
        if let Some(watch_pool) = self.healthy() {
            watch_pool.all_delivered(stage.stamps.writes_of_all() * watch_pool.planned(), within).await;
        }
    }

    /// Closes the watches of a pool; `None` if it was never launched.
    pub(super) async fn close(&self, kind: PoolKind) -> Result<Option<WatchPoolSummary>, Stopped> {
        match self.place(kind).get() {
            Some(watch_pool) => watch_pool.stop().await.map(Some).map_err(Stopped::of),
            None => Ok(None),
        }
    }

    /// The writes of this process, its watches, and their deliveries.
    pub(super) fn backlog(&self, stamps: &Stamps) -> Backlog {
        let (planned, delivered) = self.healthy().map_or((0, 0), |pool| (pool.planned(), pool.delivered()));
        Backlog { writes: stamps.writes(), watches: planned, delivered, starts: None }
    }

    fn place(&self, kind: PoolKind) -> &OnceLock<RunningWatchPool> {
        match kind {
            PoolKind::Healthy => &self.healthy,
            PoolKind::Slow => &self.slow,
        }
    }
}

impl Stage {
    fn healthy(&self, watches: &WatchLoad) -> WatchPool {
        let threads = watches.threads.clamp(1, watches.count);
        let connections = watches.connections.unwrap_or(watches.count).div_ceil(threads);
        WatchPool {
            watches: watches.count,
            routes: self.routes(watches.initial),
            resource: self.settled.template.resource.clone(),
            scope: Scope::Namespace,
            variant: String::new(),
            threads,
            limits: Limits { streams: watches.streams, ..Limits::connections(connections) },
            opening: watches.opening,
            within: self.plan.within,
            read_rate: ReadRate::Healthy,
            measured: Some(self.measured.clone()),
            check_one_in: CHECK_ONE_IN,
        }
    }

    /// Each watch on its own connection: a watch that does not read blocks all others of its connection.
    fn slow(&self, slow: &SlowWatchLoad) -> WatchPool {
        WatchPool {
            watches: slow.count,
            routes: self.routes(false),
            resource: self.settled.template.resource.clone(),
            scope: Scope::Namespace,
            variant: "slow".to_owned(),
            threads: 1,
            limits: Limits { streams: 1, ..Limits::connections(slow.count) },
            opening: 1_000.0,
            within: self.plan.within,
            read_rate: ReadRate::Slow(slow.rest.0),
            measured: Some(self.measured.clone()),
            check_one_in: CHECK_ONE_IN,
        }
    }

    fn routes(&self, initial: bool) -> Arc<[Route]> {
        let (places, objects) = (self.settled.places.len(), self.settled.objects);
        let padding = self.settled.template.least_padding();
        let route = |(index, place): (usize, &crate::population::Place)| {
            let from = if initial { "" } else { &place.version };
            let collection = self.settled.template.collection_in(&place.namespace);
            let population = InitialObjects::in_place(index, places, objects);
            let objects = u32::try_from(objects).unwrap_or(u32::MAX);
            Route {
                initial_events: initial,
                population,
                objects,
                padding,
                ..Route::new(&place.path, collection, from)
            }
        };
        self.settled.places.iter().enumerate().map(route).collect()
    }
}
