//! A run from its first object to the last: populate, ramp, warm up, measure, drain, clean up.
//!
//! In any case the run removes the population. After an error it keeps the measurements so far and is marked partial.

mod assemble;
mod deleted_namespace;
mod findings;
mod peers;
mod request_worker;
mod responses;
mod run_record;
mod unmeasured;
mod user_tasks;
mod watch_pools;

use std::sync::Arc;
use std::time::{Duration, Instant};

use harness::load::{DurationKind, Generator, Interval, LoadRun, PartialCause, PhaseName, Threshold};
use harness::{Access, Client, TargetInfo, TestError};
use jiff::Timestamp;
use tokio_util::sync::CancellationToken;

use crate::attack::Attack;
use crate::generator::TimerMonitor;
use crate::host::host;
use crate::leftovers::Leftovers;
use crate::population::{Population, Settled};
use crate::read_back::{ReadBack, read_back};
use crate::recorder::MeasuredTime;
use crate::server_metrics::{self, MetricsRead};
use crate::share::Share;
use crate::stamp::Stamps;
use crate::template::Template;
use crate::wire::{Endpoint, Plain};
use crate::workload::Workload;

pub(crate) use assemble::{assemble, read_back as assemble_read_back};
pub(crate) use deleted_namespace::{deleted_namespace, excuse_deletion};
pub(crate) use findings::Findings;
pub(crate) use peers::Peers;
use responses::Silence;
pub(crate) use run_record::{Backlog, Followed, LoadNews, RunRecord, Stopped};
use unmeasured::{lost_server, unmeasured_requests};
use user_tasks::{LocalLoad, UserTasks};

/// How long the clean-up waits for the first response of a server that the load has lost.
const FAREWELL: Duration = Duration::from_secs(3);

/// The maximum time that a ready worker waits for the others.
pub(crate) const LONGEST_WAIT: Duration = Duration::from_hours(1);

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
    let run_record = RunRecord::open(plan.stop.clone(), show);
    let loading = on_population(plan, run_record, async |stage: Arc<Stage>, began, run_record| {
        stage.run(began, run_record).await
    });
    Box::pin(loading).await
}

