//! Random sequences of writes: what is found is told as commands that anybody can run again.

use std::process::Command;

use serde_json::Value;

use crate::support::{Ended, Program, Reference, kube_assay};

const CLAUSE: &str = "sequence-outcomes";

fn playing(reference: &Reference, seed: &str) -> Program {
    // Where time is short, less is tried: here it must not be.
    let target = ["--server", &reference.url(), "--token", reference.token(), "--timeout", "10m"];
    kube_assay(&["run", "--profile", "full", "--clause", CLAUSE, "--skip", "*/*", "--seed", seed])
        .with(&target)
}

/// The scenario's end, as it was recorded.
fn finished(ended: &Ended) -> Value {
    let events = ended.report("events.jsonl");
    let mut events = events.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    events.find(|event| event["scenario"] == CLAUSE && event["outcome"] == "failed").unwrap()
}

/// How a script ends that asks this server.
fn played(script: &str, reference: &Reference) -> Option<i32> {
    let server = format!("S='{}'", reference.url());
    let lines = script.lines().map(|line| if line.starts_with("S=") { server.as_str() } else { line });
    let script = lines.collect::<Vec<_>>().join("\n");
    let ended = Command::new("sh").args(["-c", &script]).env("TOKEN", reference.token()).output().unwrap();
    ended.status.code()
}

#[test]
fn the_shortest_sequence_is_a_script_that_fails_on_the_same_server() {
    let (wrong, right) = (Reference::wrong(&[CLAUSE]), Reference::right());
    let ended = playing(&wrong, "7").end().ended_with(1);
    let finished = finished(&ended);
    let actual = finished["failure"]["actual"].as_str().unwrap();
    assert!(actual.contains("--profile full --seed 7 --clause sequence-outcomes"), "{actual}");
    let script =
        finished["evidence"].as_array().unwrap().last().unwrap()["curl"].as_str().unwrap().to_owned();
    assert!(ended.out.contains("part resourceVersion"), "{}", ended.out);
    assert_eq!(played(&script, &wrong), Some(1), "{script}");
    assert_eq!(played(&script, &right), Some(0), "{script}");
}

#[test]
fn the_same_seed_finds_the_same() {
    let wrong = Reference::wrong(&[CLAUSE]);
    let found = || {
        let actual = finished(&playing(&wrong, "3").end())["failure"]["actual"].clone();
        actual.as_str().unwrap().to_owned()
    };
    assert_eq!(found(), found());
}
