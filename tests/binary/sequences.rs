//! Random sequences of writes: a failure prints commands that reproduce it.

use std::process::Command;

use serde_json::Value;

use crate::support::{Ended, Program, Reference, kube_assay};

fn playing(clause: &str, reference: &Reference, seed: &str) -> Program {
    // Where time is short, less is tried: here it must not be.
    let target = ["--server", &reference.url(), "--token", reference.token(), "--scenario-timeout", "10m"];
    kube_assay(&["run", "--profile", "full", "--clause", clause, "--skip", "*/*", "--seed", seed])
        .with(&target)
}

/// The scenario's end, as it was recorded.
fn finished(clause: &str, ended: &Ended) -> Value {
    let events = ended.report("events.jsonl");
    let mut events = events.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    events.find(|event| event["scenario"] == clause && event["outcome"] == "failed").unwrap()
}

/// The exit code of a script that runs against this server.
fn played(script: &str, reference: &Reference) -> Option<i32> {
    let server = format!("S='{}'", reference.url());
    let lines = script.lines().map(|line| if line.starts_with("S=") { server.as_str() } else { line });
    let script = lines.collect::<Vec<_>>().join("\n");
    let ended = Command::new("sh").args(["-c", &script]).env("TOKEN", reference.token()).output().unwrap();
    ended.status.code()
}

fn expect_a_script_that_fails_on_the_same_server(clause: &str) {
    let (wrong, right) = (Reference::wrong(&[clause]), Reference::right());
    let ended = playing(clause, &wrong, "7").end().ended_with(1);
    let finished = finished(clause, &ended);
    let actual = finished["failure"]["actual"].as_str().unwrap();
    assert!(actual.contains(&format!("--profile full --seed 7 --clause {clause}")), "{actual}");
    let script =
        finished["evidence"].as_array().unwrap().last().unwrap()["curl"].as_str().unwrap().to_owned();
    assert!(ended.out.contains("part resourceVersion"), "{}", ended.out);
    assert_eq!(played(&script, &wrong), Some(1), "{script}");
    assert_eq!(played(&script, &right), Some(0), "{script}");
}

#[test]
fn the_shortest_sequence_is_a_script_that_fails_on_the_same_server() {
    expect_a_script_that_fails_on_the_same_server("sequence-outcomes");
}

#[test]
fn a_script_finds_missing_causes() {
    expect_a_script_that_fails_on_the_same_server("apply-sequence-conflicts");
}

#[test]
fn a_script_finds_missing_owners() {
    expect_a_script_that_fails_on_the_same_server("apply-sequence-owners");
}

#[test]
fn the_same_seed_finds_the_same() {
    for clause in ["sequence-outcomes", "apply-sequence-values"] {
        let wrong = Reference::wrong(&[clause]);
        let found = || {
            let actual = finished(clause, &playing(clause, &wrong, "3").end())["failure"]["actual"].clone();
            actual.as_str().unwrap().to_owned()
        };
        assert_eq!(found(), found());
    }
}
