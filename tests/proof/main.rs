//! The suites prove themselves: each clause's fault turns a scenario red, and without a fault all are green.
//!
//! `kube-assay prove --clause PATTERN --verbose` tries only some faults, and tells what became of each.

use std::collections::HashSet;
use std::process::Command;

#[test]
fn every_fault_is_caught_and_the_right_server_passes() {
    let proof = Command::new(env!("CARGO_BIN_EXE_kube-assay")).arg("prove").output();
    let proof = proof.expect("the program starts");
    let (out, err) = (String::from_utf8_lossy(&proof.stdout), String::from_utf8_lossy(&proof.stderr));
    assert_eq!(proof.status.code(), Some(0), "{err}\n{out}");
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
