//! `kube-assay report --script`: the script that repeats a failed scenario.

use std::path::Path;

use harness::{ScenarioFinished, Tally};

use crate::output::{remark, say};
use crate::recording::Recording;

/// Prints the script of the scenario, or of a clause's first failed scenario. Returns whether the recording is whole.
pub(crate) fn write(events: &Path, id: &str) -> Result<bool, String> {
    let mut tally = Tally::default();
    let is_whole = Recording::open(events)?.replay(|event| {
        tally.add(event);
        Ok(())
    })?;
    let script = failed(&tally, id)?;
    let started =
        tally.started().ok_or_else(|| format!("failed to read {}: it has no start", events.display()))?;
    let script = reports::script(started, script).ok_or_else(|| not_recorded(id, script))?;
    for action in &script.not_repeated {
        remark(format_args!("not repeated: {}", action.replace(char::is_control, " ")));
    }
    say(&script.text);
    Ok(is_whole)
}

fn failed<'a>(tally: &'a Tally, id: &str) -> Result<&'a ScenarioFinished, String> {
    let unsuccessful = || tally.scenarios().filter(|finished| finished.is_failure());
    let exact = unsuccessful().find(|finished| finished.scenario.as_str() == id);
    let of_clause =
        || unsuccessful().find(|finished| finished.clauses.iter().any(|clause| clause.as_str() == id));
    exact.or_else(of_clause).ok_or_else(|| {
        let mut ids: Vec<&str> = unsuccessful().map(|finished| finished.scenario.as_str()).collect();
        ids.truncate(5);
        let hint = if ids.is_empty() {
            "nothing failed in this run".to_owned()
        } else {
            format!("failed: {}", ids.join(", "))
        };
        format!("failed to write a script of {id}: no scenario or clause of this id failed; hint: {hint}")
    })
}

/// An invariant check of streams needs several of them; an old or a large recording has no requests.
fn not_recorded(id: &str, finished: &ScenarioFinished) -> String {
    let scenario = finished.seen_in.as_ref().unwrap_or(&finished.scenario);
    format!(
        "failed to write a script of {id}: the recording has no requests of it; hint: run `kube-assay run --clause {scenario}`"
    )
}
