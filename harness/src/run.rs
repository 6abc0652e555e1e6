//! Runs a plan with bounded concurrency and emits events. Never prints.

mod rehearsal;
mod turns;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use jiff::Timestamp;
use jiff::tz::TimeZone;
use tokio::sync::{OnceCell, mpsc};
use tokio_util::sync::CancellationToken;
use tokio_util::task::{AbortOnDropHandle, TaskTracker};

use crate::ambient::Watchdog;
use crate::client::Client;
use crate::context::{Context, Discovered};
use crate::curl::Curl;
use crate::definition::Definitions;
use crate::event::{Event, EventKind, FORMAT, RunFinished, RunStarted, ScenarioFinished};
use crate::exchange::{Response, Timing};
use crate::fixture::Fixtures;
use crate::gate::Pass;
use crate::invocation::Invocation;
use crate::object::{PUBLISHED, Page};
use crate::outcome::{Halt, Obstacle, Outcome};
use crate::plan::{KnownFailures, Plan};
use crate::probe::{Finding, Findings};
use crate::repeated::Repeated;
use crate::request::Request;
use crate::scenario::{Scenario, ScenarioId, Turn};
use crate::tally::Tally;
use crate::target::{Hooks, Survey};

pub use rehearsal::RunError;
use rehearsal::{fixtures, rehearse};
use turns::{ask_all, one_by_one};

/// How a plan is run.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The run's own id: lower-case letters and digits, unlike that of any other run.
    pub id: String,
    /// Name and version of the program.
    pub tool: String,
    /// Gives the same order of scenarios again.
    pub seed: u64,
    /// How many scenarios run at a time.
    pub parallel: usize,
    /// Timeout for one scenario.
    pub scenario_timeout: Duration,
    /// Timeout for one watch event or change; a later one counts as missing.
    pub event_timeout: Duration,
    /// Timeout for one request, with its whole response.
    pub request_timeout: Duration,
    /// Whether a warning fails the run.
    pub strict: bool,
    /// The operator's commands.
    pub hooks: Hooks,
    /// How long old versions may take to expire by themselves; `None` not to wait for it.
    pub wait_for_compaction: Option<Duration>,
    /// Whether scenarios that probe capabilities run first, and what relies on a missing one is skipped.
    pub probe_first: bool,
    /// Optional features that the user declares to be there.
    pub features: Vec<String>,
    /// What the record says of the command line, the tool and the catalogue.
    pub invocation: Invocation,
    /// The wall clock.
    pub clock: fn() -> Timestamp,
    /// Cancelled to end the run early.
    pub stop: CancellationToken,
}

/// What all scenarios of a run share.
#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) id: String,
    pub(crate) client: Client,
    pub(crate) curl: Curl,
    pub(crate) survey: Survey,
    pub(crate) settings: Settings,
    pub(crate) fixtures: Fixtures,
    pub(crate) watchdog: Watchdog,
    pub(crate) definitions: Definitions,
    pub(crate) discovered: Discovered,
    pub(crate) findings: Findings,
    published: OnceCell<Vec<&'static str>>,
    deployments_change: OnceCell<bool>,
    writes: TaskTracker,
    store_broken: AtomicBool,
}

impl Shared {
    /// Runs a hook of the server's operator; `None` if it was not given.
    pub(crate) async fn run_hook(&self, hook: &str) -> Option<Result<(), Obstacle>> {
        let command = self.settings.hooks.get(hook)?;
        if hook == "break-store" {
            self.store_broken.store(true, Ordering::SeqCst);
        }
        let ran = command().await.map_err(|why| Obstacle::new(format!("run the hook {hook}"), why));
        if hook == "mend-store" && ran.is_ok() {
            self.store_broken.store(false, Ordering::SeqCst);
        }
        Some(ran)
    }

    /// Mends the store if a scenario left it broken: it failed, was stopped or took too long.
    async fn mend(&self) {
        if self.store_broken.load(Ordering::SeqCst) {
            // A hook that does not work has been reported by the scenario, or what follows will show it.
            let _ = self.run_hook("mend-store").await;
        }
    }

    /// Whether somebody changes Deployments by himself; found out once.
    pub(crate) async fn deployments_change(&self, cx: &Context) -> Result<bool, Halt> {
        self.deployments_change.get_or_try_init(|| cx.sees_controller_of_deployments()).await.copied()
    }

