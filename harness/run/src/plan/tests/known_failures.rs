//! Known failures: their verdicts, and when their entries are stale.

use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use jiff::civil::{Date, date};

use super::*;
use model::{
    Conditions, Event, EventKind, Failure, FailureReason, Level, Listed, Outcome, RunFinished,
    ScenarioFinished, ScenarioId, Staleness, Tally, TestError, Verdict,
};

const TODAY: Date = date(2026, 6, 1);

fn entry(of: Listed) -> KnownFailure {
    let why = FailureReason { reason: format!("because of {of}"), link: "https://example.com/1".to_owned() };
    KnownFailure { of, inconclusive: false, why, until: None, only: Conditions::default() }
}

fn of_clause(id: &str) -> KnownFailure {
    entry(Listed::Clause(id.into()))
}

fn of_scenario(id: &str) -> KnownFailure {
    entry(Listed::Scenario(id.into()))
}

fn failed() -> Outcome {
    let failure = Failure { expected: "a".to_owned(), actual: "b".to_owned(), exchange: None };
    Outcome::Failed { failure }
}

fn errored() -> Outcome {
    Outcome::Errored { test_error: TestError::new("send a request", "no response") }
}

/// The cause of every failure in these tests.
fn causes_of(_: &ScenarioFinished) -> Vec<String> {
    vec!["c1".to_owned()]
}

/// Clause `a` has a scenario on two subjects, and `b` on one; `heavy` is not in the core profile; `rule` has an
/// invariant check.
fn plan(selection: &Selection, known: Vec<KnownFailure>) -> Plan {
    let heavy = own("heavy").full_only();
    let rows = vec![row("a", pass).namespaced(), own("b"), heavy, invariant("rule", never)];
    let suite = Suite::new("own", [rows]);
    let all = catalogue(&["a", "b", "heavy", "rule"]);
    Plan { known_failures: known, ..Plan::new(&all, vec![suite], selection, &TargetInfo::default()) }
}

/// The tally of a run with these outcomes.
fn ran(plan: &Plan, outcomes: &[(&str, Outcome)], interrupted: bool) -> Tally {
    let known_failures = plan.known_failures_on(TODAY, causes_of);
    let mut tally = Tally::default();
    let mut emit = |mut kind: EventKind| {
        known_failures.apply(&mut kind, &tally);
        tally.add(&Event { at: Timestamp::UNIX_EPOCH, kind });
    };
    for (id, outcome) in outcomes {
        let id = ScenarioId::from(*id);
        let clauses = vec![id.clause().into()];
        emit(EventKind::ScenarioFinished(Arc::new(ScenarioFinished::new(id, clauses, outcome.clone()))));
    }
    let (elapsed, fixtures, leftovers) = (Duration::ZERO, 0, Vec::new());
    emit(EventKind::RunFinished(RunFinished {
        elapsed,
        stopped: interrupted.then(|| "interrupted".to_owned()),
        server_change: None,
        fixtures,
        kept: Vec::new(),
        leftovers,
        terminating: 0,
        refused_removal: None,
        stale: Vec::new(),
    }));
    tally
}

fn stale(tally: &Tally) -> Vec<(&str, Staleness)> {
    tally.stale().iter().map(|stale| (stale.entry.of.as_str(), stale.why)).collect()
}

fn verdicts(tally: &Tally) -> Vec<Verdict> {
    tally.scenarios().map(|finished| finished.verdict(Level::Must)).collect()
}

#[test]
fn an_entry_for_a_clause_covers_every_variant_and_one_for_a_scenario_only_itself() {
    let all = Selection::default();
    let outcomes = [("a", failed()), ("a/custom-resource", failed()), ("b", failed())];
    let by_clause = ran(&plan(&all, vec![of_clause("a")]), &outcomes, false);
    assert_eq!(verdicts(&by_clause), [Verdict::KnownFailure, Verdict::KnownFailure, Verdict::Failed]);
    let by_scenario = ran(&plan(&all, vec![of_scenario("a/custom-resource")]), &outcomes, false);
    assert_eq!(verdicts(&by_scenario), [Verdict::Failed, Verdict::KnownFailure, Verdict::Failed]);
    assert!(by_clause.stale().is_empty() && by_scenario.stale().is_empty());
}

#[test]
fn a_test_error_stays_inconclusive_and_does_not_make_the_entry_stale() {
    let outcomes = [("a", Outcome::Passed), ("a/custom-resource", errored())];
    let tally = ran(&plan(&Selection::default(), vec![of_clause("a")]), &outcomes, false);
    assert_eq!(verdicts(&tally), [Verdict::Passed, Verdict::Inconclusive]);
    assert!(tally.stale().is_empty());
}

#[test]
fn an_entry_is_stale_once_every_covered_scenario_passes() {
    let all = Selection::default();
    let known = || vec![of_clause("a"), of_scenario("b")];
    let passed = [("a", Outcome::Passed), ("a/custom-resource", Outcome::Passed), ("b", Outcome::Passed)];
    let tally = ran(&plan(&all, known()), &passed, false);
    assert_eq!(stale(&tally), [("a", Staleness::Passed), ("b", Staleness::Passed)]);
    assert!(ran(&plan(&all, known()), &passed, true).stale().is_empty(), "the run was interrupted");
    let one_fails = [("a", Outcome::Passed), ("a/custom-resource", failed()), ("b", Outcome::Passed)];
    assert_eq!(stale(&ran(&plan(&all, known()), &one_fails, false)), [("b", Staleness::Passed)]);
}

