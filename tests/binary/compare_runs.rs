//! `compare` of conformance runs: new failures, fixed failures, and scenarios that no longer run.

use std::path::Path;

use serde_json::{Value, json};

use crate::support::{Ended, Proxy, Reference, kube_assay};

const EXACT: &str = "rv-list-exact-nolimit-nonzero";

fn ran(url: &str, reference: &Reference, clause: &str) -> Ended {
    kube_assay(&["run", "--server", url, "--token", reference.token(), "--clause", clause]).end()
}

fn compared(arguments: &[&Path]) -> Ended {
    let arguments: Vec<&str> = arguments.iter().map(|path| path.to_str().unwrap()).collect();
    kube_assay(&["compare"]).with(&arguments).end()
}

#[test]
fn conformance_runs_are_compared_scenario_by_scenario() {
    let reference = Reference::right();
    let proxy = Proxy::deaf(&reference, "resourceVersionMatch=Exact");
    let good = ran(&reference.url(), &reference, "rv-list-exact-*").ended_with(0);
    let bad = ran(&proxy.url(), &reference, "rv-list-exact-*").ended_with(1);
    let few = ran(&reference.url(), &reference, EXACT).ended_with(0);
    let (good, bad, few) = (good.reports(), bad.reports(), few.reports());

    let worse = compared(&[&good, &bad]).ended_with(1);
    assert!(worse.out.contains("newly failing"), "{}", worse.out);
    assert!(worse.out.contains(&format!("{EXACT}  passed → failed")), "{}", worse.out);
    let better = compared(&[&bad, &good]).ended_with(0);
    assert!(better.out.contains("fixed") && !better.out.contains("newly"), "{}", better.out);
    let less = compared(&[&good, &few]).ended_with(0);
    assert!(
        less.out.contains("newly skipped") && less.out.contains("passed → not in this run"),
        "{}",
        less.out
    );
    let same = compared(&[&bad, &bad]).ended_with(0);
    assert!(same.out.contains("nothing changed in"), "{}", same.out);

    // However the runs are named.
    let (summary, events) = (good.join("summary.json"), good.join("events.jsonl"));
    assert_eq!(compared(&[&summary, &bad]).ended_with(1).out, worse.out);
    assert_eq!(compared(&[&events, &bad.join("events.jsonl")]).ended_with(1).out, worse.out);
    let since = compared(&[&bad, Path::new("--changed-since"), &events]);
    assert_eq!(since.ended_with(1).out, worse.out);
}

#[test]
fn a_run_that_was_cut_off_leaves_the_comparison_open() {
    let reference = Reference::right();
    let run = ran(&reference.url(), &reference, EXACT).ended_with(0);
    let events = run.report("events.jsonl");
    let without_end: String =
        events.lines().filter(|line| !line.contains("run_finished")).collect::<Vec<_>>().join("\n");
    let program = kube_assay(&["compare", "base.jsonl", "new.jsonl"]);
    program.file("base.jsonl", &events);
    program.file("new.jsonl", &(without_end + "\n"));
    insta::assert_snapshot!(program.end().error());
}

#[test]
fn runs_without_a_common_scenario_are_not_compared() {
    let reference = Reference::right();
    let run = |clause| ran(&reference.url(), &reference, clause).ended_with(0);
    let (exact, bookmarks) = (run(EXACT), run("bookmarks-event-exists"));
    let mut empty: Value = serde_json::from_str(&exact.report("summary.json")).unwrap();
    empty["clauses"] = json!([]);
    let empty_file = exact.reports().join("empty.json");
    std::fs::write(&empty_file, empty.to_string()).unwrap();
    for (new, expected) in [
        (&bookmarks.reports(), "no scenario ran in both runs"),
        (&empty_file, "empty.json: it contradicts itself: it counts 1 clause as passed, and has 0"),
    ] {
        let ended = compared(&[&exact.reports(), new]).ended_with(3);
        assert!(ended.error().contains(expected), "{}", ended.error());
    }
}

#[test]
fn a_recording_that_lost_a_result_is_named() {
    let reference = Reference::right();
    let run = ran(&reference.url(), &reference, EXACT).ended_with(0);
    let events = run.report("events.jsonl");
    let lines = events.split_inclusive('\n');
    let rest: String = lines.filter(|line| !line.contains("scenario_finished")).collect();
    let lost = run.reports().join("lost.jsonl");
    std::fs::write(&lost, rest).unwrap();
    let reported = kube_assay(&["report", &lost.display().to_string()]).end().ended_with(3);
    assert!(
        reported.error().contains("lost.jsonl is damaged: it has lost the results of"),
        "{}",
        reported.error()
    );
    assert!(reported.out.contains("inconclusive: the recording has lost the results of"), "{}", reported.out);
    compared(&[&run.reports(), &lost]).ended_with(3);
    // The folder stands for its recording.
    kube_assay(&["report", &run.reports().display().to_string()]).end().ended_with(0);
}

#[test]
fn what_cannot_be_compared_is_refused() {
    let mut errors = Vec::new();
    let reference = Reference::right();
    let run = ran(&reference.url(), &reference, EXACT).ended_with(0);
    let reports = run.reports();
    errors.push(compared(&[&reports]).error());
    errors.push(compared(&[&reports, &reports, Path::new("--max-regression=5%")]).error());
    errors.push(compared(&[&reports, &reports, Path::new("--changed-since"), &reports]).error());
    let later = run.report("summary.json").replacen("\"format\": 2", "\"format\": 9", 1);
    let program = kube_assay(&["compare", "base.json", "base.json"]);
    program.file("base.json", &later);
    errors.push(program.end().error());
    insta::assert_snapshot!(errors.join("\n"));
}
