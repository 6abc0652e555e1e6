//! One scenario from its start to its end, as events.

use std::sync::Arc;
use std::time::Duration;

use model::{Checked, EventKind, Halt, Outcome, ScenarioFinished, ScenarioId, TestError};
use target::{Instant, in_turn};
use tokio::sync::mpsc;
use tokio_util::task::AbortOnDropHandle;

use crate::context::Context;
use crate::gate::Pass;
use crate::probe::Finding;
use crate::scenario::{Scenario, TestFn};
use crate::session::Session;

pub(super) type Emit = mpsc::UnboundedSender<EventKind>;

/// A closed receiver is no error: the reader of the events has ended.
pub(super) fn send(emit: &Emit, kind: EventKind) {
    let _ = emit.send(kind);
}

pub(super) fn finish(emit: &Emit, finished: ScenarioFinished) {
    send(emit, EventKind::ScenarioFinished(Arc::new(finished)));
}

pub(super) fn skipped(scenario: &Scenario, reason: &str) -> ScenarioFinished {
    let outcome = Outcome::Skipped { reason: reason.to_owned() };
    ScenarioFinished::new(scenario.id.clone(), scenario.clauses.clone(), outcome)
}

/// Runs one scenario to its end, its deadline or its panic, and removes its fixtures. Returns its finding as a probe.
pub(super) async fn attend(
    number: usize,
    scenario: Scenario,
    session: &Arc<Session>,
    pass: Pass,
    emit: &Emit,
) -> Vec<Finding> {
    let number = number + 1;
    let branch = session.client.scenario(number);
    branch.clone().run(in_turn()).await;
    let cx = Context::new(scenario.id.clone(), scenario.subject.clone(), number, session.clone(), pass);
    send(emit, EventKind::ScenarioStarted { scenario: scenario.id.clone() });
    let began = Instant::now();
    let testing =
        AbortOnDropHandle::new(tokio::spawn(branch.clone().run(judge(scenario.test.clone(), cx.clone()))));
    let outcome = tokio::select! {
        joined = testing => joined.unwrap_or_else(|why| Err(panicked(&scenario.id, &why))),
        () = past_deadline(&cx) => Err(too_slow(&scenario.id, session.settings.scenario_timeout)),
    };
    let outcome = Outcome::from(outcome);
    let findings = Finding::of(&scenario.probes, &scenario.subject, scenario.id.clause(), &outcome);
    let evidence = match &outcome {
        Outcome::Failed { failure } => cx.evidence(failure.exchange),
        Outcome::Errored { .. } => cx.evidence(None),
        Outcome::Passed | Outcome::Skipped { .. } => Vec::new(),
    };
    let failed = matches!(outcome, Outcome::Failed { .. });
    finish(
        emit,
        ScenarioFinished {
            steps: if failed { cx.steps() } else { Vec::new() },
            elapsed: began.elapsed(),
            exchanges: cx.exchanges(),
            notes: cx.notes(),
            evidence,
            ..ScenarioFinished::new(scenario.id, scenario.clauses, outcome)
        },
    );
    session.mend().await;
    if failed && session.settings.keep {
        session.fixtures.keep(number, |definition| cx.uses_definition(definition));
    }
    session.fixtures.remove_cluster_scoped_of(number).await;
    // In a replay the namespace controller is known at the same moment as in the record.
    branch.run(in_turn()).await;
    session.fixtures.remove_namespaces_of(number).await;
    findings
}

/// Runs the scenario. A failure that another writer, or another server, may have caused is a test error, and a
/// test error about a denied request names who denies it, one about the store says what to do. A scenario that
/// left a part unjudged does not pass.
async fn judge(test: TestFn, cx: Context) -> Checked {
    match test(cx.clone()).await.and_then(|()| cx.expect_all_judged()) {
        Err(Halt::Failed(failure)) => Err(cx.attribute(failure).await),
        Err(Halt::Errored(why)) => Err(cx.explain(why).await.into()),
        checked => checked,
    }
}

/// A scenario that waits for compaction moves its own deadline, so this reads the deadline again when it has passed.
async fn past_deadline(cx: &Context) {
    while Instant::now() < cx.deadline() {
        cx.deadline().reached().await;
    }
}

fn panicked(scenario: &ScenarioId, why: &tokio::task::JoinError) -> Halt {
    TestError::new(format!("run {scenario}"), format!("the scenario itself broke: {why}"))
        .hint("this is a bug of kube-assay: please report it with the evidence")
        .into()
}

fn too_slow(scenario: &ScenarioId, limit: Duration) -> Halt {
    TestError::new(format!("run {scenario}"), format!("it took longer than {} s", limit.as_secs_f32()))
        .hint("give a slow server more time with --scenario-timeout, or less to do with --parallel")
        .into()
}
