//! The reasons to refuse a certificate, each in one sentence.

use std::fmt;

use harness::{Clause, Event, Level, Profile, Selection, Tally, Verdict};

use crate::replay::tally;
use crate::requirements::Claim;
use crate::setup::Setup;

/// Why there is no certificate.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Refusal(pub(crate) String);

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The maximum number of clauses that a sentence names.
const MOST_NAMED: usize = 5;

fn refuse(why: impl Into<String>) -> Result<(), Refusal> {
    Err(Refusal(why.into()))
}

/// Refuses a run that was no run of a whole claim against a server.
pub(super) fn selection(setup: &Setup, claim: &Claim) -> Result<(), Refusal> {
    if let Some(flag) = limit(&setup.selection) {
        return refuse(format!("the run is partial: {flag} leaves out clauses of the claim"));
    }
    if let Some(feature) = setup.selection.no_features.iter().find(|feature| has(claim, feature)) {
        return refuse(format!(
            "the run is partial: --no-feature {feature} leaves out clauses of the claim; hint: claim other \
             --conformance-profiles"
        ));
    }
    if !setup.known.is_empty() || setup.invocation.known_failures_digest.is_some() {
        return refuse("the run had a list of known failures");
    }
    if setup.invocation.embedded {
        let hint = "hint: name a server with --server or --kubeconfig";
        return refuse(format!("the run tested the embedded reference server; {hint}"));
    }
    Ok(())
}

/// The flag that makes a run partial.
fn limit(selection: &Selection) -> Option<&'static str> {
    let flags = [
        (!selection.areas.is_empty(), "--area"),
        (!selection.clauses.is_empty(), "--clause"),
        (!selection.skip.is_empty(), "--skip"),
        (!selection.levels.is_empty(), "--level"),
        (selection.shard.is_some(), "--shard"),
        (selection.only.is_some(), "--rerun-failed"),
        (selection.read_only, "--read-only"),
        (selection.profile == Profile::Basic, "--profile basic"),
    ];
    flags.into_iter().find(|(given, _)| *given).map(|(_, flag)| flag)
}

/// Whether a claim has a clause of a feature.
fn has(claim: &Claim, feature: &str) -> bool {
    let (claimed, catalogue) = (claim.clauses(), suites::catalogue());
    catalogue.clauses().any(|clause| clause.feature == feature && claimed.contains(&clause.id))
}

/// Refuses a run that did not come to its end, or that has verdicts by its own account that no certificate can have.
pub(super) fn recorded(events: &[Event], claim: &Claim) -> Result<(), Refusal> {
    let tally = tally(events);
    ended(&tally)?;
    verdicts(&tally, claim)
}

/// Refuses a record whose first event is not about the run of its settings.
pub(super) fn beginning(recorded: &Tally, replayed: &Tally) -> Result<(), Refusal> {
    let run = |tally: &Tally| {
        let started = tally.started()?;
        Some((started.run.clone(), started.seed, started.strict, started.invocation.clone()))
    };
    if run(recorded) == run(replayed) {
        return Ok(());
    }
    refuse("the first event of the record differs from its settings: run, seed or flags are another run's")
}

fn ended(tally: &Tally) -> Result<(), Refusal> {
    let Some(finished) = tally.finished() else { return refuse("the record has no end of the run") };
    if let Some(why) = &finished.stopped {
        return refuse(format!("the run stopped before its end: {why}"));
    }
    if let Some(change) = &finished.server_change {
        return refuse(format!("the server changed during the run: {change}"));
    }
    match finished.leftovers.len() {
        0 => Ok(()),
        left => refuse(format!("the run left {left} objects on the server")),
    }
}

/// Refuses verdicts that a certificate cannot have.
pub(super) fn verdicts(replayed: &Tally, claim: &Claim) -> Result<(), Refusal> {
    let scored: Vec<(&Clause, Verdict)> =
        replayed.verdicts().filter(|(clause, _)| claim.set.scores(clause)).collect();
    for (verdict, what) in [
        (Verdict::Failed, "must clauses failed"),
        (Verdict::Flaky, "clauses are flaky"),
        (Verdict::KnownFailure, "clauses are known failures"),
        (Verdict::Inconclusive, "clauses are inconclusive"),
    ] {
        let of_verdict: Vec<&Clause> =
            scored.iter().filter(|(_, found)| *found == verdict).map(|(clause, _)| *clause).collect();
        if !of_verdict.is_empty() {
            return refuse(format!("{} {what}: {}", of_verdict.len(), names(&of_verdict)));
        }
    }
    profiles(&scored, claim)
}

/// Refuses a claim of a profile that the server does not show.
fn profiles(scored: &[(&Clause, Verdict)], claim: &Claim) -> Result<(), Refusal> {
    for profile in claim.profiles() {
        let shows = |(clause, verdict): &(&Clause, Verdict)| {
            let of_profile = claim.profile_of(clause) == profile.name && clause.level == Level::Must;
            of_profile && *verdict == Verdict::Passed
        };
        if !scored.iter().any(shows) {
            let name = &profile.name;
            return refuse(format!(
                "no must clause of the claimed profile {name} passed: the server does not show it"
            ));
        }
    }
    Ok(())
}

fn names(clauses: &[&Clause]) -> String {
    let named: Vec<&str> = clauses.iter().take(MOST_NAMED).map(|clause| clause.id.as_str()).collect();
    let rest = clauses.len() - named.len();
    let more = if rest == 0 { String::new() } else { format!(" and {rest} more") };
    format!("{}{more}", named.join(", "))
}
