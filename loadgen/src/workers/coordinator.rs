//! The coordinator of a load with several workers.

use std::sync::Arc;
use std::time::{Duration, Instant};

use harness::TestError;
use harness::load::{Interval, LoadRun, PhaseName, Warning};
use jiff::Timestamp;

use super::clock_bounds::OwnClock;
use super::documents::{RunDocument, write};
use super::expected_share::ExpectedShare;
use super::follower::Follower;
use super::limits::Limits;
use super::merge::merge;
use super::rendezvous::{Documents, Rendezvous};
use crate::mix::measured_starts;
use crate::run::{LoadPlan, RunRecord, Stage, Stopped, excuse_deletion, on_population};
use crate::server_metrics::{self, MetricsRead};
use crate::share::Share;
use crate::wire::Plain;
use crate::workload::Workload;

/// The time from the announcement of the start to the start itself, in pauses of the rendezvous, and at least.
const LEAD: u32 = 10;
const SHORTEST_LEAD: Duration = Duration::from_secs(1);

/// The grace period for the results of workers, beside the drain periods.
const FOR_RESULTS: Duration = Duration::from_mins(2);

/// The workers of a run.
pub struct Workers {
    /// Their number.
    pub count: usize,
    /// Where coordinator and workers meet.
    pub rendezvous: Arc<dyn Rendezvous>,
    /// Timeout until all workers are ready.
    pub ready_within: Duration,
}

/// Performs the run with workers that somebody else starts, and shows every interval of all of them together.
///
/// Like [`perform`](crate::run::perform), it returns an error if the run fails before it measures.
pub async fn coordinate(
    plan: LoadPlan,
    workers: Workers,
    show: impl FnMut(&Interval),
) -> Result<LoadRun, TestError> {
    let clock = OwnClock::start(plan.clock);
    let (count, rendezvous) = (workers.count, workers.rendezvous.clone());
    let follower = Follower::start(&plan.run, count, rendezvous, clock).await?;
    let coordination = Coordination { workers, follower: follower.clone() };
    let run_record = RunRecord::open(plan.stop.clone(), show).of_workers();
    let loading = on_population(plan, run_record, async |stage, began, run_record| {
        coordination.run(&stage, began, run_record).await
    });
    let mut performed = Box::pin(loading).await;
    let left = follower.finish(count).await;
    if let (Ok(run), Some(why)) = (&mut performed, left) {
        let text = format!("documents of the run may be left at the rendezvous: {why}");
        run.warnings.push(Warning::new("rendezvous", text));
    }
    performed
}

/// The load between population and clean-up.
struct Coordination {
    workers: Workers,
    follower: Follower,
}

impl Coordination {
    async fn run<S: FnMut(&Interval)>(
        &self,
        stage: &Stage,
        began: Timestamp,
        run_record: &mut RunRecord<S>,
    ) -> LoadRun {
        let mut load = stage.plan.begin(&stage.settled, began);
        load.workload.settings.insert("workers".to_owned(), self.workers.count.to_string());
        let limits = Limits::new(&stage.plan.workload, &stage.settled.template.resource);
        self.follower.report_to(run_record.interval_reports(), limits);
        run_record.follow(self.follower.clone());
        let shares =
            tokio::spawn(expected_shares(stage.plan.workload.clone(), stage.plan.seed, self.workers.count));
        let measured = self.measure(stage, &load, run_record).await;
        if let Err(stopped) = &measured {
            self.follower.stop(stopped);
        }
        let within = stage.plan.workload.drain.0 * 3 + FOR_RESULTS;
        run_record.see_through(PhaseName::Drain, self.follower.all_ended(within)).await;
        let mut workers = self.follower.take_workers();
        let is_whole = measured.is_ok();
        let reads = match measured {
            Ok(reads) => {
                let shares = shares.await.unwrap_or_default();
                workers.iter_mut().zip(&shares).for_each(|(worker, share)| worker.check_share(share));
                Some(reads)
            }
            Err(stopped) => {
                shares.abort();
                load.partial = Some(stopped.to_string());
                None
            }
        };
        merge(&mut load, workers, stage.plan.workload.duration.0);
        server_metrics::settle(&mut load, &stage.settled.template.resource, reads).await;
        run_record.settle(&mut load);
        let is_lost = stage.check_measured(&mut load, run_record.silence().filter(|_| is_whole));
        if !run_record.is_dead() {
            excuse_deletion(&mut load, &stage.client, &stage.settled.places).await;
        }
        if is_lost {
            run_record.lose_server();
        }
        load
    }

    /// From the first worker to the end of the measurement, between two reads of the server's metrics.
    async fn measure<S: FnMut(&Interval)>(
        &self,
        stage: &Stage,
        load: &LoadRun,
        run_record: &mut RunRecord<S>,
    ) -> Result<[MetricsRead; 2], Stopped> {
        let Workload { warm_up, duration, .. } = &stage.plan.workload;
        self.publish(stage).await.map_err(Stopped::of)?;
        let ready = self.follower.all_ready(self.workers.ready_within);
        run_record.attend(PhaseName::Ramp, ready).await??;
        let start = Instant::now() + (self.follower.rendezvous().pause() * LEAD).max(SHORTEST_LEAD);
        self.follower.start_at(start);
        run_record.attend(PhaseName::Ramp, tokio::time::sleep_until(start.into())).await?;
        let before = MetricsRead::start(&stage.client, warm_up.0 / 2);
        let from = start + warm_up.0;
        if !warm_up.0.is_zero() {
            run_record.attend(PhaseName::WarmUp, tokio::time::sleep_until(from.into())).await?;
        }
        run_record.abort_on(&stage.plan.abort_on, load);
        let until = from + duration.0;
        run_record.attend(PhaseName::Measure, tokio::time::sleep_until(until.into())).await?;
        Ok([before, MetricsRead::start(&stage.client, Duration::ZERO)])
    }

    /// Tells the workers the load.
    async fn publish(&self, stage: &Stage) -> Result<(), TestError> {
        let plan = &stage.plan;
        let document = RunDocument {
            tool: plan.tool.clone(),
            run: plan.run.clone(),
            seed: plan.seed,
            workers: self.workers.count,
            workload: plan.workload.clone(),
            settled: (*stage.settled).clone(),
            within: plan.within,
            http2: plan.plain == Plain::Two,
        };
        self.follower.rendezvous().put(Documents::RUN.to_owned(), write(&document)?).await
    }
}

/// The share of each worker. The schedule can be long: this takes as long as its numbers take to be chosen.
async fn expected_shares(workload: Workload, seed: u64, workers: usize) -> Vec<ExpectedShare> {
    let starts = measured_starts(&workload, seed, workers).await;
    let starts = |index: usize| starts.as_ref()?.get(index).copied();
    let share = |index| ExpectedShare::new(Share { index, of: workers }, &workload, starts(index));
    (0..workers).map(share).collect()
}