    /// Sends a request. A write goes on even if its scenario is stopped: what is under way when a run is interrupted
    /// must have happened before the run cleans up, or it would come after.
    pub(crate) async fn carry(
        &self,
        request: Request,
        agent: String,
    ) -> Result<(Response, Timing), Obstacle> {
        if request.method == http::Method::GET {
            return self.client.send(&request, &agent).await;
        }
        let client = self.client.clone();
        let writing = self.writes.spawn(async move { client.send(&request, &agent).await });
        writing.await.unwrap_or_else(|why| Err(Obstacle::new("send a request", why.to_string())))
    }

    /// Until every write is done.
    async fn written(&self) {
        self.writes.close();
        self.writes.wait().await;
    }

    /// The `ConfigMaps` that controllers put into every namespace: they have done so with the oldest one.
    pub(crate) async fn published(&self, cx: &Context) -> Result<&[&'static str], Halt> {
        let look = async || {
            let mut published = PUBLISHED.to_vec();
            let shown = cx.send(Request::get("/api/v1/namespaces/default/configmaps")).await?;
            let there = shown.json().and_then(|json| Page::read(json, shown.index));
            published.retain(|name| there.as_ref().is_some_and(|page| page.item(name).is_some()));
            Ok(published)
        };
        self.published.get_or_try_init(look).await.map(Vec::as_slice)
    }
}

type Emit = mpsc::UnboundedSender<EventKind>;

/// Runs the plan against a target and hands every event to `emit`; ends with what the events add up to.
///
/// Everything created on the server is removed before this returns, also when it is stopped.
pub async fn run(
    mut plan: Plan,
    client: Client,
    survey: Survey,
    settings: Settings,
    mut emit: impl FnMut(&Event),
) -> Result<Tally, RunError> {
    let began = Instant::now();
    plan.shuffle(settings.seed);
    let today = (settings.clock)().to_zoned(TimeZone::UTC).date();
    let (mut repeated, known_failures) = (Repeated::of(&plan), KnownFailures::of(&plan, today));
    let shared = Arc::new(Shared {
        id: settings.id.clone(),
        fixtures: fixtures(&plan, &survey, &client, &settings),
        watchdog: Watchdog::new(plan.ambient.clone()),
        definitions: Definitions::default(),
        discovered: Discovered::default(),
        findings: Findings::default(),
        published: OnceCell::new(),
        deployments_change: OnceCell::new(),
        writes: TaskTracker::new(),
        store_broken: AtomicBool::new(false),
        curl: client.curl().await?,
        client,
        survey,
        settings,
    });
    rehearse(&plan, &shared).await?;
    let (sender, mut events) = mpsc::unbounded_channel();
    let conducting = tokio::spawn(conduct(plan, shared.clone(), sender, began));
    let redactor = shared.client.redactor().clone();
    let mut tally = Tally::default();
    while let Some(kind) = events.recv().await {
        for mut kind in repeated.take(kind) {
            known_failures.apply(&mut kind, &tally);
            let event = Event { at: (shared.settings.clock)(), kind: redactor.redact_event(kind) };
            tally.add(&event);
            emit(&event);
        }
    }
    conducting.await.map_err(|why| Obstacle::new("finish the run", why.to_string()))?;
    Ok(tally)
}

async fn conduct(plan: Plan, shared: Arc<Shared>, emit: Emit, began: Instant) {
    start(&plan, &shared, &emit);
    for (scenario, reason) in &plan.skipped {
        finish(&emit, not_asked(scenario, reason));
    }
    let (last, others): (Vec<_>, Vec<_>) =
        plan.executions().enumerate().partition(|(_, one)| one.turn == Turn::Last);
    let stop = shared.settings.stop.clone();
    let interrupted = stop.run_until_cancelled(ask_all(others, &shared, &emit)).await.is_none();
    shared.written().await;
    shared.mend().await;
    let leftovers = shared.fixtures.sweep().await;
    if !interrupted {
        stop.run_until_cancelled(one_by_one(last, &shared, &emit)).await;
    }
    for finding in shared.watchdog.findings(&shared.curl) {
        let scenario = ScenarioId::of_ambient(&finding.clause);
        finish(
            &emit,
            ScenarioFinished {
                exchanges: finding.exchanges,
                evidence: finding.evidence,
                seen_in: finding.scenario,
                ..ScenarioFinished::new(scenario, vec![finding.clause], finding.outcome)
            },
        );
    }
    let interrupted = interrupted || stop.is_cancelled();
    let fixtures = shared.fixtures.created();
    send(
        &emit,
        EventKind::RunFinished(RunFinished {
            elapsed: began.elapsed(),
            interrupted,
            fixtures,
            leftovers,
            stale: Vec::new(),
        }),
    );
}

