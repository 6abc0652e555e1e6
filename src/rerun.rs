//! `--rerun-failed`: the failed scenarios of an earlier run, on the same server.

use std::collections::HashSet;
use std::path::Path;

use harness::{Access, EventKind, Plan, ScenarioId};

use crate::output::remark;
use crate::recording::Recording;

/// The recorded run.
#[derive(Debug, Default)]
pub(crate) struct Recorded {
    /// The failed and inconclusive scenarios and invariant checks. A failed invariant check is listed with the
    /// scenario of its exchange.
    pub(crate) failed: HashSet<ScenarioId>,
    /// The server's scheme, host and port; `None` for the embedded server, whose port varies.
    address: Option<String>,
}

/// Reads a recording.
pub(crate) fn recorded(events: &Path) -> Result<Recorded, String> {
    let mut recorded = Recorded::default();
    Recording::open(events)?.replay(|event| {
        match &event.kind {
            EventKind::RunStarted(started) if !started.invocation.embedded => {
                recorded.address = Some(started.target.address.clone());
            }
            EventKind::ScenarioFinished(finished) => {
                recorded.failed.extend(finished.is_unsuccessful().then(|| finished.scenario.clone()));
                recorded.failed.extend(finished.seen_in.clone());
            }
            _ => {}
        }
        Ok(())
    })?;
    Ok(recorded)
}

impl Recorded {
    /// Rejects another server than the recorded one: a pass there would prove nothing.
    pub(crate) fn refuse_another_server(&self, named: Option<&Access>) -> Result<(), String> {
        let name = |address: Option<&str>| address.unwrap_or("the embedded reference server").to_owned();
        let (recorded, named) = (self.address.clone(), named.map(Access::address));
        if recorded == named {
            return Ok(());
        }
        let (recorded, named) = (name(recorded.as_deref()), name(named.as_deref()));
        Err(format!(
            "the recording is of {recorded}, and this run would test {named}; hint: name the recorded server"
        ))
    }
}

/// Reports scenarios that are not in the plan: of another version, or another subject.
pub(crate) fn miss(plan: &Plan, wanted: &HashSet<ScenarioId>) {
    let skipped = plan.skipped.iter().map(|(scenario, _)| &scenario.id);
    let mut planned: HashSet<ScenarioId> =
        plan.scenarios.iter().map(|scenario| &scenario.id).chain(skipped).cloned().collect();
    planned.extend(plan.invariants.iter().map(|rule| ScenarioId::of_invariant(&rule.clause.into())));
    let mut missing: Vec<&str> = wanted.difference(&planned).map(ScenarioId::as_str).collect();
    missing.sort_unstable();
    if !missing.is_empty() {
        remark(format_args!(
            "cannot rerun these scenarios, which are not in this run; hint: give --subject, --area and other flags as in that run: {}",
            missing.join(", ")
        ));
    }
}
