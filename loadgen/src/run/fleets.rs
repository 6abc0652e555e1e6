//! The fleets of a run: those that read at once, and those that do not.

use std::sync::{Arc, OnceLock};
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
pub(super) struct Fleets {
    healthy: OnceLock<Afloat>,
    slow: OnceLock<Afloat>,
}

impl Fleets {
    /// Opens one, and waits until all its watches are open, but not longer than one answer may take.
    pub(super) async fn open(
        &self,
        which: Which,
        stage: &Stage,
        beats: &UnboundedSender<Beat>,
    ) -> Result<(), Stopped> {
        let workload = &stage.order.workload;
        let fleet = match which {
            Which::Healthy => workload.watches.as_ref().map(|watches| stage.healthy(watches)),
            Which::Slow => workload.slow.as_ref().map(|slow| stage.slow(slow)),
        };
        let Some(fleet) = fleet else { return Ok(()) };
        let afloat = fleet.launch(&stage.endpoint, &stage.stamps, beats).map_err(Stopped::of)?;
        self.place(which).get_or_init(|| afloat).all_open(stage.order.within).await;
        Ok(())
    }

    /// Those that read at once.
    pub(super) fn healthy(&self) -> Option<&Afloat> {
        self.healthy.get()
    }

    /// Waits until an instant, and cuts all watches meanwhile if that is the workload.
    pub(super) async fn cut_until(&self, cut: Option<&Cut>, until: Instant) {
        let (Some(cut), Some(fleet)) = (cut, self.healthy()) else {
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
    pub(super) async fn all_delivered(&self, stage: &Stage, within: Duration) {
        if let Some(fleet) = self.healthy() {
            fleet.all_delivered(stage.stamps.writes() * fleet.planned(), within).await;
        }
    }

    /// Closes the watches of one, if it was ever launched.
    pub(super) async fn close(&self, which: Which) -> Result<Option<Account>, Stopped> {
        match self.place(which).get() {
            Some(fleet) => fleet.stop().await.map(Some).map_err(Stopped::of),
            None => Ok(None),
        }
    }

    /// Deliveries that were expected and have not come yet.
    pub(super) fn pending(&self, stamps: &Stamps) -> u64 {
        self.healthy()
            .map_or(0, |fleet| (stamps.writes() * fleet.planned()).saturating_sub(fleet.delivered()))
    }

    fn place(&self, which: Which) -> &OnceLock<Afloat> {
        match which {
            Which::Healthy => &self.healthy,
            Which::Slow => &self.slow,
        }
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
