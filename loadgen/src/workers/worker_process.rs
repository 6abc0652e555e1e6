//! A worker: joins a run, performs its share, and hands its results over.

use std::sync::Arc;
use std::time::{Duration, Instant};

use harness::{Access, Client, TargetInfo, TestError};
use jiff::Timestamp;
use serde::de::DeserializeOwned;
use tokio::sync::mpsc::unbounded_channel;
use tokio_util::sync::CancellationToken;

use super::clock_bounds::OwnClock;
use super::documents::{CoordinatorDocument, RunDocument, WorkerDocument, WorkerResult, read, write};
use super::link::Link;
use super::orphan::remove_population;
use super::rendezvous::{Documents, Rendezvous};
use crate::host::host;
use crate::recorder::MeasuredTime;
use crate::run::{LoadPlan, Performed, RunRecord, Stage, deleted_namespace};
use crate::share::Share;
use crate::stamp::Stamps;
use crate::wire::{Endpoint, Plain};
use crate::workload::Workload;

/// A worker of a run.
pub struct WorkerPlan {
    /// Its share of the load.
    pub share: Share,
    /// Where it meets the coordinator.
    pub rendezvous: Arc<dyn Rendezvous>,
    /// The server under test.
    pub access: Access,
    /// Timeout until the coordinator publishes the load.
    pub join_within: Duration,
    /// Name and version of the program.
    pub tool: String,
    /// Prepares the process for its share: raises the limit of open files. The error is one sentence.
    pub make_room: fn(&Workload, bool) -> Result<(), String>,
    /// Reads the wall clock.
    pub clock: fn() -> Timestamp,
    /// Cancelled by an interruption.
    pub stop: CancellationToken,
}

/// Performs the share; the error is the reason why the coordinator has no complete result of it.
pub async fn work(plan: WorkerPlan) -> Result<(), TestError> {
    let clock = OwnClock::start(plan.clock);
    let joining = plan.stop.run_until_cancelled(join(&plan));
    let interrupted = || Err(TestError::new("join a load run", "interrupted"));
    let (run, coordinator) = joining.await.unwrap_or_else(interrupted)?;
    let prepared = match prepare(&plan, &run).await {
        Ok(prepared) => prepared,
        Err(why) => {
            refuse(&plan, &run, &why).await;
            return Err(why);
        }
    };
    Box::pin(perform(&plan, clock, (&run, coordinator), prepared)).await
}

/// The share as a workload, and the server under test.
async fn prepare(plan: &WorkerPlan, run: &RunDocument) -> Result<(Workload, Endpoint), TestError> {
    check(plan, run)?;
    let workload = plan.share.divide(&run.workload);
    (plan.make_room)(&workload, plan.access.encrypted() || run.http2)
        .map_err(|why| TestError::new("open so many connections", why))?;
    plan.access.log_in().await?;
    expect_same_server(plan, run).await?;
    let endpoint = Endpoint::new(plan.access.clone(), &plan.tool.replace(' ', "/"), plain(run))?;
    Ok((workload, endpoint))
}

/// Expects the server of the coordinator: on another one, every object of the run would seem lost.
async fn expect_same_server(plan: &WorkerPlan, run: &RunDocument) -> Result<(), TestError> {
    let first = run.settled.places.get(..1).unwrap_or_default();
    let Some(namespace) = deleted_namespace(&client(plan, run), first).await else { return Ok(()) };
    let cause = format!("another server than the coordinator's responds: it has no namespace {namespace}");
    Err(TestError::new("join the load run", cause).hint("give each worker the target of the coordinator"))
}

/// For requests that are not part of the load.
fn client(plan: &WorkerPlan, run: &RunDocument) -> Client {
    Client::new(plan.access.clone(), run.within).without_encodings()
}

fn plain(run: &RunDocument) -> Plain {
    if run.http2 { Plain::Two } else { Plain::One }
}