#[test]
fn an_entry_is_not_stale_if_the_selection_leaves_out_a_covered_scenario() {
    let passed = [("a", Outcome::Passed), ("rule/invariant", Outcome::Passed)];
    let known = || vec![of_clause("a"), of_clause("b"), of_clause("heavy"), of_clause("rule")];
    let part = Selection { skip: vec!["a/custom-resource".to_owned()], ..Selection::default() };
    assert!(ran(&plan(&part, known()), &passed, false).stale().is_empty());
    // The profile leaves out too little to matter for invariant checks.
    let tally = ran(&plan(&Selection::default(), known()), &passed[1..], false);
    assert_eq!(stale(&tally), [("rule", Staleness::Passed)]);
    let by_scenario = vec![of_scenario("rule/invariant")];
    let tally = ran(&plan(&Selection::default(), by_scenario), &passed[1..], false);
    assert_eq!(stale(&tally), [("rule/invariant", Staleness::Passed)]);
}

#[test]
fn an_expired_entry_covers_nothing() {
    let until = |until| vec![KnownFailure { until: Some(until), ..of_clause("b") }];
    let outcomes = [("b", failed())];
    let past = ran(&plan(&Selection::default(), until(date(2026, 5, 31))), &outcomes, false);
    assert_eq!(verdicts(&past), [Verdict::Failed]);
    assert_eq!(stale(&past), [("b", Staleness::Expired)]);
    let last = ran(&plan(&Selection::default(), until(TODAY)), &outcomes, false);
    assert!(verdicts(&last) == [Verdict::KnownFailure] && last.stale().is_empty());
    let not_run = ran(&plan(&Selection::default(), until(date(2026, 5, 31))), &[], false);
    assert!(not_run.stale().is_empty(), "the run has no covered scenario");
}

#[test]
fn an_unknown_id_is_stale_in_every_run() {
    let known = vec![of_clause("a/custom-resource"), of_scenario("rule"), of_scenario("unknown")];
    let part = Selection { clauses: vec!["b".to_owned()], ..Selection::default() };
    let tally = ran(&plan(&part, known), &[("b", Outcome::Passed)], false);
    let unknown = ["a/custom-resource", "rule", "unknown"].map(|id| (id, Staleness::Unknown));
    assert_eq!(stale(&tally), unknown);
}

#[test]
fn a_pattern_covers_every_match_and_is_stale_once_nothing_that_it_names_fails() {
    let all = Selection::default();
    let known = || vec![of_scenario("*/custom-resource"), of_clause("*")];
    let outcomes = [("a", Outcome::Passed), ("a/custom-resource", failed()), ("b", Outcome::Passed)];
    let tally = ran(&plan(&all, known()), &outcomes, false);
    assert_eq!(verdicts(&tally), [Verdict::Passed, Verdict::KnownFailure, Verdict::Passed]);
    assert!(tally.stale().is_empty());
    let passed = outcomes.map(|(id, _)| (id, Outcome::Passed));
    let tally =
        ran(&plan(&all, vec![of_scenario("*/custom-resource"), of_clause("nothing-*")]), &passed, false);
    let expected = [("*/custom-resource", Staleness::Passed), ("nothing-*", Staleness::Unknown)];
    assert_eq!(stale(&tally), expected);
    let part = Selection { skip: vec!["a/custom-resource".to_owned()], ..Selection::default() };
    let tally = ran(&plan(&part, vec![of_scenario("a*")]), &passed[..1], false);
    assert!(tally.stale().is_empty(), "the selection leaves out a match");
}

#[test]
fn a_cause_covers_its_failures_and_is_stale_in_a_whole_run_without_them() {
    let known = || vec![entry(Listed::Cause("c1".to_owned())), entry(Listed::Cause("c2".to_owned()))];
    let plan_of = |selection: &Selection| plan(selection, known());
    let tally = ran(&plan_of(&Selection::default()), &[("a", failed()), ("b", Outcome::Passed)], false);
    assert_eq!(verdicts(&tally), [Verdict::KnownFailure, Verdict::Passed]);
    assert_eq!(stale(&tally), [("c2", Staleness::Passed)]);
    let hidden = ran(&plan_of(&Selection::default()), &[("a", failed()), ("b", errored())], false);
    assert!(hidden.stale().is_empty(), "the test error may hide the cause");
    let part = Selection { clauses: vec!["a".to_owned()], ..Selection::default() };
    assert!(ran(&plan_of(&part), &[("a", Outcome::Passed)], false).stale().is_empty());
}

#[test]
fn an_entry_expects_either_a_failure_or_a_test_error() {
    let inconclusive = || vec![KnownFailure { inconclusive: true, ..of_clause("b") }];
    let run = |known, outcome| ran(&plan(&Selection::default(), known), &[("b", outcome)], false);
    let tally = run(inconclusive(), errored());
    assert!(verdicts(&tally) == [Verdict::KnownFailure] && tally.stale().is_empty());
    assert_eq!(verdicts(&run(inconclusive(), failed())), [Verdict::Failed]);
    assert_eq!(verdicts(&run(vec![of_clause("b")], errored())), [Verdict::Inconclusive]);
    assert_eq!(stale(&run(inconclusive(), Outcome::Passed)), [("b", Staleness::Passed)]);
}
