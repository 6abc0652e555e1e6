//! `--rerun-failed`: the failed scenarios of an earlier run, on the same server.

use std::collections::HashSet;
use std::path::Path;

use harness::{Access, EventKind, Plan, ScenarioId};

use crate::exit::Exit;
use crate::output::{complain, remark};
use crate::recording::Recording;

/// The recorded run.
#[derive(Debug, Default)]
pub(crate) struct Recorded {
    /// The failed and inconclusive scenarios and invariant checks, and the scenarios that began and have no result. A
    /// failed invariant check is listed with the scenario of its exchange.
    pub(crate) failed: HashSet<ScenarioId>,
    /// The number of results that the run announced and the recording lacks, without those that `failed` names.
    lost: usize,
    /// Whether the run came to its own end.
    ended: bool,
    /// The server's scheme, host and port; `None` for the embedded server, whose port varies.
    address: Option<String>,
}

/// Reads a recording: a file, or the directory that a run wrote it into.
pub(crate) fn recorded(events: &Path) -> Result<Recorded, String> {
    let (mut recorded, mut running) = (Recorded::default(), HashSet::new());
    Recording::open(&Recording::file_of(events))?.replay(|event| {
        match &event.kind {
            EventKind::RunStarted(started) => {
                recorded.lost = started.scenarios;
                let address = started.target.address.clone();
                recorded.address = Some(address).filter(|_| !started.invocation.embedded);
            }
            EventKind::ScenarioStarted { scenario } => {
                running.insert(scenario.clone());
            }
            EventKind::RunFinished(finished) => recorded.ended = finished.stopped.is_none(),
            EventKind::ScenarioFinished(finished) => {
                running.remove(&finished.scenario);
                recorded.lost = recorded.lost.saturating_sub(1);
                recorded.failed.extend(finished.is_unsuccessful().then(|| finished.scenario.clone()));
                recorded.failed.extend(finished.seen_in.clone());
            }
        }
        Ok(())
    })?;
    recorded.lost = recorded.lost.saturating_sub(running.len());
    recorded.failed.extend(running);
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

impl Recorded {
    /// The exit of a run that has nothing to run again; `None` if it has something. A recording that lacks results shows
    /// no server to be right.
    pub(crate) fn nothing_to_run(&self, events: &Path) -> Option<Exit> {
        let events = events.display();
        if self.ended && self.lost == 0 {
            return self.failed.is_empty().then(|| {
                remark(format_args!("nothing to run again: in {events} nothing failed"));
                Exit::Passed
            });
        }
        let lacks = match self.lost {
            0 => "the run did not come to its own end".to_owned(),
            _ => self.missing_results(),
        };
        if self.failed.is_empty() {
            complain(format_args!(
                "failed to find what to run again: in {events} {lacks}, and nothing failed; hint: repeat the whole run"
            ));
            return Some(Exit::Inconclusive);
        }
        remark(format_args!(
            "in {events} {lacks}: only what is known to have failed or not to have ended runs again"
        ));
        None
    }

    /// Why a run of what the recording names is not all that has to run again; `None` if it is.
    pub(crate) fn unnamed(&self, events: &Path) -> Option<String> {
        (self.lost > 0).then(|| {
            let (events, missing) = (events.display(), self.missing_results());
            format!("failed to run all of {events} again: {missing}; hint: repeat the whole run")
        })
    }

    fn missing_results(&self) -> String {
        format!("{} results are missing without the names of their scenarios", self.lost)
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
