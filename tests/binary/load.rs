//! `load`: small runs against the reference, every event counted, and the errors for bad input.

use std::fs;

use loadgen::workload::Workload;
use serde_json::Value;

use crate::load_wrong_responses::CREATES;
use crate::support::http::response;
use crate::support::{Ended, Program, Proxy, Reference, Reply, kube_assay, session};

/// A small run of a workload against a reference.
pub(crate) fn loading(workload: &str, reference: &Reference) -> Program {
    facing(workload, &reference.url(), reference)
}

pub(crate) fn facing(workload: &str, url: &str, reference: &Reference) -> Program {
    kube_assay(&["load", workload, "--server", url, "--token", reference.token(), "--seed", "7"])
}

/// The run in the summary, which matches its schema.
pub(crate) fn run(ended: &Ended) -> Value {
    let summary: Value = serde_json::from_str(&ended.report("summary.json")).unwrap();
    let schema = include_str!("../../reports/schema/load-summary.json");
    jsonschema::validate(&serde_json::from_str(schema).unwrap(), &summary).unwrap();
    summary["run"].clone()
}

/// How many attempts of a verb were measured from their intended start.
pub(crate) fn count(run: &Value, verb: &str, kind: &str) -> u64 {
    let series = run["series"].as_array().unwrap().iter();
    let named = series.filter(|series| series["verb"] == verb && series["kind"] == kind);
    named.map(|series| series["count"].as_u64().unwrap()).sum()
}

/// The series of a run that two servers are compared by.
fn compared(run: &Value) -> Vec<String> {
    let series = run["series"].as_array().unwrap().iter();
    let compared = series
        .filter(|series| ["latency", "lag-sent", "synced"].contains(&series["kind"].as_str().unwrap()))
        .filter(|series| series["variant"] != "slow");
    let name = |series: &Value| {
        let words = ["verb", "resource", "scope", "kind", "variant"].map(|word| series[word].as_str());
        words.into_iter().flatten().collect::<Vec<_>>().join(" ")
    };
    let mut names: Vec<String> = compared.map(name).collect();
    names.sort();
    names
}

/// The same, before the first request.
fn foreseen(workload: &str) -> Vec<String> {
    let series = Workload::named(workload).unwrap().compared("configmaps");
    let mut names: Vec<String> = series.iter().map(ToString::to_string).collect();
    names.sort();
    names
}

#[test]
fn a_result_names_its_commit_and_its_workload() {
    let reference = Reference::right();
    let small = ["--objects", "20", "--rate", "20", "--duration", "1s", "--http2"];
    let digest = |extra: &[&str]| {
        let ended = loading("crud-mix", &reference).with(&small).with(extra).env("PROW_JOB_ID", "p");
        let ended = ended.env("PULL_BASE_SHA", "1f2e").end();
        let run = run(&ended);
        (run["labels"].clone(), run["workload"]["digest"].as_str().unwrap().to_owned())
    };
    let (labels, one) = digest(&["--label-from-ci", "--label", "branch=main"]);
    assert_eq!(labels, serde_json::json!({ "branch": "main", "commit": "1f2e" }));
    let (labels, same) = digest(&[]);
    assert_eq!((labels, one.len()), (Value::Null, 64));
    assert_eq!(same, one);
    let (_, other) = digest(&["--size", "2k"]);
    assert_ne!(other, one);
}

#[test]
fn every_write_of_a_fan_out_reaches_every_watch() {
    let reference = Reference::right();
    let small = ["--watches", "20", "--objects", "80", "--rate", "25", "--http2", "--duration", "2s"];
    let rules = ["--threshold", "delivered=100%", "--threshold", "lost=0"];
    let ended = loading("watch-fanout", &reference).with(&small).with(&rules).end().ended_with(0);
    let run = run(&ended);
    let starts = &run["starts"];
    assert_eq!((starts["planned"].as_u64(), starts["dropped"].as_u64()), (Some(50), Some(0)), "{starts}");
    assert_eq!(count(&run, "PATCH", "latency"), 50);
    let deliveries = &run["deliveries"];
    assert_eq!(deliveries["expected"], 50 * 20, "{deliveries}");
    assert_eq!(deliveries["delivered"], 50 * 20, "{deliveries}");
    assert_eq!(count(&run, "WATCH", "lag-sent"), 50 * 20);
    for text in ["watch-fanout", "delivery lag", "PATCH configmaps", "2 thresholds met"] {
        assert!(ended.out.contains(text), "no {text:?} in: {}", ended.out);
    }
    for file in ["summary.json", "junit.xml", "latency.hlog", "report.html"] {
        assert!(!ended.report(file).is_empty(), "{file}");
    }
    assert_eq!(reference.left_behind(), [""; 0]);
}

