//! The suites prove themselves: each clause's fault turns a scenario red, and without a fault all are green.
//!
//! `FAULT=PATTERN,… cargo test -p suites --test faults` tries only the faults that match one of the patterns;
//! `-- --nocapture` tells of each what became of it, as soon as it is known.
#![allow(clippy::expect_used, clippy::print_stderr, reason = "a test that cannot go on says so")]

mod trial;

use std::collections::HashSet;
use std::env;
use std::time::{Duration, Instant};

use futures::StreamExt;
use harness::{Outcome, ScenarioFinished, Selection, Tally, Verdict, matches};
use reference::{Fault, Options};

/// How many servers are tried at a time: a trial mostly waits.
const AT_A_TIME: usize = 12;

/// How long a fault may keep a scenario waiting for what never comes: on a busy machine what comes may be late, too.
const FOR_A_FAULT: Duration = Duration::from_secs(4);

/// How long a right server may take on a busy machine.
const FOR_A_RIGHT_SERVER: Duration = Duration::from_secs(20);

/// Why a scenario may be skipped by a right server that does all we know: `*` stands for any characters.
const GOOD_REASONS: &[&str] =
    &["this server heeds shardSelector", "this server does not offer ServerSideApply*", "since 1.38*"];

#[tokio::test(flavor = "multi_thread")]
async fn every_fault_is_caught_by_a_scenario_of_its_clause() {
    let patterns = env::var("FAULT").unwrap_or_else(|_| "*".to_owned());
    let wanted = |name: &str| patterns.split(',').any(|pattern| matches(pattern, name));
    let suites = suites::all();
    let answered = suites::answered(&suites);
    let faults = reference::faults().filter(|fault| wanted(fault.name) && answered.contains(fault.name));

    let trials = futures::stream::iter(faults.map(|fault| tokio::spawn(survives(fault))));
    let done: Vec<_> =
        trials.buffer_unordered(AT_A_TIME).map(|trial| trial.expect("a trial broke off")).collect().await;

    let survivors: Vec<_> = done.iter().flatten().map(String::as_str).collect();
    eprintln!("{} of {} faults are caught", done.len() - survivors.len(), done.len());
    assert!(survivors.is_empty(), "{} are not:\n{}", survivors.len(), survivors.join("\n"));
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_fault_every_scenario_passes() {
    let options = Options { warm_up: true, ..Options::default() };

    let everything = Selection { full: true, ..Selection::default() };
    let tally = trial::run(options, &everything, FOR_A_RIGHT_SERVER).await.expect("a run");

    let good = |outcome: &Outcome| match outcome {
        Outcome::Skipped { reason } => GOOD_REASONS.iter().any(|pattern| matches(pattern, reason)),
        outcome => *outcome == Outcome::Passed,
    };
    let bad: Vec<_> = tally.scenarios().iter().filter(|scenario| !good(&scenario.outcome)).collect();
    assert!(bad.is_empty(), "{}", outcomes(bad));
    assert_eq!(tally.finished().expect("the run's end").leftovers, [""; 0]);
}

#[test]
fn every_observable_clause_of_a_complete_area_has_a_fault() {
    let catalogue = suites::catalogue();
    let faults: HashSet<_> = reference::faults().map(|fault| fault.name).collect();
    let complete = catalogue.areas().iter().filter(|area| area.complete);
    let unbroken: Vec<_> = complete
        .flat_map(|area| &area.clauses)
        .filter(|clause| clause.observable() && !faults.contains(clause.id.as_str()))
        .map(|clause| clause.id.as_str())
        .collect();
    assert_eq!(unbroken, [""; 0]);
}

#[test]
fn every_fault_is_named_after_a_clause_and_stands_once() {
    let catalogue = suites::catalogue();
    let mut seen = HashSet::new();
    for fault in reference::faults() {
        assert!(catalogue.get(fault.name).is_some(), "there is no clause {}", fault.name);
        assert!(seen.insert(fault.name), "{} stands twice", fault.name);
    }
}

/// What there is to say of a fault that no scenario of its clause fails on.
async fn survives(fault: &'static Fault) -> Option<String> {
    let options = Options { faults: vec![fault], ..Options::default() };
    let selection = Selection { clauses: vec![fault.name.to_owned()], full: true, ..Selection::default() };
    let start = Instant::now();
    let outcomes = match trial::run(options, &selection, FOR_A_FAULT).await {
        Ok(tally) if violated(&tally, fault.name) => {
            eprintln!("{} is caught after {:.1} s", fault.name, start.elapsed().as_secs_f64());
            return None;
        }
        Ok(tally) => outcomes(tally.scenarios()),
        Err(why) => format!("  {why}"),
    };
    // Said at once: of a long test only the end may be kept, or nothing if it is cut off.
    eprintln!("{} SURVIVES:\n{outcomes}", fault.name);
    Some(format!("{}: {}\n{outcomes}", fault.name, fault.what))
}

fn violated(tally: &Tally, clause: &str) -> bool {
    tally.verdicts().any(|(known, verdict)| known.id.as_str() == clause && verdict == Verdict::Violated)
}

fn outcomes<'a>(scenarios: impl IntoIterator<Item = &'a ScenarioFinished>) -> String {
    let lines: Vec<_> =
        scenarios.into_iter().map(|one| format!("  {} {}", one.scenario, said(&one.outcome))).collect();
    lines.join("\n")
}

fn said(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Passed => "passed".to_owned(),
        Outcome::Failed { failure } => format!("failed: {}, not {}", failure.expected, failure.actual),
        Outcome::Skipped { reason } => format!("was skipped: {reason}"),
        Outcome::Errored { obstacle } => obstacle.to_string(),
    }
}
