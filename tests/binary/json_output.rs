//! `-o json`: one document on standard output, and nothing else.

use serde_json::Value;

use crate::support::{Program, Proxy, Reference, kube_assay};

/// The document, which matches its schema.
fn document(program: Program, schema: &str, code: i32) -> Value {
    let ended = program.end().ended_with(code);
    let document = serde_json::from_str(&ended.out).unwrap();
    jsonschema::validate(&serde_json::from_str(schema).unwrap(), &document).unwrap();
    document
}

#[test]
fn a_run_writes_its_summary() {
    let reference = Reference::right();
    let ended = Program::testing_reference(&reference).with(&["-o", "json"]).end().ended_with(0);
    assert_eq!(ended.out, ended.report("summary.json"));
    assert!(ended.err.contains("tests"), "{}", ended.err);
    Program::testing_reference(&reference).with(&["--format", "json", "--tap"]).end().ended_with(2);
}

#[test]
fn two_runs_are_compared() {
    let reference = Reference::right();
    let deaf = Proxy::deaf(&reference, "resourceVersionMatch=Exact");
    let clause = "rv-list-exact-nolimit-nonzero";
    let run = |url: &str| {
        let program = kube_assay(&["run", "--server", url, "--token", reference.token(), "--clause", clause]);
        program.end().report("summary.json")
    };
    let program = kube_assay(&["compare", "base.json", "new.json", "-o", "json"]);
    program.file("base.json", &run(&reference.url()));
    program.file("new.json", &run(&deaf.url()));
    let compared = document(program, include_str!("../../reports/schema/comparison.json"), 1);
    let change = &compared["changes"][0];
    assert_eq!((&change["scenario"], &change["change"]), (&clause.into(), &"failing".into()));
    assert_eq!(change["fails"], true);
}

#[test]
fn two_load_runs_are_compared() {
    let load = || {
        let program = kube_assay(&["load", "crud-mix", "--duration", "1s", "--warm-up", "100ms"]);
        program.with(&["--objects", "20", "-o", "json"]).end()
    };
    let (base, new) = (load(), load());
    assert_eq!(base.out, base.report("summary.json"));
    let program = kube_assay(&["compare", "base.json", "new.json", "-o", "json"]);
    program.file("base.json", &base.out);
    program.file("new.json", &new.out);
    let compared = document(program, include_str!("../../reports/schema/load-comparison.json"), 0);
    assert!(!compared["changes"].as_array().unwrap().is_empty());
}

#[test]
fn a_clause_and_the_version_are_documents() {
    let clause = document(
        kube_assay(&["explain", "rv-list-exact-nolimit-nonzero", "-o", "json"]),
        include_str!("../../reports/schema/clause.json"),
        0,
    );
    assert_eq!(clause["level"], "must");
    assert!(clause["scenarios"].as_array().unwrap().len() > 1);
    let schema = include_str!("../../reports/schema/version.json");
    let version = document(kube_assay(&["version", "-o", "json"]), schema, 0);
    assert_eq!(version["version"], env!("CARGO_PKG_VERSION"));
    assert!(kube_assay(&["version"]).end().ended_with(0).out.starts_with("kube-assay "));
}
