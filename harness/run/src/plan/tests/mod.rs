//! Plans, shards and known failures.

mod known_failures;
mod shards;

use super::*;
use model::{Area, CheckResult, Checked, Exchange, ScenarioId};

use crate::context::Context;
use crate::row::{Row, invariant, row};

async fn pass(_: Context) -> Checked {
    Ok(())
}

fn own(clause: &str) -> Row {
    row(clause, pass).own_kinds()
}

fn never(_: &Exchange) -> CheckResult {
    None
}

/// One area of observable `must` clauses.
fn catalogue(ids: &[&str]) -> Catalogue {
    let clause =
        |id: &&str| serde_json::json!({ "id": id, "level": "must", "statement": "s", "observe": "o" });
    let clauses: Vec<_> = ids.iter().map(clause).collect();
    let area: Area = serde_json::from_value(serde_json::json!({ "area": "own", "clause": clauses })).unwrap();
    Catalogue::new(vec![area]).unwrap()
}

fn ids(plan: &Plan) -> Vec<String> {
    let skipped = plan.skipped.iter().map(|(scenario, _)| scenario);
    let mut ids: Vec<String> = plan.scenarios.iter().chain(skipped).map(|one| one.id.to_string()).collect();
    ids.sort_unstable();
    ids
}

#[test]
fn a_clause_without_a_scenario_stays_in_scope() {
    let suite = || vec![Suite::new("own", [vec![own("a"), invariant("rule", never)]])];
    let plan =
        |ids: &[&str]| Plan::new(&catalogue(ids), suite(), &Selection::default(), &TargetInfo::default());
    let unwritten = plan(&["a", "rule", "b"]);
    assert_eq!(unwritten.without_scenario, ["b".into()]);
    assert_eq!(unwritten.clauses.len(), 3);
    assert!(plan(&["a", "rule"]).without_scenario.is_empty());
}

#[test]
fn every_scenario_repeats_unless_it_ends_the_server() {
    let suite = Suite::new("own", [vec![own("a"), own("b").last_of_all()]]);
    let mut plan =
        Plan::new(&catalogue(&["a", "b"]), vec![suite], &Selection::default(), &TargetInfo::default());
    plan.repetitions = 3;
    let executions: Vec<String> = plan.executions().map(|scenario| scenario.id.to_string()).collect();
    assert_eq!(executions, ["a", "a", "a", "b"]);
}

#[test]
fn only_named_scenarios_run_including_heavy_ones() {
    let suite = || {
        let scenarios = vec![row("a", pass).namespaced(), own("b").full_only(), own("c")];
        Suite::new("own", [scenarios, vec![invariant("d", never), invariant("e", never)]])
    };
    let only = ["a/custom-resource", "b", "e/invariant"].map(ScenarioId::from).into_iter().collect();
    let selection = Selection { only: Some(only), ..Selection::default() };
    let all = catalogue(&["a", "b", "c", "d", "e", "f"]);
    let plan = Plan::new(&all, vec![suite()], &selection, &TargetInfo::default());
    assert_eq!((ids(&plan), plan.skipped.len()), (vec!["a/custom-resource".to_owned(), "b".to_owned()], 0));
    assert_eq!(plan.invariants.iter().map(|rule| rule.clause).collect::<Vec<_>>(), ["e"]);
    let clauses: Vec<&str> = plan.clauses.iter().map(|clause| clause.id.as_str()).collect();
    assert_eq!(clauses, ["a", "b", "e"]);
}

#[test]
fn the_basic_profile_has_basic_clauses_only() {
    let mut all = catalogue(&["a", "b", "rule"]).areas().to_vec();
    all[0].clauses[0].basic = true;
    let all = Catalogue::new(all).unwrap();
    let suite = || Suite::new("own", [vec![own("a"), own("b"), invariant("rule", never)]]);
    let plan = |profile| {
        let selection = Selection { profile, ..Selection::default() };
        Plan::new(&all, vec![suite()], &selection, &TargetInfo::default())
    };
    let basic = plan(Profile::Basic);
    assert_eq!((ids(&basic), basic.clauses.len(), basic.invariants.len()), (vec!["a".to_owned()], 1, 0));
    assert_eq!(ids(&plan(Profile::Core)), ["a", "b"]);
    assert_eq!(ids(&plan(Profile::Core)), ids(&plan(Profile::Full)));
}
