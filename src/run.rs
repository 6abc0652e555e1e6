//! `kube-assay run`: tests a server against the clauses.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process;
use std::time::{SystemTime, UNIX_EPOCH};

use harness::{
    Access, Client, Clock, Hooks, Invocation, KnownFailure, Plan, REPLICAS_FEATURE, RunDeadline, RunError,
    Selection, SubjectSpec, Tally, TargetInfo, TestError, read_input,
};
use reference::Options;
use reports::Directory;
use tokio::time::Instant;

use crate::called::called;
use crate::certificate::request_openapi;
use crate::cli::{DailyArgs, RequirementArgs, RunArgs};
use crate::digest::sha256;
use crate::embedded::{Embedded, INSTEAD, REPLICAS};
use crate::exit::Exit;
use crate::full_evidence::FullEvidence;
use crate::interrupt::{begin_run, stop_on_interrupt};
use crate::output::{complain, remark, remark_previous};
use crate::reporting::Reporting;
use crate::requirements::Claim;
use crate::selection::{check, check_feature, selection, unasked};
use crate::setup::Setup;
use crate::subject::expect_kind;
use crate::{clock, hook, known_failures, limit, rerun, target};

/// The commit of the build; empty if unknown.
pub(crate) const COMMIT: &str = env!("KUBE_ASSAY_COMMIT");

/// The maximum number of executions of scenarios in a run. Each takes 4 kB, and a default run has some 3,300 scenarios.
pub(crate) const MOST_EXECUTIONS: usize = 80_000;

/// Name and version of the program.
pub(crate) const TOOL: &str = concat!("kube-assay ", env!("CARGO_PKG_VERSION"));

/// Runs the selected scenarios and returns the result.
pub(crate) async fn run(args: RunArgs, flags: Vec<String>) -> Exit {
    let began = Instant::now();
    match prepare(&args, flags).await {
        Ok(ControlFlow::Break(exit)) => exit,
        Ok(ControlFlow::Continue((task, directory))) => {
            Box::pin(judge(&args, task, directory, began)).await.unwrap_or_else(|why| {
                complain(&why);
                Exit::from(&why)
            })
        }
        Err(why) => {
            complain(why);
            Exit::Usage
        }
    }
}

/// The target and the selection.
struct RunTask {
    selection: Selection,
    known: Vec<KnownFailure>,
    access: Option<Access>,
    invocation: Invocation,
    claim: Option<Claim>,
    /// What the recording of `--rerun-failed` does not name.
    unnamed: Option<String>,
}

/// Checks the command line before the first request; the exit if no scenario would run.
async fn prepare(
    args: &RunArgs,
    flags: Vec<String>,
) -> Result<ControlFlow<Exit, (RunTask, Directory)>, String> {
    let recorded = args.daily.rerun_failed.as_deref().map(rerun::recorded).transpose()?;
    let claim = claim(&args.requirements)?;
    let selection = Selection {
        only: recorded.as_ref().map(|recorded| recorded.failed.clone()),
        required: claim.as_ref().map(Claim::clauses),
        ..selection(args)?
    };
    check(&selection, &args.feature)?;
    for feature in unasked(&selection, &args.feature) {
        remark(format_args!("no selected clause is about {feature}, which --feature requires"));
    }
    let known = known_failures(&args.daily)?;
    let access = target::named(&args.target).await.transpose().map_err(|why| why.to_string())?;
    target::refuse_embedded_for_kubectl(access.as_ref(), called())?;
    let access = with_replicas(access, &args.replica)?;
    let declared = args.feature.iter().chain(claim.iter().flat_map(Claim::features));
    refuse_without_replicas(access.as_ref(), declared)?;
    recorded.as_ref().map_or(Ok(()), |recorded| recorded.refuse_another_server(access.as_ref()))?;
    if args.keep && access.is_none() {
        return Err(
            "failed to keep objects: the embedded server ends with the run; hint: name a target".to_owned()
        );
    }
    let invocation = Invocation {
        requirements: claim.as_ref().map(Claim::to_record),
        ..invocation(args, access.is_none(), flags)?
    };
    let mut unnamed = None;
    if let (Some(events), Some(recorded)) = (&args.daily.rerun_failed, recorded) {
        if let Some(exit) = recorded.nothing_to_run(events) {
            return Ok(ControlFlow::Break(exit));
        }
        unnamed = recorded.unnamed(events);
    }
    let directory = Directory::create(&args.output_dir).map_err(|why| why.to_string())?;
    remark_previous(directory.previous());
    Ok(ControlFlow::Continue((RunTask { selection, known, access, invocation, claim, unnamed }, directory)))
}

/// The target with its replicas. The embedded server has replicas of its own.
fn with_replicas(access: Option<Access>, replicas: &[String]) -> Result<Option<Access>, String> {
    match access {
        Some(access) => access.with_replicas(replicas).map(Some).map_err(|why| why.to_string()),
        None if replicas.is_empty() => Ok(None),
        None => {
            Err("failed to use the replicas: no target is named; hint: give --server or --kubeconfig"
                .to_owned())
        }
    }
}

