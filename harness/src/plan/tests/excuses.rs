//! Known failures: what they excuse, and when they are stale.

use std::time::Duration;

use jiff::Timestamp;
use jiff::civil::{Date, date};

use super::*;
use crate::event::{Event, EventKind, RunFinished, ScenarioFinished};
use crate::known::{Conditions, Known, Listed, Staleness};
use crate::outcome::{Failure, Obstacle, Outcome, Verdict};
use crate::tally::Tally;

const TODAY: Date = date(2026, 6, 1);

fn entry(of: Listed) -> KnownFailure {
    let known = Known { reason: format!("because of {of}"), link: "https://example.com/1".to_owned() };
    KnownFailure { of, known, until: None, only: Conditions::default() }
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
    Outcome::Errored { obstacle: Obstacle::new("ask", "no answer") }
}

/// Clause `a` is asked on two shapes, and `b` on one; `heavy` is not in the core profile; `rule` is one for every
/// exchange.
fn plan(selection: &Selection, known: Vec<KnownFailure>) -> Plan {
    let heavy = own("heavy").full_only();
    let rows = vec![row("a", asks).namespaced(), own("b"), heavy, invariant("rule", never)];
    let suite = Suite::new("own", [rows]);
    let all = catalogue(&["a", "b", "heavy", "rule"]);
    Plan { known, ..Plan::new(&all, vec![suite], selection, &Survey::default()) }
}

/// What comes of a run in which these scenarios ended in these ways.
fn ran(plan: &Plan, outcomes: &[(&str, Outcome)], interrupted: bool) -> Tally {
    let excuses = Excuses::of(plan, TODAY);
    let mut tally = Tally::default();
    let mut tell = |mut kind: EventKind| {
        excuses.apply(&mut kind, &tally);
        tally.add(&Event { at: Timestamp::UNIX_EPOCH, kind });
    };
    for (id, outcome) in outcomes {
        let id = ScenarioId::from(*id);
        let clauses = vec![id.clause().into()];
        tell(EventKind::ScenarioFinished(Box::new(ScenarioFinished::new(id, clauses, outcome.clone()))));
    }
    let (elapsed, fixtures, leftovers) = (Duration::ZERO, 0, Vec::new());
    tell(EventKind::RunFinished(RunFinished {
        elapsed,
        interrupted,
        fixtures,
        leftovers,
        stale: Vec::new(),
    }));
    tally
}

fn stale(tally: &Tally) -> Vec<(&str, Staleness)> {
    tally.stale().iter().map(|stale| (stale.entry.of.as_str(), stale.why)).collect()
}

fn verdicts(tally: &Tally) -> Vec<Verdict> {
    tally.scenarios().iter().map(ScenarioFinished::verdict).collect()
}

#[test]
fn a_clause_is_excused_on_every_shape_and_a_scenario_on_its_own() {
    let all = Selection::default();
    let outcomes = [("a", failed()), ("a/custom-resource", failed()), ("b", failed())];
    let by_clause = ran(&plan(&all, vec![of_clause("a")]), &outcomes, false);
    let known = Verdict::Known { known: of_clause("a").known };
    assert_eq!(verdicts(&by_clause), [known.clone(), known, Verdict::Violated]);
    let by_scenario = ran(&plan(&all, vec![of_scenario("a/custom-resource")]), &outcomes, false);
    let known = Verdict::Known { known: of_scenario("a/custom-resource").known };
    assert_eq!(verdicts(&by_scenario), [Verdict::Violated, known, Verdict::Violated]);
    assert!(by_clause.stale().is_empty() && by_scenario.stale().is_empty());
}

#[test]
fn what_could_not_be_found_out_is_not_excused_and_says_nothing_of_the_entry() {
    let outcomes = [("a", Outcome::Passed), ("a/custom-resource", errored())];
    let tally = ran(&plan(&Selection::default(), vec![of_clause("a")]), &outcomes, false);
    assert_eq!(verdicts(&tally), [Verdict::Upheld, Verdict::Undetermined]);
    assert!(tally.stale().is_empty());
}

#[test]
fn an_entry_is_stale_once_all_that_it_is_about_passes() {
    let all = Selection::default();
    let known = || vec![of_clause("a"), of_scenario("b")];
    let passed = [("a", Outcome::Passed), ("a/custom-resource", Outcome::Passed), ("b", Outcome::Passed)];
    let tally = ran(&plan(&all, known()), &passed, false);
    assert_eq!(stale(&tally), [("a", Staleness::Passed), ("b", Staleness::Passed)]);
    assert!(ran(&plan(&all, known()), &passed, true).stale().is_empty(), "of a run that was cut short");
    let one_fails = [("a", Outcome::Passed), ("a/custom-resource", failed()), ("b", Outcome::Passed)];
    assert_eq!(stale(&ran(&plan(&all, known()), &one_fails, false)), [("b", Staleness::Passed)]);
}

#[test]
fn an_entry_is_not_stale_where_what_could_fail_was_left_out() {
    let passed = [("a", Outcome::Passed), ("rule/ambient", Outcome::Passed)];
    let known = || vec![of_clause("a"), of_clause("b"), of_clause("heavy"), of_clause("rule")];
    let part = Selection { skip: vec!["a/custom-resource".to_owned()], ..Selection::default() };
    assert!(ran(&plan(&part, known()), &passed, false).stale().is_empty());
    // The profile leaves out too little to be waited for by rules that are judged on everything.
    let tally = ran(&plan(&Selection::default(), known()), &passed[1..], false);
    assert_eq!(stale(&tally), [("rule", Staleness::Passed)]);
    let by_scenario = vec![of_scenario("rule/ambient")];
    let tally = ran(&plan(&Selection::default(), by_scenario), &passed[1..], false);
    assert_eq!(stale(&tally), [("rule/ambient", Staleness::Passed)]);
}

#[test]
fn after_its_last_day_an_entry_excuses_nothing() {
    let until = |until| vec![KnownFailure { until: Some(until), ..of_clause("b") }];
    let outcomes = [("b", failed())];
    let past = ran(&plan(&Selection::default(), until(date(2026, 5, 31))), &outcomes, false);
    assert_eq!(verdicts(&past), [Verdict::Violated]);
    assert_eq!(stale(&past), [("b", Staleness::Expired)]);
    let last = ran(&plan(&Selection::default(), until(TODAY)), &outcomes, false);
    assert!(matches!(verdicts(&last)[0], Verdict::Known { .. }) && last.stale().is_empty());
    let unasked = ran(&plan(&Selection::default(), until(date(2026, 5, 31))), &[], false);
    assert!(unasked.stale().is_empty(), "the run is about something else");
}

#[test]
fn an_unknown_id_is_stale_whatever_is_asked() {
    let known = vec![of_clause("a/custom-resource"), of_scenario("rule"), of_scenario("nobody")];
    let part = Selection { clauses: vec!["b".to_owned()], ..Selection::default() };
    let tally = ran(&plan(&part, known), &[("b", Outcome::Passed)], false);
    let unknown = ["a/custom-resource", "rule", "nobody"].map(|id| (id, Staleness::Unknown));
    assert_eq!(stale(&tally), unknown);
}
