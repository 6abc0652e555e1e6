//! The parts of a run, each driven by one goose user: watches, deliberately slow watches, requests.
//!
//! Requests start when all watches are open. Watches end after the last response and the last delivery, or after the
//! grace period.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use futures::future::BoxFuture;
use tokio::sync::mpsc::UnboundedSender;
use tokio::sync::{OnceCell, watch};
use tokio_util::sync::CancellationToken;

use super::Stage;
use super::findings::Findings;
use super::request_worker::RequestWorker;
use super::run_record::{Backlog, Followed, Stopped};
use super::watch_pools::{PoolKind, WatchPools};
use crate::attack::UserTask;
use crate::interval_report::IntervalReport;
use crate::stamp::Stamps;
use crate::watch_pool::RunningWatchPool;
use crate::workload::Workload;

/// The parts of a run.
pub(super) struct UserTasks {
    stage: Arc<Stage>,
    interval_reports: UnboundedSender<IntervalReport>,
    pub(super) watch_pools: WatchPools,
    request_worker: Mutex<Option<RequestWorker>>,
    found: Mutex<Findings>,
    progress: watch::Sender<Progress>,
    /// The start of the schedule, once all parts are open.
    started: OnceCell<Result<Instant, Stopped>>,
    over: CancellationToken,
}

/// The progress of the parts.
#[derive(Default)]
struct Progress {
    opened: usize,
    begun: usize,
    requests: bool,
}

/// The load of this process, for the record of the run.
pub(super) struct LocalLoad {
    user_tasks: Arc<UserTasks>,
    stamps: Arc<Stamps>,
}

/// One part.
struct Task {
    user_tasks: Arc<UserTasks>,
    role: Role,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    Watch(PoolKind),
    Requests,
}

impl UserTasks {
    /// All parts of the workload.
    pub(super) fn new(stage: Arc<Stage>, interval_reports: UnboundedSender<IntervalReport>) -> Arc<Self> {
        Arc::new(Self {
            stage,
            interval_reports,
            watch_pools: WatchPools::default(),
            request_worker: Mutex::default(),
            found: Mutex::default(),
            progress: watch::Sender::default(),
            started: OnceCell::new(),
            over: CancellationToken::new(),
        })
    }

    /// One task per part.
    pub(super) fn user_tasks(self: &Arc<Self>) -> Vec<Arc<dyn UserTask>> {
        let task = |role| Arc::new(Task { user_tasks: self.clone(), role }) as Arc<dyn UserTask>;
        self.roles().map(task).collect()
    }

    fn roles(&self) -> impl Iterator<Item = Role> {
        let workload = &self.stage.plan.workload;
        let roles = [
            (workload.watches.is_some(), Role::Watch(PoolKind::Healthy)),
            (workload.slow.is_some(), Role::Watch(PoolKind::Slow)),
            (workload.requests.is_some(), Role::Requests),
        ];
        roles.into_iter().filter(|(there, _)| *there).map(|(_, role)| role)
    }

    /// Cancelled to stop all parts early.
    pub(super) fn over(&self) -> CancellationToken {
        self.over.clone()
    }

    /// Waits until every part has started, and returns the start; the error is the reason why one has not.
    pub(super) async fn begun(&self) -> Result<Instant, Stopped> {
        let all = self.roles().count();
        self.until(|progress| progress.begun == all).await;
        if let Some(error) = self.found().error.take() {
            return Err(error);
        }
        let early = || Stopped::of("the load generator ended before it started the load");
        self.started.get().cloned().filter(|_| !self.over.is_cancelled()).ok_or_else(early)?
    }

    /// Stops the requests, and the wait for responses and deliveries.
    pub(super) fn give_up(&self) {
        self.over.cancel();
    }

    /// The results of the parts so far.
    pub(super) fn found(&self) -> MutexGuard<'_, Findings> {
        self.found.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn until(&self, reached: impl FnMut(&Progress) -> bool) {
        let mut progress = self.progress.subscribe();
        let _ = self.over.run_until_cancelled(progress.wait_for(reached)).await;
    }

    /// Opens a part, and starts it when all of them are open.
    async fn begin(&self, role: Role) -> Result<(), Stopped> {
        let opened = self.open(role).await;
        let is_open = opened.is_ok();
        self.note(opened);
        self.progress.send_modify(|progress| progress.opened += 1);
        let all = self.roles().count();
        self.until(|progress| progress.opened == all).await;
        if !is_open || self.found().error.is_some() || self.over.is_cancelled() {
            return Ok(());
        }
        let starting = self.started.get_or_init(|| self.start());
        let Some(started) = self.over.run_until_cancelled(starting).await else { return Ok(()) };
        let began = started.clone()?;
        if role == Role::Requests
            && let Some(request_worker) = &mut *self.request_worker()
        {
            request_worker.start_at(began);
        }
        let _ = self.over.run_until_cancelled(tokio::time::sleep_until(began.into())).await;
        Ok(())
    }

