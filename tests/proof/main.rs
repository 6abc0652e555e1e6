//! The suites prove themselves: each clause's fault turns its scenarios red, and without a fault all are green.
//!
//! `kube-assay prove --clause PATTERN --verbose` tries only some faults, and tells what became of each.

use std::collections::HashSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use harness::{Clause, Level};
use serde_json::Value;

/// The proof is played once, and all that it writes is held against what is expected of it.
#[test]
fn the_proof_holds_and_its_page_is_the_one_in_the_docs() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let proof = Command::new(env!("CARGO_BIN_EXE_kube-assay"))
        .arg("prove")
        .arg("--output-dir")
        .arg(folder.path())
        .output();
    let proof = proof.expect("the program starts");
    let (out, err) = (String::from_utf8_lossy(&proof.stdout), String::from_utf8_lossy(&proof.stderr));
    assert_eq!(proof.status.code(), Some(0), "{err}\n{out}");

    let matrix = read(&folder.path().join("matrix.json"));
    let matrix: Value = serde_json::from_str(&matrix).expect("the matrix is JSON");
    let rules = include_str!("../../reports/schema/mutation-matrix.json");
    let rules = serde_json::from_str(rules).expect("the schema is JSON");
    jsonschema::validate(&rules, &matrix).expect("the matrix is what its schema says");

    let seen = read(&folder.path().join("matrix.md"));
    let page = read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/matrix.md"));
    let unlike = seen.lines().zip(page.lines()).find(|(seen, page)| seen != page);
    assert_eq!(unlike, None, "docs/matrix.md is not what was seen: run `cargo ci matrix`");
    assert_eq!(
        seen.lines().count(),
        page.lines().count(),
        "docs/matrix.md is not what was seen: run `cargo ci matrix`"
    );
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|why| panic!("{}: {why}", path.display()))
}

fn without_fault(of: impl Fn(&Clause) -> bool) -> Vec<String> {
    let faults: HashSet<_> = reference::faults().map(|fault| fault.name).collect();
    let catalogue = suites::catalogue();
    let unbroken = catalogue.clauses().filter(|clause| clause.observable() && of(clause));
    let unbroken = unbroken.filter(|clause| !faults.contains(clause.id.as_str()));
    unbroken.map(|clause| clause.id.to_string()).collect()
}

#[test]
fn every_observable_clause_of_a_complete_area_has_a_fault() {
    let catalogue = suites::catalogue();
    let complete: HashSet<_> =
        catalogue.areas().iter().filter(|area| area.complete).map(|area| area.name.as_str()).collect();
    assert_eq!(without_fault(|clause| complete.contains(clause.area.as_str())), [""; 0]);
}

#[test]
fn every_observable_must_of_an_area_with_scenarios_has_a_fault() {
    let areas: HashSet<_> = suites::all().iter().map(|suite| suite.area).collect();
    let must = |clause: &Clause| clause.level == Level::Must && areas.contains(clause.area.as_str());
    assert_eq!(without_fault(must), [""; 0]);
}

#[test]
fn there_are_as_many_faults_and_bugs_as_are_promised() {
    assert!(reference::faults().count() >= 300);
    assert!(reference::bugs().count() >= 30);
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

#[test]
fn every_bug_stands_once_and_names_its_thread_and_clauses_that_are_asked() {
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