fn start(plan: &Plan, shared: &Shared, emit: &Emit) {
    let settings = &shared.settings;
    send(
        emit,
        EventKind::RunStarted(Box::new(RunStarted {
            format: FORMAT,
            tool: settings.tool.clone(),
            run: settings.id.clone(),
            seed: settings.seed,
            strict: settings.strict,
            target: shared.survey.clone(),
            clauses: plan.clauses.clone(),
            without_scenario: plan.without_scenario.clone(),
            scenarios: plan.scenarios.len() + plan.skipped.len() + shared.watchdog.rules(),
            known_failures: plan.known_failures.clone(),
            invocation: settings.invocation.clone(),
        })),
    );
}

/// A receiver that is gone only means that nobody listens any more.
fn send(emit: &Emit, kind: EventKind) {
    let _ = emit.send(kind);
}

fn finish(emit: &Emit, finished: ScenarioFinished) {
    send(emit, EventKind::ScenarioFinished(Box::new(finished)));
}

fn not_asked(scenario: &Scenario, reason: &str) -> ScenarioFinished {
    let outcome = Outcome::Skipped { reason: reason.to_owned() };
    ScenarioFinished::new(scenario.id.clone(), scenario.clauses.clone(), outcome)
}

/// Runs one scenario to its end, its deadline or its panic, and removes what it created. Gives what it found as a probe.
async fn attend(
    number: usize,
    scenario: Scenario,
    shared: &Arc<Shared>,
    pass: Pass,
    emit: &Emit,
) -> Vec<Finding> {
    let number = number + 1;
    let cx = Context::new(scenario.id.clone(), scenario.subject.clone(), number, shared.clone(), pass);
    send(emit, EventKind::ScenarioStarted { scenario: scenario.id.clone() });
    let began = Instant::now();
    let asking = AbortOnDropHandle::new(tokio::spawn((scenario.ask)(cx.clone())));
    let outcome = tokio::select! {
        joined = asking => joined.unwrap_or_else(|why| Err(panicked(&scenario.id, &why))),
        () = past_deadline(&cx) => Err(too_slow(&scenario.id, shared.settings.scenario_timeout)),
    };
    let outcome = Outcome::from(outcome);
    let findings = Finding::of(&scenario, &outcome);
    let evidence = match &outcome {
        Outcome::Failed { failure } => cx.evidence(failure.exchange),
        Outcome::Errored { .. } => cx.evidence(None),
        Outcome::Passed | Outcome::Skipped { .. } => Vec::new(),
    };
    finish(
        emit,
        ScenarioFinished {
            elapsed: began.elapsed(),
            exchanges: cx.exchanges(),
            notes: cx.notes(),
            evidence,
            ..ScenarioFinished::new(scenario.id, scenario.clauses, outcome)
        },
    );
    shared.mend().await;
    shared.fixtures.remove_of(number).await;
    findings
}

/// A scenario that waits for compaction moves its own deadline, so it is asked again when it has passed.
async fn past_deadline(cx: &Context) {
    while tokio::time::Instant::now() < cx.deadline() {
        tokio::time::sleep_until(cx.deadline()).await;
    }
}

fn panicked(scenario: &ScenarioId, why: &tokio::task::JoinError) -> Halt {
    Obstacle::new(format!("ask {scenario}"), format!("the scenario itself broke: {why}"))
        .advise("this is a bug of kube-assay: please report it with the evidence")
        .into()
}

fn too_slow(scenario: &ScenarioId, limit: Duration) -> Halt {
    Obstacle::new(format!("ask {scenario}"), format!("it took longer than {} s", limit.as_secs_f32()))
        .advise("give a slow server more time with --scenario-timeout, or less to do with --parallel")
        .into()
}
