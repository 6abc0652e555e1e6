//! What failed in an earlier run, to be asked again.

use std::collections::HashSet;
use std::path::Path;

use harness::{EventKind, Plan, ScenarioId};

use crate::output::remark;
use crate::recording::Recording;

/// The scenarios and rules that failed or could not find out. A broken rule for every exchange comes with the scenario
/// that showed it.
pub(crate) fn failed(events: &Path) -> Result<HashSet<ScenarioId>, String> {
    let mut failed = HashSet::new();
    Recording::open(events)?.replay(|event| {
        if let EventKind::ScenarioFinished(finished) = &event.kind {
            failed.extend(finished.troubled().then(|| finished.scenario.clone()));
            failed.extend(finished.seen_in.clone());
        }
        Ok(())
    })?;
    Ok(failed)
}

/// Remarks what of it is not in the plan: it was asked by another program, or of another subject.
pub(crate) fn miss(plan: &Plan, wanted: &HashSet<ScenarioId>) {
    let skipped = plan.skipped.iter().map(|(scenario, _)| &scenario.id);
    let mut planned: HashSet<ScenarioId> =
        plan.scenarios.iter().map(|scenario| &scenario.id).chain(skipped).cloned().collect();
    planned.extend(plan.ambient.iter().map(|rule| ScenarioId::of_ambient(&rule.clause.into())));
    let mut missing: Vec<&str> = wanted.difference(&planned).map(ScenarioId::as_str).collect();
    missing.sort_unstable();
    if !missing.is_empty() {
        remark(format_args!(
            "not asked again, for want of such a scenario (give --subject, --area and the like as in that run): {}",
            missing.join(", ")
        ));
    }
}