async fn perform(
    plan: &WorkerPlan,
    clock: OwnClock,
    (run, coordinator): (&RunDocument, CoordinatorDocument),
    prepared: (Workload, Endpoint),
) -> Result<(), TestError> {
    let stop = plan.stop.child_token();
    let at = (Instant::now(), clock.micros(Instant::now()));
    let stamps = Arc::new(Stamps::shared(plan.share, run.settled.objects, run.workload.most_writes(), at));
    stamps.versions.created(run.settled.newest, run.settled.versions.as_deref());
    let known = (plan.rendezvous.clone(), clock);
    let link = Arc::new(Link::new(plan.share, (run, coordinator), known, stamps.clone(), stop.clone()));
    let (news, receiver) = unbounded_channel();
    let keeping = tokio::spawn(link.clone().keep(receiver));
    let stage = Arc::new(stage(plan, run, prepared, (stamps, stop.clone()), link.clone()));
    let mut run_record = RunRecord::open(stop, |_| {});
    run_record.copy_to(news);
    let mut load = stage.plan.begin(&stage.settled, (plan.clock)());
    let performed = stage.perform(&load, &mut run_record).await;
    run_record.settle(&mut load);
    let finished = link.finish(without_credentials(plan, result(performed, &link))).await;
    keeping.abort();
    if link.is_lost() {
        orphaned(plan, run, &stage.client).await?;
    }
    finished
}

/// Waits for a coordinator that is alive: another one may have left its documents.
async fn join(plan: &WorkerPlan) -> Result<(RunDocument, CoordinatorDocument), TestError> {
    let mut until = Instant::now() + plan.join_within;
    let mut last: Option<CoordinatorDocument> = None;
    while Instant::now() < until {
        if let Some(coordinator) = document::<CoordinatorDocument>(plan, Documents::COORDINATOR).await? {
            let is_alive = last.as_ref().is_some_and(|last| {
                last.run == coordinator.run && last.beat < coordinator.beat && !coordinator.collected
            });
            if is_alive {
                // It publishes the load after it has created the population, which may take long.
                until = Instant::now() + plan.join_within;
                let run = document::<RunDocument>(plan, Documents::RUN).await?;
                if let Some(run) = run.filter(|run| run.run == coordinator.run) {
                    return Ok((run, coordinator));
                }
            }
            last = Some(coordinator);
        }
        tokio::time::sleep(plan.rendezvous.pause()).await;
    }
    let seconds = plan.join_within.as_secs();
    Err(TestError::new("join a load run", format!("no coordinator published one within {seconds} s"))
        .hint("start the coordinator with the same rendezvous: `kube-assay load WORKLOAD --workers N`"))
}

/// A document of the coordinator; `None` without content.
async fn document<T: DeserializeOwned>(plan: &WorkerPlan, name: &str) -> Result<Option<T>, TestError> {
    let text = plan.rendezvous.get(name.to_owned()).await?;
    text.filter(|text| !text.is_empty()).map(|text| read(name, &text)).transpose()
}

/// Refuses the run of another program or number of workers, and a workload that no coordinator would publish.
fn check(plan: &WorkerPlan, run: &RunDocument) -> Result<(), TestError> {
    let refused = |why| Err(TestError::new("join the load run", why));
    let Share { index, of } = plan.share;
    if run.tool != plan.tool {
        return refused(format!("its coordinator is {}, and this worker is {}", run.tool, plan.tool));
    }
    if run.workers != of {
        let all = run.workers;
        return refused(format!(
            "the run has {all} workers, and this one was started as worker {index} of {of}"
        ));
    }
    check_workload(run).or_else(|why| refused(format!("its workload is not valid: {why}")))
}

/// Whether a coordinator of this version would publish the workload.
fn check_workload(run: &RunDocument) -> Result<(), String> {
    run.workload.check()?;
    run.workload.check_workers(run.workers)?;
    run.settled.check(&run.workload)
}

