//! Runs that stop after failures, and excerpts of their reports.

use serde_json::Value;

use crate::support::{Proxy, Reference, kube_assay};

#[test]
fn a_run_stops_after_its_limit_of_failures_and_leaves_nothing() {
    let reference = Reference::right();
    let deaf = Proxy::deaf(&reference, "resourceVersionMatch=Exact");
    let program = kube_assay(&["run", "--server", &deaf.url(), "--token", reference.token()]);
    // With this seed, other scenarios follow the first one that fails.
    let program = program.with(&["--clause", "rv-list-*", "--parallel", "1", "--seed", "1", "--fail-fast"]);
    let ended = program.end().ended_with(1);

    let why = "1 scenario failed, the limit of this run";
    let summary: Value = serde_json::from_str(&ended.report("summary.json")).unwrap();
    let because = summary["because"].as_str().unwrap();
    assert!(because.ends_with(&format!("the run stopped early: {why}")), "{because}");
    assert_eq!(summary["run"]["stopped"], why);
    let clauses = summary["clauses"].as_array().unwrap();
    let reasons = clauses.iter().filter_map(|clause| clause["reason"].as_str());
    let not_run =
        reasons.filter(|reason| *reason == format!("the run ended before its scenario: {why}")).count();
    assert!(not_run > 3, "{clauses:?}");
    assert_eq!(reference.left_behind(), [""; 0]);
}

#[test]
fn known_failures_do_not_count_towards_the_limit() {
    let reference = Reference::right();
    let deaf = Proxy::deaf(&reference, "resourceVersionMatch=Exact");
    let program = kube_assay(&["run", "--server", &deaf.url(), "--token", reference.token()]);
    program.file("known.toml", "[[known_failure]]\nclause = \"rv-list-exact-*\"\nreason = \"it is deaf\"\n");
    let program = program.with(&["--clause", "rv-list-exact-*", "--max-failures", "1"]);
    let ended = program.with(&["--known-failures", "known.toml"]).end().ended_with(0);
    assert!(!ended.out.contains("stopped early"), "{}", ended.out);
}

#[test]
fn an_excerpt_shows_the_selected_clauses_and_the_conclusion_of_the_run() {
    let reference = Reference::right();
    let deaf = Proxy::deaf(&reference, "resourceVersionMatch=Exact");
    let program = kube_assay(&["run", "--server", &deaf.url(), "--token", reference.token()]);
    let ended = program.with(&["--clause", "rv-list-*-nolimit-*"]).end().ended_with(1);
    let report = |arguments: &[&str]| {
        let program = kube_assay(&["report", "events.jsonl"]).with(arguments);
        program.file("events.jsonl", &ended.report("events.jsonl"));
        program.end()
    };
    let failed = report(&["--verdict", "failed", "--area", "resource-version"]).ended_with(0);
    assert!(failed.out.contains("rv-list-exact-nolimit-nonzero") && failed.out.contains("expected"));
    assert!(!failed.out.contains("rv-list-nomatch-nolimit-unset"), "{}", failed.out);
    assert!(failed.out.contains("nonconformant"), "{}", failed.out);
    let passed = report(&["--verdict", "passed", "--clause", "rv-list-nomatch-*"]).ended_with(0);
    assert!(passed.out.contains("passed  rv-list-nomatch-nolimit-unset"), "{}", passed.out);
    let refused = report(&["--clause", "nobody-*"]).ended_with(2);
    assert!(
        refused.err.contains("no clause or scenario of this run matches \"nobody-*\""),
        "{}",
        refused.err
    );
    report(&["--clause", "rv-*", "--junit", "junit.xml"]).ended_with(2);
}
