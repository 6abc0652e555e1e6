//! Runs a plan with bounded concurrency and emits events. Never prints.

mod deadline;
mod evidence_budget;
mod execution;
mod failure_limit;
mod order;
mod preflight;

use std::sync::atomic::AtomicUsize;
use std::sync::{Arc, OnceLock};

use jiff::tz::TimeZone;
use model::{
    Event, EventKind, FORMAT, RunFinished, RunStarted, ScenarioFinished, ScenarioId, Tally, TargetInfo,
    TestError,
};
use target::Client;
use tokio::sync::{OnceCell, mpsc};
use tokio::time::Instant;
use tokio_util::task::{AbortOnDropHandle, TaskTracker};

use crate::availability::Availability;
use crate::created_versions::CreatedVersions;
use crate::fixture::StillThere;
use crate::invariant::InvariantChecks;
use crate::plan::Plan;
use crate::probe::Findings;
use crate::refusal_series::RefusalSeries;
use crate::repetitions::Repeated;
use crate::run_error::RunError;
use crate::scenario::Turn;
use crate::session::{Definitions, Session};
use crate::settings::Settings;
use crate::shared_values::SharedValues;

use deadline::{RENEW, end_at_deadline, with_advice, with_clean_up, with_silence};
use evidence_budget::EvidenceBudget;
use execution::{Emit, finish, send, skipped};
use failure_limit::FailureLimit;
use order::{one_by_one, run_all};
use preflight::{fixtures, rehearse};

/// Runs the plan against a target and passes every event to `emit`; returns the tally of the events.
///
/// Everything created on the server is removed before this returns, also when it is stopped.
pub async fn run(
    mut plan: Plan,
    client: Client,
    target_info: TargetInfo,
    settings: Settings,
    mut emit: impl FnMut(&Event),
) -> Result<Tally, RunError> {
    let began = Instant::now();
    plan.shuffle(settings.seed);
    let today = settings.clock.now().to_zoned(TimeZone::UTC).date();
    let (mut repeated, known_failures) =
        (Repeated::of(&plan), plan.known_failures_on(today, settings.causes_of));
    let session = Arc::new(Session {
        id: settings.id.clone(),
        fixtures: fixtures(&plan, &target_info, &client, &settings),
        invariant_checks: InvariantChecks::new(plan.invariants.clone(), plan.executions().count()),
        definitions: Definitions::default(),
        shared_values: SharedValues::default(),
        discovered: tokio::sync::Mutex::default(),
        findings: Findings::default(),
        unchanged: OnceLock::new(),
        lost_object: OnceLock::new(),
        created_versions: CreatedVersions::default(),
        admission_changes: OnceCell::new(),
        published: OnceCell::new(),
        deployments_change: OnceCell::new(),
        writes: TaskTracker::new(),
        writes_sent: AtomicUsize::new(0),
        to_mend: std::sync::Mutex::default(),
        availability: Availability::default(),
        refused_credentials: RefusalSeries::default(),
        full_store: RefusalSeries::default(),
        stop: settings.stop.child_token(),
        stopped: OnceLock::new(),
        curl: client.curl().await?,
        client,
        target_info,
        settings,
    });
    let deadline = AbortOnDropHandle::new(tokio::spawn(end_at_deadline(session.clone())));
    let redactor = session.client.redactor().clone();
    Box::pin(rehearse(&plan, &session)).await.map_err(|why| why.redacted(&redactor))?;
    let (sender, mut events) = mpsc::unbounded_channel();
    let conducting = tokio::spawn(conduct(plan, session.clone(), sender, began, deadline));
    let (mut tally, mut budget) = (Tally::default(), EvidenceBudget::default());
    let mut failure_limit = FailureLimit::of(&session.settings);
    while let Some(kind) = events.recv().await {
        for mut kind in repeated.take(kind) {
            budget.shorten(&mut kind);
            let mut kind = kind.redacted(|text| redactor.redact(text));
            known_failures.apply(&mut kind, &tally);
            let event = Event { at: session.settings.clock.now(), kind };
            tally.add(&event);
            if let Some(why) = failure_limit.reached(&event.kind, &tally) {
                session.stop_because(why);
            }
            emit(&event);
        }
    }
    conducting.await.map_err(|why| TestError::new("finish the run", why.to_string()))?;
    Ok(tally)
}

