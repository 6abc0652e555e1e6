//! The catalogue and the suites fit together.

use std::collections::{BTreeSet, HashSet};

use harness::{Area, Clause, Level, Turn};

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
fn every_scenario_and_invariant_check_has_clauses_of_the_catalogue() {
    let (catalogue, suites) = (suites::catalogue(), suites::all());
    let unknown: Vec<_> =
        suites::tested_clauses(&suites).into_iter().filter(|id| catalogue.get(id).is_none()).collect();
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

/// A probe must run in every profile and beside others, and its failure must show.
#[test]
fn every_probe_is_a_basic_scenario_that_runs_beside_others() {
    let (catalogue, suites) = (suites::catalogue(), suites::all());
    for (clause, capability) in suites::probes::PROBES {
        let of_clause = || suites.iter().flat_map(|suite| &suite.scenarios);
        let probing: Vec<_> = of_clause().filter(|one| one.id.clause() == *clause).collect();
        assert!(!probing.is_empty(), "{clause} has no scenario");
        for one in probing {
            assert!(one.probes.contains(capability), "{} does not probe {capability:?}", one.id);
            assert!(one.turn == Turn::Any && !one.full_only, "{} does not run beside others", one.id);
        }
        assert_ne!(catalogue.get(clause).unwrap().level, Level::May, "{clause}");
    }
}

#[test]
fn the_basic_profile_has_core_clauses_with_scenarios() {
    let (catalogue, suites) = (suites::catalogue(), suites::all());
    let tested = suites::tested_clauses(&suites);
    let probes = |clause: &Clause| suites::probes::PROBES.iter().any(|(id, _)| *id == clause.id.as_str());
    let basic: Vec<_> = catalogue.clauses().filter(|clause| clause.basic).collect();
    for clause in &basic {
        assert!(clause.level == Level::Must || probes(clause), "{} is no must", clause.id);
        assert!(clause.feature.is_empty() && clause.observable(), "{} is not of the core", clause.id);
        assert!(tested.contains(clause.id.as_str()), "no scenario tests {}", clause.id);
    }
    let heavy = suites.iter().flat_map(|suite| &suite.scenarios).filter(|scenario| scenario.full_only);
    let heavy = heavy.filter_map(|scenario| scenario.clauses.first());
    let heavy: Vec<_> = heavy.filter(|id| basic.iter().any(|clause| clause.id == **id)).collect();
    assert!(heavy.is_empty(), "too heavy: {heavy:?}");
    assert!((130..=170).contains(&basic.len()), "about 150, not {}", basic.len());
}

/// The observable clauses of an area without a scenario.
fn without_scenario<'a>(area: &'a Area, tested: &HashSet<&str>) -> Vec<&'a str> {
    let open = |clause: &&Clause| clause.observable() && !tested.contains(clause.id.as_str());
    area.clauses.iter().filter(open).map(|clause| clause.id.as_str()).collect()
}

#[test]
fn an_area_declared_complete_has_a_scenario_for_every_observable_clause() {
    let (catalogue, suites) = (suites::catalogue(), suites::all());
    let tested = suites::tested_clauses(&suites);
    for area in catalogue.areas().iter().filter(|area| area.complete) {
        assert_eq!(
            without_scenario(area, &tested),
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
    assert!(!without_scenario(area, &HashSet::new()).is_empty());
}