/// A run that declares the feature needs a replica: it would test nothing of it.
fn refuse_without_replicas<'a>(
    access: Option<&Access>,
    mut declared: impl Iterator<Item = &'a String>,
) -> Result<(), String> {
    if access.is_some_and(|access| access.replicas().is_empty())
        && declared.any(|feature| feature == REPLICAS_FEATURE)
    {
        return Err(format!(
            "the run declares {REPLICAS_FEATURE} and has one server; hint: name another one of its control plane with --replica"
        ));
    }
    Ok(())
}

/// The claim of the command line.
fn claim(args: &RequirementArgs) -> Result<Option<Claim>, String> {
    let claim = |set: &String| Claim::new(set, &args.conformance_profiles);
    args.requirements.as_ref().map(claim).transpose()
}

/// Says what the run selects for the claim, and where the server contradicts it.
fn remark_claim(claim: &Claim, target_info: &TargetInfo) {
    let (selected, all) =
        (claim.clauses().len(), suites::catalogue().clauses().filter(|one| one.observable()).count());
    let set = &claim.set.name;
    remark(format_args!(
        "{set}: {selected} of {all} clauses are in the claimed profiles; the others do not run"
    ));
    claim.contradictions(target_info).into_iter().for_each(remark);
}

/// The options of the run, for its recording.
fn invocation(args: &RunArgs, embedded: bool, flags: Vec<String>) -> Result<Invocation, String> {
    let digest = |path: &PathBuf| {
        let read = read_input(path).map_err(|why| format!("failed to read {}: {why}", path.display()))?;
        Ok::<_, String>(sha256([&*read]))
    };
    Ok(Invocation {
        embedded,
        flags,
        profile: harness::Profile::from(args.selection.profile).as_str().to_owned(),
        features: args.feature.clone(),
        no_features: args.no_feature.clone(),
        skip: args.selection.skip.clone(),
        labels: args.labels.labels()?,
        known_failures_digest: args.daily.known_failures.as_ref().map(digest).transpose()?,
        requirements: None,
        tool_commit: COMMIT.to_owned(),
        catalogue_digest: sha256(suites::clause_files()),
    })
}

fn known_failures(args: &DailyArgs) -> Result<Vec<KnownFailure>, String> {
    let entries = args.known_failures.as_deref().map_or(Ok(Vec::new()), known_failures::read)?;
    let catalogue = suites::catalogue();
    for only in entries.iter().map(|entry| &entry.only) {
        let mut features = only.feature.iter().chain(&only.no_feature);
        features.try_for_each(|feature| check_feature(&catalogue, feature))?;
    }
    args.write_known_failures.as_deref().map_or(Ok(()), known_failures::prepare)?;
    Ok(entries)
}

async fn judge(
    args: &RunArgs,
    task: RunTask,
    directory: Directory,
    began: Instant,
) -> Result<Exit, RunError> {
    let stop = stop_on_interrupt();
    let (access, hooks, embedded) = target(args, task.access).await?;
    let ends = if embedded.is_some() { 2 } else { 1 };
    limit::make_room_for_scenarios(args.parallel.into(), access.encrypted(), ends)
        .map_err(|why| TestError::new("open enough connections", why))?;
    let setup = Setup::new(args, task.selection, task.known, task.invocation, task.claim.as_ref(), &hooks);
    begin_run(&setup.run);
    let deadline = setup.deadline(began);
    let reaching = Box::pin(before(deadline, reach(args, &setup, access, hooks)));
    let (evidence, client, hooks, target_info) =
        stop.run_until_cancelled(reaching).await.unwrap_or_else(|| Err(interrupted()))?;
    let target_info = setup.released(target_info);
    if let Some(claim) = &task.claim {
        remark_claim(claim, &target_info);
    }
    expect_kind(setup.selection.subject.as_ref(), &target_info)
        .map_err(|why| why.redacted(client.redactor()))?;
    let plan = setup.plan(&target_info);
    if plan.scenarios.is_empty() && (plan.invariants.is_empty() || args.selection.shard.is_some()) {
        let nothing = nothing(args, &setup, &target_info);
        return Ok(nothing.map_err(|why| client.redactor().redact_test_error(why))?);
    }
    expect_few_executions(&plan)?;
    let reporting = Reporting::new(args, directory);
    let tally = {
        let settings = setup.settings(hooks, Clock::Wall(clock::now), deadline, stop);
        let _ticking = reporting.tick(settings.slowdown.clone());
        let report = |event: &_| {
            reporting.report(event);
            evidence.event(event);
        };
        harness::run(plan, client, target_info, settings, report).await?
    };
    let written = args
        .daily
        .write_known_failures
        .as_deref()
        .map(|file| known_failures::write(file, &setup.known, &tally));
    let recorded = evidence.finish();
    Ok(close(reporting, [written, recorded, task.unnamed.map(Err)], &tally))
}

/// Does what precedes the run itself; an error at the deadline.
async fn before<T>(
    deadline: Option<RunDeadline>,
    work: impl Future<Output = Result<T, TestError>>,
) -> Result<T, TestError> {
    let Some(deadline) = deadline else { return work.await };
    let passed = || TestError::new("look at the server", deadline.passed()).hint("nothing was created");
    tokio::time::timeout_at(deadline.end(), work).await.unwrap_or_else(|_| Err(passed()))
}

