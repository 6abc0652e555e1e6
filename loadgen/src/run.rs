//! A run from its first object to the last: populate, ramp, warm up, measure, drain, clean up.
//!
//! In any case the run removes the population. After an error it keeps the measurements so far and is marked partial.

mod assemble;
mod request_worker;
mod run_record;
mod user_tasks;
mod watch_pools;

use std::sync::Arc;
use std::time::{Duration, Instant};

use harness::load::{DurationKind, Interval, LoadRun, PhaseName, Threshold};
use harness::{Access, Client, TargetInfo, TestError};
use jiff::Timestamp;
use tokio_util::sync::CancellationToken;

use crate::attack::Attack;
use crate::generator::TimerMonitor;
use crate::host::host;
use crate::leftovers::Leftovers;
use crate::population::{Population, Settled};
use crate::read_back::read_back;
use crate::server_metrics::{self, MetricsRead};
use crate::stamp::Stamps;
use crate::template::Template;
use crate::wire::{Endpoint, Plain};
use crate::workload::Workload;

use run_record::{RunRecord, Stopped};
use user_tasks::UserTasks;

/// The time limit for removing the population from an unreachable server.
const FAREWELL: Duration = Duration::from_secs(3);

/// A load run.
pub struct LoadPlan {
    /// The load.
    pub workload: Workload,
    /// The template of the population.
    pub template: Template,
    /// The server's address and the credentials.
    pub access: Access,
    /// The protocol where no TLS negotiates one.
    pub plain: Plain,
    /// The server under test.
    pub target_info: TargetInfo,
    /// Timeout for one response.
    pub within: Duration,
    /// Name and version of the program.
    pub tool: String,
    /// The run's own id.
    pub run: String,
    /// The same seed gives the same schedule.
    pub seed: u64,
    /// A threshold ends the run as soon as the run can no longer meet it.
    pub abort_on: Vec<Threshold>,
    /// Reads the wall clock.
    pub clock: fn() -> Timestamp,
    /// Cancelled by an interruption.
    pub stop: CancellationToken,
}

/// Performs the run, and shows every interval.
///
/// Returns an error if the run fails before it measures. By then it has removed all objects, or the error names the
/// leftovers.
pub async fn perform(plan: LoadPlan, show: impl FnMut(&Interval)) -> Result<LoadRun, TestError> {
    let began = (plan.clock)();
    let endpoint = Endpoint::new(plan.access.clone(), &plan.tool.replace(' ', "/"), plan.plain)?;
    let client = Client::new(plan.access.clone(), plan.within);
    let wish = plan.workload.population.clone();
    let mut population = Population::new(client.clone(), &plan.run, wish, plan.template.clone());
    let mut run_record = RunRecord::open(plan.stop.clone(), show);
    let settled = match run_record.attend(PhaseName::Populate, Box::pin(population.settle())).await {
        Ok(Ok(settled)) => Arc::new(settled),
        Ok(Err(test_error)) => return Err(withdraw(&population, &endpoint, test_error).await),
        Err(stopped) => {
            let test_error = TestError::new("create the population", stopped.to_string());
            return Err(withdraw(&population, &endpoint, test_error).await);
        }
    };
    let stamps = Arc::new(Stamps::new(0, settled.objects));
    let stage = Arc::new(Stage { plan, endpoint, client, settled, stamps });
    let mut run = stage.clone().run(began, &mut run_record).await;
    let limit = if run_record.is_dead() { FAREWELL } else { Duration::MAX };
    let removing = remove(&population, &stage.endpoint, limit);
    let left = run_record.see_through(PhaseName::CleanUp, Box::pin(removing)).await;
    run.warnings.extend(left.warning());
    run.leftovers = left.paths;
    run_record.close(&mut run);
    Ok(run)
}

/// Removes the created objects after an error.
async fn withdraw(population: &Population, endpoint: &Endpoint, test_error: TestError) -> TestError {
    let left = remove(population, endpoint, Duration::MAX).await;
    if left.paths.is_empty() {
        return test_error;
    }
    let advice = [
        test_error.hint.clone(),
        format!("these were left on the server: {}", left.paths.join(", ")),
        left.warning().map(|warning| warning.says).unwrap_or_default(),
    ];
    let advice: Vec<String> = advice.into_iter().filter(|part| !part.is_empty()).collect();
    test_error.hint(advice.join("; "))
}

async fn remove(population: &Population, endpoint: &Endpoint, limit: Duration) -> Leftovers {
    let left = tokio::time::timeout(limit, population.remove()).await.unwrap_or_else(|_| population.left());
    Leftovers::verify(endpoint, left).await
}