#[test]
fn every_workload_runs_and_leaves_nothing_behind() {
    for workload in ["large-list", "crud-mix", "apply-storm", "slow-watcher", "relist-storm", "watch-list"] {
        let reference = Reference::right();
        let small = ["--objects", "40", "--http2", "--drain", "3s", "--duration", "5s"];
        let ended = loading(workload, &reference).with(&small).end().ended_with(0);
        let run = run(&ended);
        assert_eq!(run["workload"]["name"], workload);
        assert!(run.get("partial").is_none() && run.get("breaches").is_none(), "{workload}: {}", ended.out);
        assert_eq!(compared(&run), foreseen(workload), "{workload}");
        let summary: Value = serde_json::from_str(&ended.report("summary.json")).unwrap();
        assert_eq!(summary["verdict"], "not-judged", "{workload}: {}", ended.out);
        assert_eq!(reference.left_behind(), [""; 0], "{workload}");
    }
}

#[test]
fn a_mix_is_accounted_to_the_last_request() {
    let reference = Reference::right();
    let small = ["--objects", "150", "--rate", "100", "--duration", "2s"];
    let ended = loading("crud-mix", &reference).with(&small).end().ended_with(0);
    let run = run(&ended);
    let verbs = ["GET", "LIST", "POST", "PUT", "PATCH", "DELETE"];
    let all: u64 = verbs.iter().map(|verb| count(&run, verb, "latency")).sum();
    assert_eq!((run["starts"]["planned"].as_u64(), all), (Some(200), 200), "{}", run["starts"]);
    assert!(verbs.iter().all(|verb| count(&run, verb, "latency") > 0), "{}", ended.out);
}

#[test]
fn appliers_of_one_field_are_in_conflict_and_that_is_no_error() {
    let reference = Reference::right();
    let small = ["--threshold", "errors<=0%", "--duration", "2s"];
    let ended = loading("apply-storm", &reference).with(&small).end().ended_with(0);
    let run = run(&ended);
    let series = run["series"].as_array().unwrap().iter().filter(|series| series["kind"] == "latency");
    let conflicts = |variant: &str| -> u64 {
        let named = series.clone().filter(|series| series["variant"] == variant);
        named.map(|series| series["conflicts"].as_u64().unwrap_or(0)).sum()
    };
    assert!(conflicts("shared") > 0 && conflicts("separate") == 0, "{}", ended.out);
    assert!(ended.out.contains("conflicts of APPLY configmaps resource shared: "), "{}", ended.out);
}

#[test]
fn an_unsupported_operation_misses_the_default_threshold() {
    let reference = Reference::right();
    let proxy = Proxy::before(&reference, |request| match request.target().0 {
        "PATCH" => Reply::Bytes(response("415 Unsupported Media Type", "application/json", "{}")),
        _ => Reply::Pass,
    });
    let ended =
        facing("apply-storm", &proxy.url(), &reference).with(&["--duration", "1s"]).end().ended_with(1);
    for text in ["1 default threshold missed", "every attempt failed", "415 × "] {
        assert!(ended.out.contains(text), "no {text:?} in: {}", ended.out);
    }
}

#[test]
fn a_write_that_is_never_delivered_is_a_broken_rule() {
    let reference = Reference::wrong(&["rv-watch-exact-complete"]);
    let small = ["--watches", "5", "--objects", "5", "--rate", "20", "--http2", "--duration", "2s"];
    let ended =
        loading("watch-fanout", &reference).with(&small).with(&["--drain", "1s", "--warm-up", "1ms"]).end();
    let ended = ended.ended_with(1);
    assert!(ended.out.contains("broken") && ended.out.contains("lost"), "{}", ended.out);
}

#[test]
fn a_missed_threshold_ends_in_1_and_may_stop_the_run() {
    let reference = Reference::right();
    let rules = ["--threshold", "p50<1us for GET", "--abort-on-miss", "--duration", "60s"];
    let target = ["load", "crud-mix", "--server", &reference.url(), "--token", reference.token()];
    let ended =
        kube_assay(&target).with(&rules).with(&["--objects", "20", "--rate", "200"]).end().ended_with(1);
    let run = run(&ended);
    assert!(run["partial"].as_str().unwrap().contains("p50<1us for GET"), "{}", run["partial"]);
    assert_eq!(reference.left_behind(), [""; 0]);
}