    /// The start of the schedule: now, or together with the other workers.
    async fn start(&self) -> Result<Instant, Stopped> {
        let began = match &self.stage.peers {
            Some(peers) => peers.start().await.map_err(Stopped::of)?,
            None => Instant::now(),
        };
        let Workload { warm_up, duration, .. } = &self.stage.plan.workload;
        let from = began + warm_up.0;
        self.stage.measured.set(from..from + duration.0);
        Ok(began)
    }

    fn request_worker(&self) -> MutexGuard<'_, Option<RequestWorker>> {
        self.request_worker.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn open(&self, role: Role) -> Result<(), Stopped> {
        match role {
            Role::Watch(kind) => {
                let opening = self.watch_pools.open(kind, &self.stage, &self.interval_reports);
                self.over.run_until_cancelled(opening).await.unwrap_or(Ok(()))
            }
            Role::Requests => {
                let others = self.roles().count() - 1;
                self.until(|progress| progress.opened >= others).await;
                let mut request_worker =
                    RequestWorker::open(&self.stage, self.interval_reports.clone(), self.over.clone())?;
                let opening = request_worker.opening();
                *self.request_worker() = Some(request_worker);
                if let Some(opening) = opening {
                    let _ = self.over.run_until_cancelled(opening).await;
                }
                Ok(())
            }
        }
    }

    async fn end(&self, role: Role) -> Result<(), Stopped> {
        match role {
            Role::Requests => {
                let request_worker = self.request_worker().take();
                if let Some(request_worker) = request_worker {
                    let requests = request_worker.join().await?;
                    self.found().requests = requests;
                }
                self.exchange_writes().await?;
            }
            Role::Watch(kind) => {
                self.last_deliveries(kind).await;
                let account = self.watch_pools.close(kind).await?;
                let mut found = self.found();
                *if kind == PoolKind::Healthy { &mut found.healthy } else { &mut found.slow } = account;
            }
        }
        Ok(())
    }

    /// Tells the other workers the writes of this one, and learns theirs: watches of each expect the writes of all.
    async fn exchange_writes(&self) -> Result<(), Stopped> {
        let Some(peers) = &self.stage.peers else { return Ok(()) };
        let stamps = &self.stage.stamps;
        let Some(logs) = self.over.run_until_cancelled(peers.exchange(stamps.log())).await else {
            return Ok(());
        };
        let logs = logs.map_err(Stopped::of)?;
        logs.iter().try_for_each(|(worker, log)| stamps.take_log(*worker, log)).map_err(Stopped::of)?;
        let missing = stamps.others().find(|(other, _)| logs.iter().all(|(worker, _)| worker != other));
        missing.map_or(Ok(()), |(worker, _)| {
            Err(Stopped::of(format!("the writes of worker {worker} did not arrive")))
        })
    }

    /// Waits for the last response, and then for the last deliveries.
    async fn last_deliveries(&self, kind: PoolKind) {
        let sends = self.roles().any(|role| role == Role::Requests);
        self.until(|progress| progress.requests || !sends).await;
        if kind == PoolKind::Healthy {
            let drain = self.stage.plan.workload.drain.0;
            let _ = self.over.run_until_cancelled(self.watch_pools.all_delivered(&self.stage, drain)).await;
        }
    }

    fn note(&self, outcome: Result<(), Stopped>) {
        if let Err(error) = outcome {
            self.found().error.get_or_insert(error);
        }
    }
}

impl LocalLoad {
    pub(super) fn new(user_tasks: &Arc<UserTasks>, stamps: &Arc<Stamps>) -> Self {
        Self { user_tasks: user_tasks.clone(), stamps: stamps.clone() }
    }
}

impl Followed for LocalLoad {
    fn is_adrift(&self) -> bool {
        let adrift = |watch_pool: &RunningWatchPool| watch_pool.openings() > 0 && watch_pool.open() == 0;
        self.user_tasks.watch_pools.healthy().is_some_and(adrift)
    }

    fn backlog(&self) -> Backlog {
        let starts = self.user_tasks.request_worker().as_ref().and_then(RequestWorker::starts);
        Backlog { starts, ..self.user_tasks.watch_pools.backlog(&self.stamps) }
    }
}

impl UserTask for Task {
    fn name(&self) -> &'static str {
        match self.role {
            Role::Watch(PoolKind::Healthy) => "watches",
            Role::Watch(PoolKind::Slow) => "slow watches",
            Role::Requests => "requests",
        }
    }

    fn begin(&self) -> BoxFuture<'_, ()> {
        Box::pin(async {
            let begun = self.user_tasks.begin(self.role).await;
            self.user_tasks.note(begun);
            self.user_tasks.progress.send_modify(|progress| progress.begun += 1);
        })
    }

    fn end(&self) -> BoxFuture<'_, ()> {
        Box::pin(async {
            let ended = self.user_tasks.end(self.role).await;
            self.user_tasks.note(ended);
            if self.role == Role::Requests {
                self.user_tasks.progress.send_modify(|progress| progress.requests = true);
            }
        })
    }
}
