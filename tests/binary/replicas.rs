//! Several servers of one control plane: `run --replica`.

use std::process::Command;

use crate::support::{Reference, kube_assay};

const CLAUSE: &str = "replicas-get-after-write";

/// A run of one clause through a server and its replica.
fn run(server: &Reference) -> crate::support::Ended {
    let target = ["--server", &server.url(), "--token", server.token(), "--replica", &server.replica()];
    kube_assay(&["run", "--clause", CLAUSE]).with(&target).end()
}

#[test]
fn a_right_replica_passes_and_is_counted() {
    let server = Reference::with_replica(&[]);
    let ended = run(&server).ended_with(0);
    assert!(ended.out.contains(" and 1 replica"), "{}", ended.out);
    assert_eq!(server.left_behind(), [""; 0]);
}

#[test]
fn a_replica_of_another_cluster_is_refused() {
    let (server, other) = (Reference::right(), Reference::right());
    let target = ["--server", &server.url(), "--token", server.token(), "--replica", &other.url()];
    let ended = kube_assay(&["run", "--clause", CLAUSE]).with(&target).end().ended_with(3);
    assert!(
        ended.err.contains("it serves another cluster: its namespace kube-system has the UID"),
        "{}",
        ended.err
    );
}

#[test]
fn without_a_replica_its_clauses_are_skipped() {
    let server = Reference::right();
    let target = ["--server", &server.url(), "--token", server.token()];
    let ended = kube_assay(&["run", "--clause", CLAUSE]).with(&target).end();
    assert!(
        ended.shown().contains("--replica names another one of the same control plane"),
        "{}",
        ended.shown()
    );
}

#[test]
fn a_failure_through_a_replica_names_it_and_its_script_repeats_the_requests_there() {
    let wrong = Reference::with_replica(&[CLAUSE]);
    let ended = run(&wrong).ended_with(1);
    assert!(ended.out.contains(&format!("curl -sS -X GET '{}/", wrong.replica())), "{}", ended.out);
    assert!(ended.out.contains(&format!("--replica={}", wrong.replica())), "{}", ended.out);

    let events = ended.reports().join("events.jsonl");
    let script =
        kube_assay(&["report", events.to_str().unwrap(), "--script", CLAUSE]).end().ended_with(0).out;
    let mut shell = Command::new("sh");
    let played = shell.args(["-c", &script]).env("TOKEN", wrong.token()).output().unwrap();
    let (out, err) = (String::from_utf8_lossy(&played.stdout), String::from_utf8_lossy(&played.stderr));
    let (_, telling) = out.split_once(", now:\n").unwrap_or_else(|| panic!("{script}\n{out}\n{err}"));
    assert!(telling.contains("200 OK") && telling.contains("\"ConfigMap\""), "{out}");
    assert_eq!(wrong.left_behind(), [""; 0]);

    let elsewhere = Command::new("sh")
        .args(["-c", &script])
        .envs([("TOKEN", wrong.token()), ("REPLICA1", "http://127.0.0.1:1")])
        .output()
        .unwrap();
    let out = String::from_utf8_lossy(&elsewhere.stdout);
    assert!(!out.contains(", now:\nHTTP/1.1 200"), "{out}");
}

#[test]
fn full_evidence_replays_the_responses_of_each_server() {
    let server = Reference::with_replica(&[]);
    let target = ["--server", &server.url(), "--token", server.token(), "--replica", &server.replica()];
    let ended = kube_assay(&["run", "--area", "replicas", "--evidence", "full"]).with(&target).end();
    let evidence = ended.reports().join("evidence.jsonl.gz");
    let replayed = kube_assay(&["replay", evidence.to_str().unwrap()]).end().ended_with(0);
    assert!(replayed.out.contains("clauses have the recorded verdict"), "{}", replayed.out);
}
