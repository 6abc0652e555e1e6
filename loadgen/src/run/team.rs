//! The parts of a run, each in the hands of one user of the shell: watches, watches that are slow on purpose, requests.
//!
//! Requests begin when all watches are open, and watches end when the last request has its answer and every write has
//! come, or nobody waits for that any more.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use futures::future::BoxFuture;
use tokio::sync::mpsc::UnboundedSender;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use super::Stage;
use super::asker::{Asked, Asker};
use super::books::Stopped;
use super::fleets::{Fleets, Which};
use crate::attack::Hub;
use crate::beat::Beat;
use crate::fleet::Account;

/// The parts of a run.
pub(super) struct Team {
    stage: Arc<Stage>,
    beats: UnboundedSender<Beat>,
    pub(super) fleets: Fleets,
    asker: Mutex<Option<Asker>>,
    found: Mutex<Found>,
    stand: watch::Sender<Stand>,
    over: CancellationToken,
}

/// What the parts have found out when they have ended.
#[derive(Default)]
pub(super) struct Found {
    pub(super) healthy: Option<Account>,
    pub(super) slow: Option<Account>,
    pub(super) asked: Asked,
    /// The first of what went wrong.
    pub(super) trouble: Option<Stopped>,
}

/// How far the parts have come.
#[derive(Default)]
struct Stand {
    begun: usize,
    asked: bool,
}

/// One part.
struct Part {
    team: Arc<Team>,
    role: Role,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    Watch(Which),
    Ask,
}

impl Team {
    /// All that the workload has.
    pub(super) fn new(stage: Arc<Stage>, beats: UnboundedSender<Beat>) -> Arc<Self> {
        Arc::new(Self {
            stage,
            beats,
            fleets: Fleets::default(),
            asker: Mutex::default(),
            found: Mutex::default(),
            stand: watch::Sender::default(),
            over: CancellationToken::new(),
        })
    }

    /// Each part, for a user of its own.
    pub(super) fn hubs(self: &Arc<Self>) -> Vec<Arc<dyn Hub>> {
        let hub = |role| Arc::new(Part { team: self.clone(), role }) as Arc<dyn Hub>;
        self.roles().map(hub).collect()
    }

    fn roles(&self) -> impl Iterator<Item = Role> {
        let workload = &self.stage.order.workload;
        let roles = [
            (workload.watches.is_some(), Role::Watch(Which::Healthy)),
            (workload.slow.is_some(), Role::Watch(Which::Slow)),
            (workload.requests.is_some(), Role::Ask),
        ];
        roles.into_iter().filter(|(there, _)| *there).map(|(_, role)| role)
    }

    /// Cancelled when nobody waits for anything any more.
    pub(super) fn over(&self) -> CancellationToken {
        self.over.clone()
    }

    /// Waits until every part has begun; or why one has not.
    pub(super) async fn begun(&self) -> Result<(), Stopped> {
        let all = self.roles().count();
        self.until(|stand| stand.begun == all).await;
        match self.found().trouble.take() {
            Some(trouble) => Err(trouble),
            None if self.over.is_cancelled() => {
                Err(Stopped::of("the shell of the run ended before its time"))
            }
            None => Ok(()),
        }
    }

    /// No more requests, and no waiting for what is under way.
    pub(super) fn give_up(&self) {
        self.over.cancel();
    }

    /// What the parts have found out.
    pub(super) fn found(&self) -> MutexGuard<'_, Found> {
        self.found.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn until(&self, reached: impl FnMut(&Stand) -> bool) {
        let mut stand = self.stand.subscribe();
        let _ = self.over.run_until_cancelled(stand.wait_for(reached)).await;
    }

    async fn begin(&self, role: Role) -> Result<(), Stopped> {
        match role {
            Role::Watch(which) => {
                let opening = self.fleets.open(which, &self.stage, &self.beats);
                self.over.run_until_cancelled(opening).await.unwrap_or(Ok(()))
            }
            Role::Ask => {
                let others = self.roles().count() - 1;
                self.until(|stand| stand.begun >= others).await;
                let asker = Asker::start(&self.stage, self.beats.clone(), self.over.clone())?;
                *self.asker.lock().unwrap_or_else(PoisonError::into_inner) = Some(asker);
                Ok(())
            }
        }
    }

    async fn end(&self, role: Role) -> Result<(), Stopped> {
        match role {
            Role::Ask => {
                let asker = self.asker.lock().unwrap_or_else(PoisonError::into_inner).take();
                if let Some(asker) = asker {
                    let asked = asker.join().await?;
                    self.found().asked = asked;
                }
            }
            Role::Watch(which) => {
                self.last_deliveries(which).await;
                let account = self.fleets.close(which).await?;
                let mut found = self.found();
                *if which == Which::Healthy { &mut found.healthy } else { &mut found.slow } = account;
            }
        }
        Ok(())
    }

    /// Waits for the last answer, and then for what is under way to the watches.
    async fn last_deliveries(&self, which: Which) {
        let asks = self.roles().any(|role| role == Role::Ask);
        self.until(|stand| stand.asked || !asks).await;
        if which == Which::Healthy {
            let drain = self.stage.order.workload.drain.0;
            let _ = self.over.run_until_cancelled(self.fleets.all_delivered(&self.stage, drain)).await;
        }
    }

    fn note(&self, outcome: Result<(), Stopped>) {
        if let Err(trouble) = outcome {
            self.found().trouble.get_or_insert(trouble);
        }
    }
}

impl Hub for Part {
    fn name(&self) -> &'static str {
        match self.role {
            Role::Watch(Which::Healthy) => "watches",
            Role::Watch(Which::Slow) => "slow watches",
            Role::Ask => "requests",
        }
    }

    fn begin(&self) -> BoxFuture<'_, ()> {
        Box::pin(async {
            let begun = self.team.begin(self.role).await;
            self.team.note(begun);
            self.team.stand.send_modify(|stand| stand.begun += 1);
        })
    }

    fn end(&self) -> BoxFuture<'_, ()> {
        Box::pin(async {
            let ended = self.team.end(self.role).await;
            self.team.note(ended);
            if self.role == Role::Ask {
                self.team.stand.send_modify(|stand| stand.asked = true);
            }
        })
    }
}
