//! The fleets of a run: those that read at once, and those that do not.

use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use harness::load::Scope;
use tokio::sync::mpsc::UnboundedSender;

use super::Stage;
use super::run_record::Stopped;
use crate::interval_report::IntervalReport;
use crate::stamp::Stamps;
use crate::watch_pool::{ReadRate, Route, RunningWatchPool, WatchPool, WatchPoolSummary};
use crate::wire::Limits;
use crate::workload::{Cut, Slow, Watching};

/// One event in so many is parsed as a whole.
const CHECK_ONE_IN: u64 = 1_000;

/// Which of the fleets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Which {
    /// Those that read at once.
    Healthy,
    /// Those that do not.
    Slow,
}

/// The fleets of a run, once they are launched.
#[derive(Default)]
pub(super) struct WatchPools {
    healthy: OnceLock<RunningWatchPool>,
    slow: OnceLock<RunningWatchPool>,
}

impl WatchPools {
    /// Opens one, and waits until all its watches are open, but not longer than one answer may take.
    pub(super) async fn open(
        &self,
        which: Which,
        stage: &Stage,
        interval_reports: &UnboundedSender<IntervalReport>,
    ) -> Result<(), Stopped> {
        let workload = &stage.plan.workload;
        let watch_pool = match which {
            Which::Healthy => workload.watches.as_ref().map(|watches| stage.healthy(watches)),
            Which::Slow => workload.slow.as_ref().map(|slow| stage.slow(slow)),
        };
        let Some(watch_pool) = watch_pool else { return Ok(()) };
        let running =
            watch_pool.launch(&stage.endpoint, &stage.stamps, interval_reports).map_err(Stopped::of)?;
        self.place(which).get_or_init(|| running).all_open(stage.plan.within).await;
        Ok(())
    }

    /// Those that read at once.
    pub(super) fn healthy(&self) -> Option<&RunningWatchPool> {
        self.healthy.get()
    }

    /// Waits until an instant, and cuts all watches meanwhile if that is the workload.
    pub(super) async fn cut_until(&self, cut: Option<&Cut>, until: Instant) {
        let (Some(cut), Some(watch_pool)) = (cut, self.healthy()) else {
            return tokio::time::sleep_until(until.into()).await;
        };
        loop {
            let next = Instant::now() + cut.every.0;
            // The last may still come back before the end.
            if next + cut.every.0 / 2 > until {
                return tokio::time::sleep_until(until.into()).await;
            }
            tokio::time::sleep_until(next.into()).await;
            watch_pool.cut(cut.relist);
        }
    }

    /// Waits until every write is with every watch that is to have it, or a time is over.
    pub(super) async fn all_delivered(&self, stage: &Stage, within: Duration) {
        if let Some(watch_pool) = self.healthy() {
            watch_pool.all_delivered(stage.stamps.writes() * watch_pool.planned(), within).await;
        }
    }

    /// Closes the watches of one, if it was ever launched.
    pub(super) async fn close(&self, which: Which) -> Result<Option<WatchPoolSummary>, Stopped> {
        match self.place(which).get() {
            Some(watch_pool) => watch_pool.stop().await.map(Some).map_err(Stopped::of),
            None => Ok(None),
        }
    }

    /// Deliveries that were expected and have not come yet.
    pub(super) fn pending(&self, stamps: &Stamps) -> u64 {
        self.healthy().map_or(0, |watch_pool| {
            (stamps.writes() * watch_pool.planned()).saturating_sub(watch_pool.delivered())
        })
    }

    fn place(&self, which: Which) -> &OnceLock<RunningWatchPool> {
        match which {
            Which::Healthy => &self.healthy,
            Which::Slow => &self.slow,
        }
    }
}

impl Stage {
    fn healthy(&self, watches: &Watching) -> WatchPool {
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
            check_one_in: CHECK_ONE_IN,
        }
    }

    /// On connections of their own: one that does not read holds up all others of its connection.
    fn slow(&self, slow: &Slow) -> WatchPool {
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
            check_one_in: CHECK_ONE_IN,
        }
    }

    fn routes(&self, initial: bool) -> Arc<[Route]> {
        let route = |place: &crate::population::Place| {
            let from = if initial { "" } else { &place.version };
            Route { initial_events: initial, ..Route::new(&place.path, from) }
        };
        self.settled.places.iter().map(route).collect()
    }
}