/// The client of the run, recorded if the user asks for full evidence, and what the server says of itself.
async fn reach(
    args: &RunArgs,
    setup: &Setup,
    access: Access,
    hooks: Hooks,
) -> Result<(FullEvidence, Client, Hooks, TargetInfo), TestError> {
    access.log_in().await?;
    let evidence = FullEvidence::begin(args, setup, &access).await?;
    let client = Client::new(access, args.request_timeout);
    let client = evidence.client(client).with_memory(setup.response_memory(), setup.parallel);
    let target_info = look(&client, setup.selection.subject.as_ref()).await?;
    client.expect_one_cluster(&target_info).await?;
    request_openapi(&client, setup).await;
    let hooks = evidence.hooks(hooks);
    Ok((evidence, client, hooks, target_info))
}

/// The run remembers the writes and events of all its scenarios, to compare them.
fn expect_few_executions(plan: &Plan) -> Result<(), TestError> {
    let (scenarios, repetitions) = (plan.scenarios.len(), plan.repetitions);
    if scenarios * repetitions <= MOST_EXECUTIONS {
        return Ok(());
    }
    let why = format!("a run executes at most {MOST_EXECUTIONS} scenarios, in bounded memory");
    let hint = format!("give --repeat {} or fewer, or select fewer areas", MOST_EXECUTIONS / scenarios);
    Err(TestError::new(format!("repeat {scenarios} scenarios {repetitions} times"), why).hint(hint))
}

/// An empty shard is fine if another one has a scenario; an empty selection is an error.
fn nothing(args: &RunArgs, setup: &Setup, target_info: &TargetInfo) -> Result<Exit, TestError> {
    let plan = setup.whole_plan(target_info);
    let is_empty = plan.scenarios.is_empty() && plan.invariants.is_empty();
    if let Some(shard) = args.selection.shard.filter(|_| !is_empty) {
        remark(format_args!("no selected scenario that this server allows is in shard {shard}"));
        return Ok(Exit::Passed);
    }
    let why = match plan.skipped.first() {
        Some((scenario, reason)) => {
            format!("none of the selected scenarios can run, such as {}: {reason}", scenario.id)
        }
        None if plan.clauses.is_empty() => "no clause fulfils all flags of the selection".to_owned(),
        None => "no scenario tests the selected clauses".to_owned(),
    };
    Err(TestError::new("run", why).hint("`kube-assay list scenarios` shows what there is"))
}

/// The target named on the command line, or else the embedded reference, which ends with the last value.
async fn target(
    args: &RunArgs,
    named: Option<Access>,
) -> Result<(Access, Hooks, Option<Embedded>), TestError> {
    if let Some(access) = named {
        return Ok((access, hook::hooks(&args.hook), None));
    }
    remark(INSTEAD);
    if !args.hook.is_empty() {
        remark("the hooks given are not used: the embedded reference server has its own");
    }
    let embedded = Embedded::start(Options { replicas: REPLICAS, ..Options::default() }).await?;
    Ok((embedded.access().await?, embedded.hooks(), Some(embedded)))
}

/// Ends the reports. A failed report does not change a failed run.
fn close(reporting: Reporting, written: [Option<Result<String, String>>; 3], tally: &Tally) -> Exit {
    let mut error = reporting.finish().err().map(|why| why.to_string());
    for written in written.into_iter().flatten() {
        match written {
            Ok(note) => remark(note),
            Err(why) => error = error.or(Some(why)),
        }
    }
    let judged = Exit::from(tally.conclusion());
    match error {
        None => judged,
        Some(why) => {
            complain(why);
            if judged == Exit::Failed { judged } else { Exit::Inconclusive }
        }
    }
}

/// The target info, with the type of `--subject`.
pub(crate) async fn look(client: &Client, subject: Option<&SubjectSpec>) -> Result<TargetInfo, TestError> {
    let target_info = match subject {
        Some(given) => Box::pin(client.target_info_of(given)).await?,
        None => Box::pin(client.target_info()).await?,
    };
    if let Some(assumed) = target_info.types.iter().find(|known| known.assumed) {
        remark(format_args!(
            "no discovery document lists {}: its kind is the template's {}, and every verb counts as offered",
            assumed.plural, assumed.kind
        ));
    }
    Ok(target_info)
}

pub(crate) fn interrupted() -> TestError {
    TestError::new("look at the server", "interrupted").hint("nothing was created")
}

/// A number that is very probably unique.
pub(crate) fn unlike() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::from(process::id()) ^ u64::try_from(now.as_nanos() & u128::from(u64::MAX)).unwrap_or_default()
}

/// Six letters and digits that are very probably unique.
pub(crate) fn run_id(mut number: u64) -> String {
    // Mixes the bits, so that consecutive runs differ in every place.
    number = number.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let digit =
        |place: u32| char::from_digit(u32::try_from((number >> (10 * place)) % 36).unwrap_or_default(), 36);
    (0..6).filter_map(digit).collect()
}