/// A complete population, and its load.
struct Stage {
    plan: LoadPlan,
    endpoint: Endpoint,
    /// For requests that are not part of the load.
    client: Client,
    settled: Arc<Settled>,
    stamps: Arc<Stamps>,
}

impl Stage {
    /// From the first watch to the last event.
    async fn run<S: FnMut(&Interval)>(
        self: Arc<Self>,
        began: Timestamp,
        run_record: &mut RunRecord<S>,
    ) -> LoadRun {
        let described = self.plan.workload.describe(&self.settled.template.resource);
        let LoadPlan { tool, run, target_info, .. } = &self.plan;
        let mut load = LoadRun::new(tool, run, described, target_info.clone(), began);
        load.seed = self.plan.seed;
        load.host = host();
        if let Err(stopped) = self.perform(&mut load, run_record).await {
            load.partial = Some(stopped.to_string());
        }
        // After any error: keeps the measurements so far.
        run_record.settle(&mut load);
        if self.never_synced(&load) {
            load.partial.get_or_insert_with(|| "no watch came to the end of its initial events".to_owned());
        }
        load
    }

    /// Whether watches were to start with initial events, and no watch completed them.
    fn never_synced(&self, load: &LoadRun) -> bool {
        let initial = self.plan.workload.watches.as_ref().is_some_and(|watches| watches.initial);
        initial && load.of_kind(DurationKind::Synced).all(|series| series.histogram.is_empty())
    }

    async fn perform<S: FnMut(&Interval)>(
        self: &Arc<Self>,
        load: &mut LoadRun,
        run_record: &mut RunRecord<S>,
    ) -> Result<(), Stopped> {
        let Workload { warm_up, duration, .. } = &self.plan.workload;
        let user_tasks = UserTasks::new(self.clone(), run_record.interval_reports());
        run_record.follow(&user_tasks, &self.stamps);
        let (length, ramp) = (warm_up.0 + duration.0, self.plan.within);
        let (over, clock) = (user_tasks.over(), self.plan.clock);
        let attack = Attack { user_tasks: user_tasks.user_tasks(), length, ramp, over, clock };
        let shell = attack.start().map_err(Stopped::of)?;
        let begun = run_record.attend(PhaseName::Ramp, user_tasks.begun()).await;
        let measured = match begun.and_then(|begun| begun) {
            Ok(()) => self.measure(load, run_record, &user_tasks).await,
            Err(stopped) => Err(stopped),
        };
        if measured.is_err() {
            user_tasks.give_up();
        }
        let ended = run_record.see_through(PhaseName::Drain, shell.join()).await;
        let mut found = std::mem::take(&mut *user_tasks.found());
        let error = found.error.take();
        if measured.is_ok() && error.is_none() {
            let stored = std::mem::take(&mut found.requests.mix_summary.stored);
            let reads = read_back(&self.client, &self.stamps, stored);
            assemble::read_back(load, run_record.see_through(PhaseName::Drain, reads).await);
        }
        assemble::assemble(load, found);
        let (measured, reads) =
            measured.map_or_else(|stopped| (Err(stopped), None), |reads| (Ok(()), Some(reads)));
        server_metrics::settle(load, &self.settled.template.resource, reads).await;
        measured.and(error.map_or(Ok(()), Err))?;
        ended.map_err(Stopped::of)?.map_err(Stopped::of)
    }

    /// Warms up, and then measures, between two reads of the server's metrics.
    async fn measure<S: FnMut(&Interval)>(
        &self,
        load: &mut LoadRun,
        run_record: &mut RunRecord<S>,
        user_tasks: &UserTasks,
    ) -> Result<[MetricsRead; 2], Stopped> {
        let Workload { warm_up, duration, cut, .. } = &self.plan.workload;
        let until = Instant::now() + warm_up.0;
        let before = MetricsRead::start(&self.client, warm_up.0 / 2);
        if !warm_up.0.is_zero() {
            run_record.attend(PhaseName::WarmUp, tokio::time::sleep_until(until.into())).await?;
        }
        let timer_monitor = TimerMonitor::start().ok();
        run_record.abort_on(&self.plan.abort_on, load);
        let until = until + duration.0;
        let over = user_tasks.over();
        // Without its users the run is over, and the end of the users shows why.
        let measuring = over.run_until_cancelled(user_tasks.watch_pools.cut_until(cut.as_ref(), until));
        let measured = run_record.attend(PhaseName::Measure, measuring).await;
        if let Some(timer_monitor) = timer_monitor {
            load.generator = timer_monitor.report(run_record.queueing());
        }
        measured.map(|_| [before, MetricsRead::start(&self.client, Duration::ZERO)])
    }
}
