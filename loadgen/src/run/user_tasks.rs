//! The parts of a run, each driven by one goose user: watches, deliberately slow watches, requests.
//!
//! Requests start when all watches are open. Watches end after the last response and the last delivery, or after the
//! grace period.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use futures::future::BoxFuture;
use tokio::sync::mpsc::UnboundedSender;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use super::Stage;
use super::request_worker::{RequestSummary, RequestWorker};
use super::run_record::Stopped;
use super::watch_pools::{PoolKind, WatchPools};
use crate::attack::UserTask;
use crate::interval_report::IntervalReport;
use crate::watch_pool::WatchPoolSummary;

/// The parts of a run.
pub(super) struct UserTasks {
    stage: Arc<Stage>,
    interval_reports: UnboundedSender<IntervalReport>,
    pub(super) watch_pools: WatchPools,
    request_worker: Mutex<Option<RequestWorker>>,
    found: Mutex<Findings>,
    progress: watch::Sender<Progress>,
    over: CancellationToken,
}

/// The results of the parts that have ended.
#[derive(Default)]
pub(super) struct Findings {
    pub(super) healthy: Option<WatchPoolSummary>,
    pub(super) slow: Option<WatchPoolSummary>,
    pub(super) requests: RequestSummary,
    /// The first error.
    pub(super) error: Option<Stopped>,
}

/// The progress of the parts.
#[derive(Default)]
struct Progress {
    begun: usize,
    requests: bool,
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

    /// Waits until every part has started; the error is the reason why one has not.
    pub(super) async fn begun(&self) -> Result<(), Stopped> {
        let all = self.roles().count();
        self.until(|progress| progress.begun == all).await;
        match self.found().error.take() {
            Some(error) => Err(error),
            None if self.over.is_cancelled() => {
                Err(Stopped::of("the shell of the run ended before its time"))
            }
            None => Ok(()),
        }
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

    async fn begin(&self, role: Role) -> Result<(), Stopped> {
        match role {
            Role::Watch(kind) => {
                let opening = self.watch_pools.open(kind, &self.stage, &self.interval_reports);
                self.over.run_until_cancelled(opening).await.unwrap_or(Ok(()))
            }
            Role::Requests => {
                let others = self.roles().count() - 1;
                self.until(|progress| progress.begun >= others).await;
                let request_worker =
                    RequestWorker::start(&self.stage, self.interval_reports.clone(), self.over.clone())?;
                *self.request_worker.lock().unwrap_or_else(PoisonError::into_inner) = Some(request_worker);
                Ok(())
            }
        }
    }

    async fn end(&self, role: Role) -> Result<(), Stopped> {
        match role {
            Role::Requests => {
                let request_worker =
                    self.request_worker.lock().unwrap_or_else(PoisonError::into_inner).take();
                if let Some(request_worker) = request_worker {
                    let requests = request_worker.join().await?;
                    self.found().requests = requests;
                }
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
