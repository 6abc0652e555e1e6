//! The commands of kube-assay that reports show: with the flags of the run, and without its credentials.

use model::{Clause, RunStarted, ScenarioFinished, ScenarioId, Verdict, quote};

use crate::directory::EVENTS;
use crate::record::Record;

/// The folder of the reports without `--output-dir`.
const DIRECTORY: &str = "assay-report";

/// The flags that name a target, and its credentials.
pub const TARGET_FLAGS: [&str; 11] = [
    "--kubeconfig",
    "--context",
    "--in-cluster",
    "--server",
    "--token",
    "--token-file",
    "--certificate-authority",
    "--client-certificate",
    "--client-key",
    "--tls-server-name",
    "--insecure-skip-tls-verify",
];

/// The flags that decide what a scenario does and how it is judged. The others select scenarios, or name files.
pub const SCENARIO_FLAGS: [&str; 18] = [
    "--replica",
    "--subject",
    "--template",
    "--profile",
    "--read-only",
    "--feature",
    "--no-feature",
    "--release",
    "--requirements",
    "--conformance-profiles",
    "--scenario-timeout",
    "--event-timeout",
    "--request-timeout",
    "--response-memory",
    "--wait-for-compaction",
    "--hook",
    "--strict",
    "--repeat",
];

/// The command that removes the leftovers of this run; `None` for the embedded server, which has ended.
pub(crate) fn clean(record: &Record) -> Option<String> {
    let started = record.tally.started().filter(|started| !started.invocation.embedded)?;
    let command = ["kube-assay clean --run".to_owned(), word(&started.run)];
    Some(join(command.into_iter().chain(flags(started, &[&TARGET_FLAGS, &["--subject"]]))))
}

/// The command that runs a scenario again, if a reader may want that.
pub(crate) fn run_again(record: &Record, finished: &ScenarioFinished) -> Option<String> {
    if !is_run_again(record.verdict_of(finished)) {
        return None;
    }
    // An invariant check judges the exchanges of other scenarios.
    let seen_in = finished.seen_in.iter().map(ScenarioId::as_str);
    run(record, std::iter::once(finished.scenario.as_str()).chain(seen_in))
}

/// The command that repeats a failed scenario by its script, in the folder in which the run started; `None` for the embedded
/// server, which has ended, and without recorded requests.
pub(crate) fn script(record: &Record, finished: &ScenarioFinished) -> Option<String> {
    let started = record.tally.started().filter(|started| !started.invocation.embedded)?;
    if finished.steps.is_empty() {
        return None;
    }
    let flags = &started.invocation.flags;
    let directory = flags.iter().find_map(|flag| flag.strip_prefix("--output-dir=")).unwrap_or(DIRECTORY);
    let events = word(&format!("{}/{EVENTS}", directory.trim_end_matches('/')));
    Some(format!("kube-assay report {events} --script {} | sh", word(finished.scenario.as_str())))
}

/// The command that runs every scenario of a clause again.
pub(crate) fn run_clause(record: &Record, clause: &Clause) -> Option<String> {
    let broken = record.tally.scenarios_of(&clause.id).filter(|finished| finished.is_unsuccessful());
    let seen_in = broken.filter_map(|finished| finished.seen_in.as_ref()).take(1);
    run(record, std::iter::once(clause.id.as_str()).chain(seen_in.map(ScenarioId::as_str)))
}

/// Whether a reader may want to run a scenario with this verdict again.
pub(crate) fn is_run_again(verdict: Verdict) -> bool {
    matches!(verdict, Verdict::Failed | Verdict::Flaky | Verdict::Inconclusive | Verdict::Warning)
}

fn run<'a>(record: &Record, ids: impl Iterator<Item = &'a str>) -> Option<String> {
    let started = record.tally.started()?;
    let flags = flags(started, &[&TARGET_FLAGS, &SCENARIO_FLAGS]);
    let ids = ids.map(|id| format!("--clause {}", word(id)));
    let seed = format!("--seed {}", started.seed);
    Some(join(std::iter::once("kube-assay run".to_owned()).chain(flags).chain(ids).chain([seed])))
}

/// The flags of the run that are in one of the lists.
fn flags(started: &RunStarted, lists: &[&[&str]]) -> Vec<String> {
    let name = |flag: &str| flag.split('=').next().unwrap_or_default().to_owned();
    let listed = |flag: &&String| lists.iter().any(|list| list.contains(&name(flag).as_str()));
    started.invocation.flags.iter().filter(listed).map(|flag| shown(flag)).collect()
}

/// A recording has neither the token nor the commands of hooks: the variables of the user's shell may have them.
fn shown(flag: &str) -> String {
    match (flag.split_once('='), flag.strip_prefix("--hook=").and_then(|hook| hook.strip_suffix("=…"))) {
        (Some(("--token", _)), _) => "--token=\"$TOKEN\"".to_owned(),
        (_, Some(hook)) => {
            format!("--hook={}=\"${}\"", word(hook), hook.replace('-', "_").to_ascii_uppercase())
        }
        _ => word(flag),
    }
}

fn join(words: impl Iterator<Item = String>) -> String {
    words.collect::<Vec<_>>().join(" ")
}

/// A word of a command, between quotes if a shell would change it.
fn word(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_=./:@".contains(c);
    if text.chars().all(plain) { text.to_owned() } else { quote(text) }
}
