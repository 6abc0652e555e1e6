//! Checks of the lists of faults and bugs, without playing them.

use std::collections::HashSet;

use harness::{Clause, Level};
use libtest_mimic::Trial;

/// One test case per check.
pub(crate) fn trials() -> Vec<Trial> {
    let checks: [(&str, fn()); 4] = [
        ("every_observable_clause_of_a_complete_area_has_a_fault", complete_areas_have_faults),
        ("every_observable_must_of_an_area_with_scenarios_has_a_fault", musts_have_faults),
        ("every_fault_has_the_name_of_a_clause_once", fault_names_are_unique_clauses),
        ("every_bug_is_unique_with_a_thread_and_clauses_with_scenarios", bugs_are_complete),
    ];
    let trial = |(name, check): (&str, fn())| {
        Trial::test(format!("catalogue::{name}"), move || {
            check();
            Ok(())
        })
    };
    checks.into_iter().map(trial).collect()
}

fn without_fault(of: impl Fn(&Clause) -> bool) -> Vec<String> {
    let faults: HashSet<_> = reference::faults().map(|fault| fault.name).collect();
    let catalogue = suites::catalogue();
    let unbroken = catalogue.clauses().filter(|clause| clause.observable() && of(clause));
    let unbroken = unbroken.filter(|clause| !faults.contains(clause.id.as_str()));
    unbroken.map(|clause| clause.id.to_string()).collect()
}

fn complete_areas_have_faults() {
    let catalogue = suites::catalogue();
    let complete: HashSet<_> =
        catalogue.areas().iter().filter(|area| area.complete).map(|area| area.name.as_str()).collect();
    assert_eq!(without_fault(|clause| complete.contains(clause.area.as_str())), [""; 0]);
}

fn musts_have_faults() {
    let areas: HashSet<_> = suites::all().iter().map(|suite| suite.area).collect();
    let must = |clause: &Clause| clause.level == Level::Must && areas.contains(clause.area.as_str());
    assert_eq!(without_fault(must), [""; 0]);
}

fn fault_names_are_unique_clauses() {
    let catalogue = suites::catalogue();
    let mut seen = HashSet::new();
    for fault in reference::faults() {
        assert!(catalogue.get(fault.name).is_some(), "there is no clause {}", fault.name);
        assert!(seen.insert(fault.name), "{} is duplicated", fault.name);
    }
}

fn bugs_are_complete() {
    let suites = suites::all();
    let with_scenarios = suites::tested_clauses(&suites);
    let mut seen = HashSet::new();
    for bug in reference::bugs() {
        let name = bug.fault.name;
        assert!(seen.insert(name), "{name} is duplicated");
        assert!(bug.thread.starts_with("https://github.com/"), "{name}: {}", bug.thread);
        assert!(!bug.clauses.is_empty(), "{name} has no clauses");
        for clause in bug.clauses {
            assert!(with_scenarios.contains(clause), "{name}: no scenario tests {clause}");
        }
    }
}
