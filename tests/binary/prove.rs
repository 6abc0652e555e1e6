//! `prove` in front of a server: caught faults, and faults that cannot be shown.

use std::fs;

use serde_json::Value;

use crate::support::{Ended, Program, Reference, kube_assay};

/// The ended program, and its matrix, which matches the schema.
fn proven(program: Program) -> (Ended, Value) {
    let ended = program.end();
    let matrix = fs::read_to_string(ended.reports().join("matrix.json")).unwrap();
    let matrix = serde_json::from_str(&matrix).unwrap();
    let rules = include_str!("../../reports/schema/mutation-matrix.json");
    jsonschema::validate(&serde_json::from_str(rules).unwrap(), &matrix).unwrap();
    (ended, matrix)
}

fn through(server: &Reference, arguments: &[&str]) -> (Ended, Value) {
    let program = kube_assay(&["prove", "--through", &server.url(), "--token", server.token()]);
    proven(program.with(arguments))
}

#[test]
fn a_fault_in_front_of_a_server_is_caught_and_the_matrix_names_the_scenarios() {
    let server = Reference::right();

    let (ended, matrix) = through(&server, &["--clause", "watch-create-added", "--sample", "1"]);

    let ended = ended.ended_with(0);
    assert!(ended.out.contains("the right server passes all of"), "{}", ended.out);
    assert_eq!(matrix["verdict"], "proven");
    assert_eq!(matrix["reference"], false);
    assert_eq!(matrix["faults"][0]["scenarios"]["watch-create-added"], "killed");
    assert_eq!(matrix["faults"][0]["sample"].as_object().unwrap().len(), 1);
    assert_eq!(server.left_behind(), [""; 0]);
}

/// The proxy passes both directions of an upgraded connection on.
#[test]
fn a_fault_of_an_upgrade_is_caught_in_front_of_a_server() {
    const CLAUSE: &str = "streaming-subresources-log-websocket-base64";
    let (ended, matrix) = through(&Reference::right(), &["--clause", CLAUSE, "--sample", "0"]);

    let ended = ended.ended_with(0);
    assert!(ended.out.contains("the right server passes all of"), "{}", ended.out);
    assert_eq!(matrix["faults"][0]["scenarios"][CLAUSE], "killed");
}

#[test]
fn what_a_server_has_not_cannot_be_taken_away_from_it() {
    // The reference divides no lists, so no list has shardInfo.
    let server = Reference::wrong(&["watch-shard-ignored-when-off"]);

    let (ended, matrix) =
        through(&server, &["--clause", "collections-shard-ignored-when-off", "--sample", "0"]);

    let ended = ended.ended_with(0);
    assert!(ended.out.contains("it changed no exchange with this server"), "{}", ended.out);
    assert_eq!(matrix["faults"][0]["fate"], "cannot-be-shown");
}

#[test]
fn a_bug_that_a_real_server_had_is_noticed_here() {
    let (ended, matrix) = proven(kube_assay(&["prove", "--bug", "fabric8-4217", "--sample", "0"]));

    assert_eq!(ended.code, Some(0), "{}", ended.out);
    assert_eq!(matrix["bugs"][0]["fate"], "caught");
    assert_eq!(matrix["bugs"][0]["thread"], "https://github.com/fabric8io/kubernetes-client/issues/4217");
}

#[test]
fn without_a_right_server_nothing_is_proven_and_no_fault_survives() {
    let proven = kube_assay(&["prove", "--through", "http://127.0.0.1:1", "--clause", "watch-create-added"]);
    let ended = proven.end().ended_with(3);
    assert!(ended.out.contains("the right server: failed to"), "{}", ended.out);
    assert!(!ended.out.contains("SURVIVES"), "{}", ended.out);
}