/// Creates the population, performs a load on it, and removes it.
pub(crate) async fn on_population<S: FnMut(&Interval)>(
    plan: LoadPlan,
    mut run_record: RunRecord<S>,
    load: impl AsyncFnOnce(Arc<Stage>, Timestamp, &mut RunRecord<S>) -> LoadRun,
) -> Result<LoadRun, TestError> {
    let began = (plan.clock)();
    let endpoint = Endpoint::new(plan.access.clone(), &plan.tool.replace(' ', "/"), plan.plain)?;
    let client = Client::new(plan.access.clone(), plan.within).without_encodings();
    let sender = (client.clone(), plan.within);
    let mut population = Population::new(sender, &plan.run, &plan.workload, plan.template.clone());
    let settled = run_record.attend(PhaseName::Populate, Box::pin(population.settle())).await;
    let failed = |stopped: Stopped| TestError::new("create the population", stopped.to_string());
    let settled = match settled.map_err(failed).flatten() {
        Ok(settled) => Arc::new(settled),
        Err(test_error) => {
            let withdrawing = Box::pin(withdraw(&population, &endpoint, test_error));
            return Err(run_record.clean_up(withdrawing, || population.remaining()).await);
        }
    };
    let stamps = Arc::new(Stamps::new(0, settled.objects));
    stamps.versions.created(settled.newest, settled.versions.as_deref());
    let (share, measured) = (Share::WHOLE, MeasuredTime::default());
    let stage = Arc::new(Stage { plan, share, endpoint, client, settled, stamps, measured, peers: None });
    let mut run = load(stage.clone(), began, &mut run_record).await;
    let limit = if run_record.is_dead() { FAREWELL } else { Duration::MAX };
    let removing = remove(&population, &stage.endpoint, limit);
    let left = run_record.clean_up(Box::pin(removing), || population.remaining()).await;
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

/// Removes the created objects until the server no longer responds, or has responded to nothing within a limit.
async fn remove(population: &Population, endpoint: &Endpoint, limit: Duration) -> Leftovers {
    let left = tokio::select! {
        left = population.remove() => left,
        () = population.silence() => population.left(),
        () = population.silence_for(limit) => population.left(),
    };
    Leftovers::verify(endpoint, left).await
}

/// A complete population, and its load; or the share of one worker.
pub(crate) struct Stage {
    pub(crate) plan: LoadPlan,
    pub(crate) share: Share,
    pub(crate) endpoint: Endpoint,
    /// For requests that are not part of the load.
    pub(crate) client: Client,
    pub(crate) settled: Arc<Settled>,
    pub(crate) stamps: Arc<Stamps>,
    /// Set at the start of the schedule.
    pub(crate) measured: MeasuredTime,
    /// The other workers, if there are any.
    pub(crate) peers: Option<Arc<dyn Peers>>,
}

/// The results of a load, except its series.
pub(crate) struct Performed {
    pub(crate) found: Findings,
    pub(crate) read_back: Option<ReadBack>,
    pub(crate) generator: Generator,
    reads: Option<[MetricsRead; 2]>,
    pub(crate) ended: Result<(), Stopped>,
}

impl Stage {
    /// From the first watch to the last event.
    async fn run<S: FnMut(&Interval)>(
        self: Arc<Self>,
        began: Timestamp,
        run_record: &mut RunRecord<S>,
    ) -> LoadRun {
        let mut load = self.plan.begin(&self.settled, began);
        load.host = host();
        let mut performed = self.perform(&load, run_record).await;
        load.generator = performed.generator;
        if let Some(found) = performed.read_back {
            assemble::read_back(&mut load, &mut performed.found, found);
        }
        assemble::assemble(&mut load, performed.found);
        server_metrics::settle(&mut load, &self.settled.template.resource, performed.reads).await;
        let is_whole = performed.ended.is_ok();
        if let Err(stopped) = performed.ended {
            load.partial = Some(stopped.to_string());
            load.partial_cause = PartialCause::EndedEarly;
        }
        // After any error: keeps the measurements so far.
        run_record.settle(&mut load);
        let is_lost = self.check_measured(&mut load, run_record.silence().filter(|_| is_whole));
        if !run_record.is_dead() {
            excuse_deletion(&mut load, &self.client, &self.settled.places).await;
        }
        if is_lost {
            run_record.lose_server();
        }
        load
    }

    /// Marks a run as partial if what it was to measure did not happen. Returns whether the load lost the server in this
    /// silence at its end.
    pub(crate) fn check_measured(&self, load: &mut LoadRun, silence: Option<Silence>) -> bool {
        self.plan.check_synced(load);
        let (workload, resource) = (&self.plan.workload, &self.settled.template.resource);
        let lost = silence.and_then(|silence| lost_server(workload, resource, load, silence));
        let is_lost = lost.is_some();
        if let Some(other) = load.partial.take() {
            // That nothing could be read back, for example, follows from it.
            let causes: Vec<String> = lost.into_iter().chain([other]).collect();
            load.partial = Some(causes.join("; "));
        } else if let Some(why) = unmeasured_requests(workload, resource, load).or(lost) {
            load.partial = Some(why);
            load.partial_cause = PartialCause::Unmeasured;
        }
        is_lost
    }

    /// Performs the load. `load` has no measurement yet.
    pub(crate) async fn perform<S: FnMut(&Interval)>(
        self: &Arc<Self>,
        load: &LoadRun,
        run_record: &mut RunRecord<S>,
    ) -> Performed {
        let Workload { warm_up, duration, .. } = &self.plan.workload;
        let user_tasks = UserTasks::new(self.clone(), run_record.interval_reports());
        run_record.follow(LocalLoad::new(&user_tasks, &self.stamps));
        let (length, ramp) = (warm_up.0 + duration.0, self.ramp());
        let (over, clock) = (user_tasks.over(), self.plan.clock);
        let attack = Attack { user_tasks: user_tasks.user_tasks(), length, ramp, over, clock };
        let shell = match attack.start() {
            Ok(shell) => shell,
            Err(why) => return Performed::nothing(Stopped::of(why)),
        };
        let begun = run_record.attend(PhaseName::Ramp, user_tasks.begun()).await;
        let Measured { generator, reads } = match begun.and_then(|begun| begun) {
            Ok(began) => self.measure(load, run_record, &user_tasks, began).await,
            Err(stopped) => Measured::nothing(stopped),
        };
        if reads.is_err() {
            user_tasks.give_up();
        }
        let ended = run_record.see_through(PhaseName::Drain, shell.join()).await;
        let mut found = std::mem::take(&mut *user_tasks.found());
        let error = found.error.take();
        let read_back = if reads.is_ok() && error.is_none() {
            let stored = std::mem::take(&mut found.requests.mix_summary.stored);
            let reads = read_back(&self.client, &self.stamps, stored);
            Some(run_record.see_through(PhaseName::Drain, reads).await)
        } else {
            None
        };
        let ended = ended.map_err(Stopped::of).and_then(|ended| ended.map_err(Stopped::of));
        let (measured, reads) = match reads {
            Ok(reads) => (Ok(()), reads),
            Err(stopped) => (Err(stopped), None),
        };
        let ended = measured.and(error.map_or(Ok(()), Err)).and(ended);
        Performed { found, read_back, generator, reads, ended }
    }

    /// The maximum time until the load starts, for goose.
    fn ramp(&self) -> Duration {
        if self.peers.is_some() { self.plan.within + LONGEST_WAIT } else { self.plan.within }
    }

    /// Warms up, and then measures, between two reads of the server's metrics.
    async fn measure<S: FnMut(&Interval)>(
        &self,
        load: &LoadRun,
        run_record: &mut RunRecord<S>,
        user_tasks: &UserTasks,
        began: Instant,
    ) -> Measured {
        let Workload { warm_up, duration, cut, .. } = &self.plan.workload;
        let until = began + warm_up.0;
        // The coordinator of several workers reads them.
        let read = |after| self.peers.is_none().then(|| MetricsRead::start(&self.client, after));
        let before = read(warm_up.0 / 2);
        if !warm_up.0.is_zero() {
            let warming_up = tokio::time::sleep_until(until.into());
            if let Err(stopped) = run_record.attend(PhaseName::WarmUp, warming_up).await {
                return Measured::nothing(stopped);
            }
        }
        let timer_monitor = TimerMonitor::start(until).ok();
        run_record.abort_on(&self.plan.abort_on, load);
        let until = until + duration.0;
        let over = user_tasks.over();
        // Without its users the run is over, and the end of the users shows why.
        let measuring = over.run_until_cancelled(user_tasks.watch_pools.cut_until(cut.as_ref(), until));
        let measured = run_record.attend(PhaseName::Measure, measuring).await;
        let generator =
            timer_monitor.map(|monitor| monitor.report(run_record.queueing())).unwrap_or_default();
        let after = measured.is_ok().then(|| read(Duration::ZERO)).flatten();
        let reads = measured.map(|_| before.zip(after).map(|(before, after)| [before, after]));
        Measured { generator, reads }
    }
}

/// The result of the measured phase; a part of it is there also if the run was stopped.
struct Measured {
    generator: Generator,
    reads: Result<Option<[MetricsRead; 2]>, Stopped>,
}

impl Measured {
    fn nothing(why: Stopped) -> Self {
        Self { generator: Generator::default(), reads: Err(why) }
    }
}

impl Performed {
    fn nothing(why: Stopped) -> Self {
        Self {
            found: Findings::default(),
            read_back: None,
            generator: Generator::default(),
            reads: None,
            ended: Err(why),
        }
    }
}

impl LoadPlan {
    /// A run without measurements.
    pub(crate) fn begin(&self, settled: &Settled, began: Timestamp) -> LoadRun {
        let described = self.workload.describe(&settled.template.resource);
        let mut load = LoadRun::new(&self.tool, &self.run, described, self.target_info.clone(), began);
        load.seed = self.seed;
        load
    }

    /// Marks a run as partial if watches were to start with initial events, and no watch completed them.
    fn check_synced(&self, load: &mut LoadRun) {
        let initial = self.workload.watches.as_ref().is_some_and(|watches| watches.initial);
        if initial && load.of_kind(DurationKind::Synced).all(|series| series.histogram.is_empty()) {
            load.partial.get_or_insert_with(|| "no watch came to the end of its initial events".to_owned());
        }
    }
}
