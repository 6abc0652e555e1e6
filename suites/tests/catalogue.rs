//! The catalogue and the suites fit together.

use std::collections::{BTreeSet, HashSet};

use harness::{Area, Clause};

#[test]
fn every_file_of_clauses_is_part_of_the_catalogue() {
    let files: BTreeSet<String> = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/clauses"))
        .unwrap()
        .map(|file| file.unwrap().path().file_stem().unwrap().to_string_lossy().into_owned())
        .collect();
    let areas: BTreeSet<String> = suites::catalogue().areas().iter().map(|area| area.name.clone()).collect();
    assert_eq!(files, areas);
}

#[test]
fn every_clause_of_the_specification_is_there() {
    let catalogue = suites::catalogue();
    assert_eq!(catalogue.clauses().count(), 2250);
    assert_eq!(catalogue.clauses().filter(|clause| clause.observable()).count(), 2005);
}

#[test]
fn every_observable_clause_names_a_fault() {
    let catalogue = suites::catalogue();
    let silent: Vec<_> = catalogue
        .clauses()
        .filter(|clause| clause.observable() && clause.fault.is_empty())
        .map(|clause| &clause.id)
        .collect();
    assert!(silent.is_empty(), "no fault: {silent:?}");
}

#[test]
fn every_scenario_and_ambient_rule_has_clauses_of_the_catalogue() {
    let (catalogue, suites) = (suites::catalogue(), suites::all());
    let unknown: Vec<_> =
        suites::answered(&suites).into_iter().filter(|id| catalogue.get(id).is_none()).collect();
    assert!(unknown.is_empty(), "not in the catalogue: {unknown:?}");
}

#[test]
fn every_suite_stands_in_its_area() {
    let catalogue = suites::catalogue();
    for suite in suites::all() {
        for scenario in &suite.scenarios {
            assert_eq!(catalogue.get(scenario.id.clause()).unwrap().area, suite.area, "{}", scenario.id);
        }
    }
}

#[test]
fn scenario_ids_are_unique() {
    let mut seen = HashSet::new();
    for suite in suites::all() {
        for scenario in suite.scenarios {
            assert!(seen.insert(scenario.id.clone()), "{} stands twice", scenario.id);
        }
    }
}

/// The observable clauses of an area that nothing answers.
fn unanswered<'a>(area: &'a Area, answered: &HashSet<&str>) -> Vec<&'a str> {
    let open = |clause: &&Clause| clause.observable() && !answered.contains(clause.id.as_str());
    area.clauses.iter().filter(open).map(|clause| clause.id.as_str()).collect()
}

#[test]
fn an_area_declared_complete_has_a_scenario_for_every_observable_clause() {
    let (catalogue, suites) = (suites::catalogue(), suites::all());
    let answered = suites::answered(&suites);
    for area in catalogue.areas().iter().filter(|area| area.complete) {
        assert_eq!(
            unanswered(area, &answered),
            Vec::<&str>::new(),
            "area {} is declared complete",
            area.name
        );
    }
}

#[test]
fn a_clause_without_a_scenario_is_noticed() {
    let catalogue = suites::catalogue();
    let area = &catalogue.areas()[0];
    assert!(!unanswered(area, &HashSet::new()).is_empty());
}
