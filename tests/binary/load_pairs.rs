//! `load --against`: two servers in turn.

use std::time::Duration;

use crate::load::loading;
use crate::support::{Front, Reference, Reply, kube_assay};

/// A mix that is over soon.
const QUICK: [&str; 10] =
    ["--objects", "10", "--rate", "100", "--warm-up", "1ms", "--duration", "500ms", "--drain", "2s"];

#[test]
fn a_server_beside_itself_and_what_too_few_pairs_can_tell() {
    let (one, other) = (Reference::right(), Reference::right());
    let against = format!("--server {} --token {}", other.url(), other.token());
    let program = loading("crud-mix", &one).with(&QUICK).with(&["--against", &against, "--pairs", "2"]);
    let ended = program.with(&["--max-regression", "10%"]).end();
    ended.complains(3, &["give more --pairs"]);
    for text in ["median of pairs", "GET configmaps resource, latency p50", "needs at least"] {
        assert!(ended.out.contains(text), "no {text:?} in: {}", ended.out);
    }
    for folder in ["base-1", "new-1", "base-2", "new-2"] {
        assert!(ended.reports().join(folder).join("summary.json").exists(), "{folder}");
    }
    assert_eq!((one.left_behind().len(), other.left_behind().len()), (0, 0));
}

#[test]
fn a_slower_server_is_surely_worse() {
    let (fast, slow) = (Reference::right(), Reference::right());
    let front = Front::before(&slow, |request| {
        if matches!(request.asks(), ("GET", path) if path.contains("/configmaps/o")) {
            std::thread::sleep(Duration::from_millis(300));
        }
        Reply::Pass
    });
    let against = format!("--server {} --token {}", fast.url(), fast.token());
    let program = crate::load::facing("own.toml", &front.url(), &slow);
    program.file("own.toml", GETS);
    let ended = program.with(&["--against", &against, "--pairs", "8", "--max-regression", "10%"]).end();
    let ended = ended.ended_with(1);
    assert!(ended.out.contains("worse"), "{}", ended.out);
}

/// Nothing but reads: two numbers, for which eight pairs are enough.
const GETS: &str = r#"
name = "gets"
models = "Readers."
duration = "500ms"
warm-up = "1ms"
drain = "5s"

[population]
objects = 10
size = 256

[requests]
rate = 10.0
connections = 8

[[requests.operations]]
verb = "get"
"#;

#[test]
fn what_cannot_be_compared_is_told() {
    let refused = |arguments: &[&str]| {
        let ended = kube_assay(&["load", "crud-mix"]).with(arguments).end();
        assert_eq!(ended.code, Some(2), "{arguments:?}: {}", ended.err);
        ended.err
    };
    assert!(refused(&["--pairs", "3"]).contains("--against"));
    assert!(refused(&["--max-regression", "3%"]).contains("--against"));
    assert!(refused(&["--against", "--sever x"]).contains("--sever"));
    assert!(refused(&["--against", "--token x"]).contains("--server"));
    refused(&["--against", "--server http://127.0.0.1:1", "--pairs", "0"]);
    refused(&["--against", "--server http://127.0.0.1:1", "--threshold", "p99<1s"]);
}
