//! The reasons to refuse a certificate, each in one sentence.

use std::fmt;

use harness::{Clause, Event, Level, Tally, Verdict};

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
    let selection = &setup.selection;
    let given = [
        (!selection.areas.is_empty(), "--area"),
        (!selection.clauses.is_empty(), "--clause"),
        (!selection.skip.is_empty(), "--skip"),
        (!selection.levels.is_empty(), "--level"),
        (selection.shard.is_some(), "--shard"),
        (selection.only.is_some(), "--rerun-failed"),
        (selection.read_only, "--read-only"),
        (selection.profile == harness::Profile::Basic, "--profile basic"),
    ];
    if let Some((_, flag)) = given.iter().find(|(given, _)| *given) {
        return refuse(format!("the run is partial: {flag} leaves out clauses of the claim"));
    }
    let claimed = claim.clauses();
    let catalogue = suites::catalogue();
    let of_claim = |feature: &&String| {
        catalogue.clauses().any(|clause| clause.feature == **feature && claimed.contains(&clause.id))
    };
    if let Some(feature) = selection.no_features.iter().find(of_claim) {
        return refuse(format!(
            "the run is partial: --no-feature {feature} leaves out clauses of the claim; hint: claim other \
             --conformance-profiles"
        ));
    }
    if !setup.known.is_empty() || setup.invocation.known_failures_digest.is_some() {
        return refuse("the run had a list of known failures");
    }
    if setup.invocation.embedded {
        return refuse(
            "the run tested the embedded reference server; hint: name a server with --server or --kubeconfig",
        );
    }
    Ok(())
}

/// Refuses a run that did not come to its end.
pub(super) fn ended(events: &[Event]) -> Result<(), Refusal> {
    let mut tally = Tally::default();
    events.iter().for_each(|event| tally.add(event));
    let Some(finished) = tally.finished() else { return refuse("the record has no end of the run") };
    if let Some(why) = &finished.stopped {
        return refuse(format!("the run stopped before its end: {why}"));
    }
    match finished.leftovers.len() {
        0 => Ok(()),
        left => refuse(format!("the run left {left} objects on the server")),
    }
}

/// Refuses verdicts that a certificate cannot have.
pub(super) fn verdicts(replayed: &Tally, claim: &Claim) -> Result<(), Refusal> {
    let scored = || replayed.verdicts().filter(|(clause, _)| claim.set.scores(clause));
    for (verdict, what) in [
        (Verdict::Failed, "must clauses failed"),
        (Verdict::Flaky, "clauses are flaky"),
        (Verdict::KnownFailure, "clauses are known failures"),
        (Verdict::Inconclusive, "clauses are inconclusive"),
    ] {
        let of_verdict: Vec<&Clause> =
            scored().filter(|(_, found)| *found == verdict).map(|(clause, _)| clause).collect();
        if !of_verdict.is_empty() {
            return refuse(format!("{} {what}: {}", of_verdict.len(), names(&of_verdict)));
        }
    }
    for profile in claim.profiles() {
        let of_profile = |clause: &Clause| claim.profile_of(clause) == profile.name;
        if !scored().any(|(clause, verdict)| {
            of_profile(clause) && verdict == Verdict::Passed && clause.level == Level::Must
        }) {
            return refuse(format!(
                "no must clause of the claimed profile {} passed: the server does not show it",
                profile.name
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
