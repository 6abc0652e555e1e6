//! What must hold of the lists of faults and bugs, before any of them is played.

use std::collections::HashSet;

use harness::{Clause, Level};
use libtest_mimic::Trial;

/// A test case for each.
pub(crate) fn trials() -> Vec<Trial> {
    let checks: [(&str, fn()); 4] = [
        ("every_observable_clause_of_a_complete_area_has_a_fault", of_complete_areas),
        ("every_observable_must_of_an_area_with_scenarios_has_a_fault", of_musts),
        ("every_fault_is_named_after_a_clause_and_stands_once", of_names),
        ("every_bug_stands_once_and_names_its_thread_and_clauses_that_are_asked", of_bugs),
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

fn of_complete_areas() {
    let catalogue = suites::catalogue();
    let complete: HashSet<_> =
        catalogue.areas().iter().filter(|area| area.complete).map(|area| area.name.as_str()).collect();
    assert_eq!(without_fault(|clause| complete.contains(clause.area.as_str())), [""; 0]);
}

fn of_musts() {
    let areas: HashSet<_> = suites::all().iter().map(|suite| suite.area).collect();
    let must = |clause: &Clause| clause.level == Level::Must && areas.contains(clause.area.as_str());
    assert_eq!(without_fault(must), [""; 0]);
}

fn of_names() {
    let catalogue = suites::catalogue();
    let mut seen = HashSet::new();
    for fault in reference::faults() {
        assert!(catalogue.get(fault.name).is_some(), "there is no clause {}", fault.name);
        assert!(seen.insert(fault.name), "{} stands twice", fault.name);
    }
}

fn of_bugs() {
    let suites = suites::all();
    let answered = suites::answered(&suites);
    let mut seen = HashSet::new();
    for bug in reference::bugs() {
        let name = bug.fault.name;
        assert!(seen.insert(name), "{name} stands twice");
        assert!(bug.thread.starts_with("https://github.com/"), "{name}: {}", bug.thread);
        assert!(!bug.clauses.is_empty(), "{name} is noticed by nobody");
        for clause in bug.clauses {
            assert!(answered.contains(clause), "{name}: nothing asks about {clause}");
        }
    }
}