async fn conduct(
    plan: Plan,
    session: Arc<Session>,
    emit: Emit,
    began: Instant,
    deadline: AbortOnDropHandle<()>,
) {
    start(&plan, &session, &emit);
    for (scenario, reason) in &plan.skipped {
        finish(&emit, skipped(scenario, reason));
    }
    let (last, others): (Vec<_>, Vec<_>) =
        plan.executions().enumerate().partition(|(_, one)| one.turn == Turn::Last);
    let running = Box::pin(run_all(others, &session, &emit));
    let whole = session.stop.run_until_cancelled(running).await.is_some();
    drop(deadline);
    let ended = Instant::now();
    session.settings.slowdown.begin_clean_up();
    let are_refused = are_credentials_refused(&session).await;
    let gone = are_refused || is_gone(&session).await;
    if !gone {
        session.written().await;
        session.mend().await;
    }
    let server_change = if whole { session.server_change_in_time().await } else { None };
    let leftovers = if are_refused {
        session.fixtures.unremoved_paths()
    } else if gone {
        session.fixtures.paths()
    } else {
        session.fixtures.sweep().await
    };
    let still_there: Vec<_> = leftovers.iter().map(|path| session.fixtures.still_there(path)).collect();
    let terminating = still_there.iter().filter(|one| one.terminating).count();
    let refused_removal = still_there.iter().filter(|_| !gone).find_map(StillThere::refused_removal);
    let clean_up = ended.elapsed();
    session.settings.slowdown.end_clean_up();
    session.availability.turn_off();
    if whole {
        session.stop.run_until_cancelled(Box::pin(one_by_one(last, &session, &emit))).await;
    }
    for finding in session.invariant_checks.findings() {
        let scenario = ScenarioId::of_invariant(&finding.clause);
        finish(
            &emit,
            ScenarioFinished {
                exchanges: finding.exchanges,
                evidence: finding.evidence,
                steps: finding.steps,
                seen_in: finding.scenario,
                ..ScenarioFinished::new(scenario, vec![finding.clause], finding.outcome)
            },
        );
    }
    let deadline = session.settings.deadline;
    let stopped = session.stopped().map(|why| {
        let why = with_clean_up(why, deadline, Instant::now(), clean_up);
        let advice = if are_refused { Some(RENEW) } else { session.advice_on_store(&why) };
        let why = with_advice(why, advice, &session.id, !leftovers.is_empty());
        with_silence(why, session.fixtures.silence())
    });
    let fixtures = session.fixtures.created();
    send(
        &emit,
        EventKind::RunFinished(RunFinished {
            elapsed: began.elapsed(),
            stopped,
            server_change,
            fixtures,
            kept: session.fixtures.kept(),
            leftovers,
            terminating,
            refused_removal,
            stale: Vec::new(),
        }),
    );
}

/// Whether the server refused the credentials until the run ended, and still does: it then removes nothing.
async fn are_credentials_refused(session: &Session) -> bool {
    if !session.refused_credentials.has_ended_run() {
        return false;
    }
    // What a hook has damaged may be the reason.
    session.mend().await;
    session.are_credentials_refused().await
}

/// Whether the server stayed away, and still does: it then carries out no write and removes nothing, so nobody waits for it.
async fn is_gone(session: &Session) -> bool {
    if !session.availability.is_gone() {
        return false;
    }
    // What a hook has damaged may be the reason.
    session.mend().await;
    !session.fixtures.responds().await
}

fn start(plan: &Plan, session: &Session, emit: &Emit) {
    let settings = &session.settings;
    send(
        emit,
        EventKind::RunStarted(Arc::new(RunStarted {
            format: FORMAT,
            tool: settings.tool.clone(),
            run: settings.id.clone(),
            seed: settings.seed,
            strict: settings.strict,
            target: session.target_info.clone(),
            clauses: plan.clauses.clone(),
            curl: session.curl.clone(),
            without_scenario: plan.without_scenario.clone(),
            scenarios: plan.scenarios.len() + plan.skipped.len() + session.invariant_checks.rules(),
            known_failures: plan.known_failures.clone(),
            invocation: settings.invocation.clone(),
        })),
    );
}
