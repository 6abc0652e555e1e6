//! The fleets of a run: those that read at once, and those that do not.

use std::sync::Arc;
use std::time::{Duration, Instant};

use harness::load::Scope;
use tokio::sync::mpsc::UnboundedSender;

use super::Stage;
use super::books::Stopped;
use crate::beat::Beat;
use crate::fleet::{Account, Afloat, Appetite, Fleet, Route};
use crate::stamp::Stamps;
use crate::wire::Limits;
use crate::workload::{Cut, Slow, Watching};

/// One event in so many is parsed as a whole.
const CHECK_ONE_IN: u64 = 1_000;

/// The fleets of a run.
pub(super) struct Fleets {
    healthy: Option<Arc<Afloat>>,
    slow: Option<Arc<Afloat>>,
    pub(super) planned: u64,
    places: usize,
}

/// What became of them.
pub(super) struct Accounts {
    pub(super) healthy: Option<Account>,
    pub(super) slow: Option<Account>,
}

impl Fleets {
    /// Begins to open watches.
    pub(super) fn launch(stage: &Stage, beats: UnboundedSender<Beat>) -> Result<Self, Stopped> {
        let workload = &stage.order.workload;
        let launch = |fleet: Fleet| {
            fleet.launch(&stage.endpoint, &stage.stamps, &beats).map(Arc::new).map_err(Stopped::of)
        };
        let healthy = workload.watches.as_ref().map(|watches| launch(stage.healthy(watches))).transpose()?;
        let slow = workload.slow.as_ref().map(|slow| launch(stage.slow(slow))).transpose()?;
        let planned = workload.watches.as_ref().map_or(0, |watches| watches.count as u64);
        Ok(Self { healthy, slow, planned, places: stage.settled.places.len() })
    }

    /// Those that read at once.
    pub(super) fn healthy(&self) -> Option<&Arc<Afloat>> {
        self.healthy.as_ref()
    }

    /// Waits until all are open, but not longer than one answer may take.
    pub(super) async fn all_open(&self, within: Duration) {
        for fleet in [&self.healthy, &self.slow].into_iter().flatten() {
            fleet.all_open(within).await;
        }
    }

    /// Waits until an instant, and cuts all watches meanwhile if that is the workload.
    pub(super) async fn cut_until(&self, cut: Option<&Cut>, until: Instant) {
        let (Some(cut), Some(fleet)) = (cut, &self.healthy) else {
            return tokio::time::sleep_until(until.into()).await;
        };
        loop {
            let next = Instant::now() + cut.every.0;
            // The last may still come back before the end.
            if next + cut.every.0 / 2 > until {
                return tokio::time::sleep_until(until.into()).await;
            }
            tokio::time::sleep_until(next.into()).await;
            fleet.cut(cut.relist);
        }
    }

    /// Waits until every write is with every watch that is to have it, or a time is over.
    pub(super) async fn all_delivered(&self, stamps: &Stamps, within: Duration) {
        // Of several namespaces each watch sees one: nothing simple says when all has come.
        let Some(fleet) = self.healthy.as_ref().filter(|_| self.places == 1) else { return };
        if stamps.issued() > 0 {
            fleet.all_delivered(stamps.writes() * self.planned, within).await;
        }
    }

    /// Closes all watches.
    pub(super) async fn stop(self) -> Result<Accounts, Stopped> {
        let Self { healthy, slow, .. } = self;
        Ok(Accounts { healthy: account(healthy).await?, slow: account(slow).await? })
    }
}

async fn account(fleet: Option<Arc<Afloat>>) -> Result<Option<Account>, Stopped> {
    match fleet.and_then(Arc::into_inner) {
        Some(fleet) => fleet.stop().await.map(Some).map_err(Stopped::of),
        None => Ok(None),
    }
}

impl Stage {
    fn healthy(&self, watches: &Watching) -> Fleet {
        let threads = watches.threads.clamp(1, watches.count);
        let lines = watches.connections.unwrap_or(watches.count).div_ceil(threads);
        Fleet {
            watches: watches.count,
            routes: self.routes(watches.initial),
            resource: self.settled.template.resource.clone(),
            scope: Scope::Namespace,
            variant: String::new(),
            threads,
            limits: Limits { streams: watches.streams, ..Limits::lines(lines) },
            opening: watches.opening,
            within: self.order.within,
            appetite: Appetite::Healthy,
            check_one_in: CHECK_ONE_IN,
        }
    }

    /// On connections of their own: one that does not read holds up all others of its connection.
    fn slow(&self, slow: &Slow) -> Fleet {
        Fleet {
            watches: slow.count,
            routes: self.routes(false),
            resource: self.settled.template.resource.clone(),
            scope: Scope::Namespace,
            variant: "slow".to_owned(),
            threads: 1,
            limits: Limits { streams: 1, ..Limits::lines(slow.count) },
            opening: 1_000.0,
            within: self.order.within,
            appetite: Appetite::Slow(slow.rest.0),
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