fn stage(
    plan: &WorkerPlan,
    run: &RunDocument,
    (workload, endpoint): (Workload, Endpoint),
    (stamps, stop): (Arc<Stamps>, CancellationToken),
    link: Arc<Link>,
) -> Stage {
    let load_plan = LoadPlan {
        workload,
        template: run.settled.template.clone(),
        access: plan.access.clone(),
        plain: plain(run),
        target_info: TargetInfo::default(),
        within: run.within,
        tool: run.tool.clone(),
        run: run.run.clone(),
        seed: run.seed,
        abort_on: Vec::new(),
        clock: plan.clock,
        stop,
    };
    Stage {
        measured: MeasuredTime::default(),
        client: client(plan, run),
        plan: load_plan,
        share: plan.share,
        endpoint,
        settled: Arc::new(run.settled.clone()),
        stamps,
        peers: Some(link),
    }
}

fn result(performed: Performed, link: &Link) -> WorkerResult {
    let ended = performed.ended.err().map(|stopped| stopped.to_string());
    WorkerResult {
        found: performed.found,
        read_back: performed.read_back,
        generator: performed.generator,
        host: host(),
        stopped: ended.map(|ended| link.stopped().unwrap_or(ended)),
    }
}

/// The result as others may read it.
fn without_credentials(plan: &WorkerPlan, result: WorkerResult) -> WorkerResult {
    result.replace_texts(|text| plan.access.redactor().redact(text))
}

/// Tells the coordinator why this worker has no result.
async fn refuse(plan: &WorkerPlan, run: &RunDocument, why: &TestError) {
    let result = WorkerResult { stopped: Some(why.to_string()), ..WorkerResult::nothing() };
    let (run, result) = (run.run.clone(), Some(without_credentials(plan, result)));
    let process = fastrand::u64(..);
    let document = WorkerDocument { run, process, beat: u64::MAX, result, ..WorkerDocument::default() };
    if let Ok(text) = write(&document) {
        let _ = plan.rendezvous.put(Documents::worker(plan.share.index), text).await;
    }
}

/// Removes what the lost coordinator has left, and the documents.
async fn orphaned(plan: &WorkerPlan, run: &RunDocument, client: &Client) -> Result<(), TestError> {
    let left = remove_population(client, &run.run, plan.share.index).await;
    // Another coordinator may have taken the place since then.
    let coordinator = document::<CoordinatorDocument>(plan, Documents::COORDINATOR).await;
    if coordinator.is_ok_and(|found| found.is_none_or(|coordinator| coordinator.run == run.run)) {
        for name in Documents::all(plan.share.of) {
            let _ = plan.rendezvous.remove(name).await;
        }
    }
    let attempted = "remove the objects of the run, whose coordinator is lost";
    match left {
        Ok(left) if left.is_empty() => Ok(()),
        Ok(left) => Err(TestError::new(attempted, format!("these were left: {}", left.join(", ")))),
        Err(why) => Err(TestError::new(attempted, why)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Template;
    use crate::population::{Place, Settled};

    fn run() -> RunDocument {
        let workload = Workload::named("crud-mix").unwrap();
        let (namespace, path, version) = ("n".to_owned(), "/x".to_owned(), "1".to_owned());
        let objects = workload.population.objects;
        let settled = Settled {
            run: "r".to_owned(),
            template: Template::config_map().sized(workload.population.size),
            objects,
            newest: 1,
            versions: None,
            places: vec![Place { namespace, path, version, objects }],
        };
        let (tool, run, within) = ("t".to_owned(), "r".to_owned(), Duration::from_secs(1));
        RunDocument { tool, run, seed: 1, workers: 2, workload, settled, within, http2: true }
    }

    #[test]
    fn a_workload_that_no_coordinator_would_publish_is_refused() {
        assert_eq!(check_workload(&run()), Ok(()));
        let refused = |change: fn(&mut RunDocument), why: &str| {
            let mut run = run();
            change(&mut run);
            let error = check_workload(&run).unwrap_err();
            assert!(error.contains(why), "{error}");
        };
        refused(|run| run.workload.requests.as_mut().unwrap().rate = 1e18, "a rate must be");
        refused(|run| run.workers = 100_000, "100000 workers cannot share its load");
        refused(|run| run.settled.objects = usize::MAX, "unlike the workload");
        refused(|run| run.settled.places.clear(), "in 0 namespaces, unlike the workload");
        refused(|run| run.settled.template = Template::config_map().sized(1 << 60), "unlike the workload");
    }
}
