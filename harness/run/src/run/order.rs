//! The order of scenarios: probes first, then all others side by side, then one by one.
//!
//! Of those side by side, the ones that wait begin: the others run meanwhile.

use std::sync::Arc;

use tokio::task::JoinSet;

use super::execution::{Emit, attend};
use model::TestError;

use crate::gate::Gate;
use crate::probe::Finding;
use crate::scenario::{Scenario, Turn};
use crate::session::Session;

/// A scenario, and its number among all executions of the run.
pub(super) type Numbered = (usize, Scenario);

/// The number of stages of probes.
const STAGES: usize = 3;

/// Runs all scenarios except those of the last turn.
pub(super) async fn run_all(scenarios: Vec<Numbered>, session: &Arc<Session>, emit: &Emit) {
    let (alone, mut others): (Vec<_>, Vec<_>) =
        scenarios.into_iter().partition(|(_, one)| one.turn == Turn::Alone);
    if session.settings.probe_first {
        for stage in 0..STAGES {
            let (probes, rest): (Vec<_>, Vec<_>) =
                others.into_iter().partition(|(_, one)| one.stage() == Some(stage));
            others = rest;
            // Applied only now: a probe does not skip another probe of its stage.
            session.findings.add(side_by_side(probes, session, emit).await);
        }
    }
    others.sort_by_key(|(_, one)| !one.waits);
    side_by_side(others, session, emit).await;
    one_by_one(alone, session, emit).await;
}

/// Runs scenarios side by side, as many as the run allows; returns the findings of probes.
async fn side_by_side(scenarios: Vec<Numbered>, session: &Arc<Session>, emit: &Emit) -> Vec<Finding> {
    let gate = Gate::new(session.settings.parallel.max(1), scenarios.len());
    let mut running = JoinSet::new();
    for (number, scenario) in scenarios {
        let (session, emit, gate) = (session.clone(), emit.clone(), gate.clone());
        running.spawn(async move {
            let pass = gate.enter().await;
            let found = attend(number, scenario, &session, pass, &emit).await;
            gate.finished();
            found
        });
    }
    if gate.quiet().await {
        gate.open(compact(session).await);
    }
    let mut found = Vec::new();
    while let Some(joined) = running.join_next().await {
        found.extend(joined.unwrap_or_default());
    }
    found
}

/// Runs scenarios one after the other.
pub(super) async fn one_by_one(scenarios: Vec<Numbered>, session: &Arc<Session>, emit: &Emit) {
    for (number, scenario) in scenarios {
        let gate = Gate::new(1, 0);
        let pass = gate.enter().await;
        attend(number, scenario, session, pass, emit).await;
    }
}

async fn compact(session: &Session) -> Result<(), TestError> {
    session.run_hook("compact").await.unwrap_or(Ok(()))
}