#[test]
fn refused_credentials_stop_a_run_that_is_to_stop_at_a_miss() {
    let reference = Reference::right();
    let refused = || Reply::Bytes(response("401 Unauthorized", "application/json", "{}"));
    let proxy = Proxy::before(&reference, move |request| match request.target() {
        ("GET", path) if path.contains("/configmaps/o") => refused(),
        _ => Reply::Pass,
    });
    let rules = ["--threshold", "errors<1% for GET", "--abort-on-miss", "--duration", "60s"];
    let small = ["--objects", "20", "--rate", "200"];
    let ended = facing("crud-mix", &proxy.url(), &reference).with(&rules).with(&small).end().ended_with(3);
    let partial = run(&ended)["partial"].as_str().unwrap().to_owned();
    let expected = "stopped because the server refused the credentials, which leaves a threshold open";
    assert!(partial.starts_with(&format!("{expected} (errors<1% for GET")), "{partial}");
    assert_eq!(reference.left_behind(), [""; 0]);
}

#[test]
fn refused_credentials_stop_a_run_whose_thresholds_for_times_have_no_value() {
    let reference = Reference::right();
    let refused = || Reply::Bytes(response("401 Unauthorized", "application/json", "{}"));
    let proxy = Proxy::before(&reference, move |request| match request.target() {
        ("GET", path) if path.contains("/configmaps/o") => refused(),
        _ => Reply::Pass,
    });
    let rules = ["--threshold", "p99<=1s", "--abort-on-miss", "--duration", "60s", "--rate", "200"];
    let program = facing("gets.toml", &proxy.url(), &reference).with(&rules);
    program.file("gets.toml", &CREATES.replace("verb = \"create\"\n", "verb = \"get\"\n"));
    let ended = program.end().ended_with(3);
    let partial = run(&ended)["partial"].as_str().unwrap().to_owned();
    assert!(partial.starts_with("stopped because the server refused the credentials"), "{partial}");
    assert!(partial.contains("(p99<=1s, was nothing)"), "{partial}");
    assert_eq!(reference.left_behind(), [""; 0]);
}

#[test]
fn two_runs_of_a_workload_have_the_same_seed_and_are_compared() {
    let reference = Reference::right();
    let target = ["load", "crud-mix", "--server", &reference.url(), "--token", reference.token()];
    let small = ["--objects", "20", "--warm-up", "1ms", "--duration", "500ms"];
    let [one, other] = [(); 2].map(|()| kube_assay(&target).with(&small).end().ended_with(0));
    assert_eq!(run(&one)["seed"], Workload::named("crud-mix").unwrap().seed());
    let folders = [one.reports(), other.reports()].map(|folder| folder.to_str().unwrap().to_owned());
    let compared = kube_assay(&["compare", &folders[0], &folders[1]]).end().ended_with(0);
    assert!(compared.out.contains("One run of each server"), "{}", compared.out);
}

#[test]
fn an_invalid_command_line_is_rejected_before_the_first_request() {
    let calls: &[&[&str]] = &[
        &["load", "watch-fanuot"],
        &["load", "gone.toml"],
        &["load", "watch-fanout", "--objects", "0"],
        &["load", "watch-fanout", "--rate", "0"],
        &["load", "watch-list", "--rate", "5"],
        &["load", "crud-mix", "--watches", "5"],
        &["load", "crud-mix", "--size", "2M"],
        &["load", "crud-mix", "--template", "gone.json"],
        &["load", "crud-mix", "--threshold", "p99<500"],
        &["load", "crud-mix", "--threshold", "speed<1s"],
        &["load", "crud-mix", "--slo", "k8s"],
        &["load", "crud-mix", "--threshold", "p99<1s for LIST pods"],
    ];
    insta::assert_snapshot!(session(calls));
}

#[test]
fn a_workload_and_a_template_may_come_from_files() {
    let reference = Reference::right();
    let program = loading("own.toml", &reference).with(&["--template", "own.json"]);
    let text = include_str!("../../loadgen/workloads/crud-mix.toml").replace("\"crud-mix\"", "\"own\"");
    program.file("own.toml", &text);
    program.file(
        "own.json",
        r#"{"apiVersion":"v1","kind":"Secret","type":"Opaque","metadata":{"labels":{"a":"b"}}}"#,
    );
    let ended = program.with(&["--objects", "10", "--duration", "2s"]).end().ended_with(0);
    let run = run(&ended);
    assert_eq!((&run["workload"]["name"], count(&run, "GET", "latency") > 0), (&Value::from("own"), true));
    assert!(ended.out.contains("GET secrets"), "{}", ended.out);
}

#[test]
fn workloads_are_listed_with_what_they_model() {
    let listed = kube_assay(&["list", "workloads"]).end().ended_with(0);
    for name in fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/loadgen/workloads")).unwrap() {
        let name = name.unwrap().path().file_stem().unwrap().to_string_lossy().into_owned();
        assert!(listed.out.contains(&name), "no {name} in: {}", listed.out);
    }
}
