//! The names that a shell proposes for an unfinished value: clauses, areas, features, faults, bugs, variants, workloads.

use std::ffi::OsStr;

use clap::Arg;
use clap_complete::engine::{
    ArgValueCandidates, ArgValueCompleter, CompletionCandidate, PathCompleter, ValueCompleter,
};
use harness::Verdict;
use harness::load::Slo;
use loadgen::workload::Workload;

use super::report::verdict_name;
use crate::requirements::RequirementSet;
use crate::selection::features;

/// The argument with its names, if it takes any. Values of an enum have theirs from clap.
pub(super) fn with_candidates(arg: Arg) -> Arg {
    let candidates = match arg.get_id().as_str() {
        "area" => areas,
        "clause" | "skip" => clauses,
        "feature" | "no_feature" => optional_features,
        "fault" => faults,
        "bug" => bugs,
        "variant" => variants,
        "verdict" => verdicts,
        "requirements" => requirement_sets,
        "slo" => return arg.add(ArgValueCompleter::new(slos)),
        "workload" => return arg.add(ArgValueCompleter::new(workloads)),
        _ => return arg,
    };
    arg.add(ArgValueCandidates::new(candidates))
}

fn candidate(name: &str, help: &str) -> CompletionCandidate {
    CompletionCandidate::new(name).help(Some(help.to_owned().into()))
}

fn areas() -> Vec<CompletionCandidate> {
    suites::catalogue().areas().iter().map(|area| CompletionCandidate::new(&area.name)).collect()
}

fn clauses() -> Vec<CompletionCandidate> {
    let catalogue = suites::catalogue();
    catalogue.clauses().map(|clause| candidate(clause.id.as_str(), &clause.statement)).collect()
}

fn optional_features() -> Vec<CompletionCandidate> {
    features(&suites::catalogue()).into_iter().map(CompletionCandidate::new).collect()
}

fn faults() -> Vec<CompletionCandidate> {
    reference::faults().map(|fault| candidate(fault.name, fault.what)).collect()
}

fn bugs() -> Vec<CompletionCandidate> {
    reference::bugs().map(|bug| candidate(bug.fault.name, bug.fault.what)).collect()
}

fn variants() -> Vec<CompletionCandidate> {
    reference::variants().map(|variant| candidate(variant.name, variant.what)).collect()
}

fn verdicts() -> Vec<CompletionCandidate> {
    Verdict::ALL.into_iter().map(verdict_name).map(CompletionCandidate::new).collect()
}

fn requirement_sets() -> Vec<CompletionCandidate> {
    RequirementSet::all().iter().map(|set| CompletionCandidate::new(&set.name)).collect()
}

/// Workloads by name, then files.
fn workloads(begun: &OsStr) -> Vec<CompletionCandidate> {
    let named = Workload::embedded().map(|workload| candidate(&workload.name, &workload.models));
    named_or_file(named, begun)
}

/// Presets by name, then files.
fn slos(begun: &OsStr) -> Vec<CompletionCandidate> {
    named_or_file(Slo::presets().map(|preset| candidate(&preset.name, &preset.note)), begun)
}

fn named_or_file(
    named: impl Iterator<Item = CompletionCandidate>,
    begun: &OsStr,
) -> Vec<CompletionCandidate> {
    let begins = |candidate: &CompletionCandidate| {
        candidate.get_value().as_encoded_bytes().starts_with(begun.as_encoded_bytes())
    };
    named.filter(begins).chain(PathCompleter::file().complete(begun)).collect()
}
