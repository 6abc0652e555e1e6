//! `load --workers`: several processes measure together what one would, and the loss of one is no secret.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::load::{count, loading, run};
use crate::support::workers::{Workers, documents, worker};
use crate::support::{Ended, Reference, kube_assay, until};

/// The number of attempts and of values of each series; without those that the number of processes decides.
fn counts(run: &Value) -> BTreeMap<String, (u64, u64)> {
    let series = run["series"].as_array().unwrap().iter();
    let known = series.filter(|series| series["kind"] != "lag-acknowledged");
    let count = |series: &Value| {
        let key = ["verb", "resource", "scope", "kind", "variant"].map(|field| series[field].to_string());
        (key.join(" "), (series["count"].as_u64().unwrap(), series["conflicts"].as_u64().unwrap_or(0)))
    };
    known.map(count).collect()
}

#[test]
fn workers_count_what_one_process_counts() {
    let flags = ["--watches", "12", "--objects", "40", "--rate", "40", "--duration", "2s"];
    let one =
        loading("watch-fanout", &Reference::right()).with(&flags).with(&["--http2"]).end().ended_with(0);
    let one = run(&one);
    for workers in [2, 4, 8] {
        let reference = Reference::right();
        let (ended, others) = Workers::start("watch-fanout", workers, &reference, &flags).end();
        let all = run(&ended.ended_with(0));
        assert_eq!(counts(&all), counts(&one), "{workers} workers");
        for counted in ["starts", "deliveries"] {
            assert_eq!(all[counted], one[counted], "{workers} workers");
        }
        assert_eq!(all["watches"]["opened"], 12);
        assert_eq!(all["workers"].as_array().unwrap().len(), workers);
        assert!(all.get("partial").is_none() && all.get("breaches").is_none(), "{all}");
        for worker in others {
            worker.ended_with(0);
        }
        assert_eq!(reference.left_behind(), [""; 0]);
    }
}

#[test]
fn a_mix_is_divided_by_starts_not_by_chance() {
    let flags = ["--objects", "60", "--rate", "100", "--duration", "2s", "--warm-up", "500ms"];
    let one = loading("crud-mix", &Reference::right()).with(&flags).with(&["--http2"]).end().ended_with(0);
    let reference = Reference::right();
    let (all, _) = Workers::start("crud-mix", 3, &reference, &flags).end();
    let (one, all) = (run(&one), run(&all.ended_with(0)));
    for verb in ["GET", "LIST", "PUT", "PATCH"] {
        assert_eq!(count(&all, verb, "latency"), count(&one, verb, "latency"), "{verb}");
    }
    // A delete whose create has no response yet is a create instead, in one process as well.
    let changes = |run| count(run, "POST", "latency") + count(run, "DELETE", "latency");
    assert_eq!(changes(&all), changes(&one));
    assert_eq!(all["starts"]["planned"], 200);
    assert_eq!(reference.left_behind(), [""; 0]);
}

#[test]
fn every_workload_can_be_shared() {
    for workload in ["large-list", "apply-storm", "slow-watcher", "relist-storm", "watch-list"] {
        let reference = Reference::right();
        let flags = ["--objects", "40", "--drain", "3s", "--duration", "4s"];
        let (ended, _) = Workers::start(workload, 2, &reference, &flags).end();
        let run = run(&ended.ended_with(0));
        assert!(run.get("partial").is_none() && run.get("breaches").is_none(), "{workload}: {run}");
        assert_eq!(reference.left_behind(), [""; 0], "{workload}");
    }
}

#[test]
fn a_lost_write_of_another_worker_is_found() {
    let reference = Reference::wrong(&["rv-watch-exact-complete"]);
    let flags = [
        "--watches",
        "6",
        "--objects",
        "6",
        "--rate",
        "30",
        "--duration",
        "2s",
        "--drain",
        "1s",
        "--warm-up",
        "1ms",
    ];
    let (ended, _) = Workers::start("watch-fanout", 2, &reference, &flags).end();
    let run = run(&ended.ended_with(1));
    assert!(run["deliveries"]["lost"].as_u64().unwrap() > 0, "{run}");
}

/// The end of the second of two workers, which a signal takes out of the run.
fn lost_by_a_signal(name: &str, reference: &Reference) -> Ended {
    let flags = ["--watches", "8", "--objects", "20", "--rate", "20", "--duration", "60s"];
    let mut all = Workers::start("watch-fanout", 2, reference, &flags);
    let document = all.place.path().join("worker-1.json");
    until(|| std::fs::read_to_string(&document).is_ok_and(|text| text.contains("PATCH")));
    all.running[1].signal(name);
    let lost = all.running.remove(1);
    let (ended, workers) = all.end();
    let run = run(&ended.ended_with(3));
    let partial = run["partial"].as_str().unwrap();
    assert!(partial.contains("worker 1 of 2") && partial.contains("no longer reports"), "{partial}");
    assert!(run["workers"][1]["problem"].is_string() && run["workers"][0]["problem"].is_string(), "{run}");
    assert!(count(&run, "PATCH", "latency") > 0);
    for worker in workers {
        assert_eq!(worker.code, Some(0), "{}", worker.err);
    }
    if name == "STOP" {
        lost.signal("CONT");
    }
    lost.end()
}

#[test]
fn a_killed_worker_makes_the_run_partial_and_leaves_nothing() {
    let reference = Reference::right();
    let killed = lost_by_a_signal("KILL", &reference);
    assert_eq!(killed.code, None);
    assert_eq!(reference.left_behind(), [""; 0]);
}

#[test]
fn a_stopped_worker_makes_the_run_partial_and_ends_once_it_continues() {
    let reference = Reference::right();
    let continued = lost_by_a_signal("STOP", &reference);
    assert_eq!(continued.code, Some(3), "{}", continued.err);
    assert_eq!(reference.left_behind(), [""; 0]);
}

#[test]
fn two_processes_with_one_index_make_the_run_partial() {
    let reference = Reference::right();
    let flags = ["--watches", "8", "--objects", "20", "--rate", "20", "--duration", "60s"];
    let mut all = Workers::start("watch-fanout", 2, &reference, &flags);
    let place = all.place.path().to_str().unwrap().to_owned();
    all.running.push(worker(1, 2, &place, &reference).start());
    let (ended, _) = all.end();
    // Found out before the load begins, or after both have sent the same writes, which watches see twice.
    assert!(matches!(ended.code, Some(1 | 3)), "{}", ended.everything());
    let run = run(&ended);
    let partial = run["partial"].as_str().unwrap();
    assert_eq!(partial, "worker 1 of 2: two processes were started with this index");
    assert_eq!(reference.left_behind(), [""; 0]);
}

#[test]
fn workers_remove_what_a_killed_coordinator_left() {
    let reference = Reference::right();
    let flags = ["--watches", "8", "--objects", "20", "--rate", "20", "--duration", "60s"];
    let all = Workers::start("watch-fanout", 2, &reference, &flags);
    until(|| {
        std::fs::read_to_string(all.place.path().join("worker-1.json"))
            .is_ok_and(|text| text.contains("PATCH"))
    });
    all.coordinator.signal("KILL");
    for worker in all.running {
        let ended = worker.end().ended_with(3);
        assert!(ended.err.contains("follow the coordinator"), "{}", ended.err);
    }
    all.coordinator.end();
    assert_eq!(reference.left_behind(), [""; 0]);
    assert_eq!(documents(&all.place), [""; 0]);
}

#[test]
fn an_interruption_of_the_coordinator_stops_all() {
    let reference = Reference::right();
    let flags = ["--objects", "20", "--rate", "20", "--duration", "60s"];
    let all = Workers::start("crud-mix", 2, &reference, &flags);
    until(|| {
        std::fs::read_to_string(all.place.path().join("worker-1.json")).is_ok_and(|text| text.contains("GET"))
    });
    all.coordinator.signal("INT");
    let (ended, workers) = all.end();
    assert_eq!(run(&ended.ended_with(3))["partial"], "interrupted");
    for worker in workers {
        worker.ended_with(0);
    }
    assert_eq!(reference.left_behind(), [""; 0]);
}

#[test]
fn a_missed_threshold_stops_all() {
    let reference = Reference::right();
    let flags = ["--objects", "20", "--rate", "200", "--duration", "60s"];
    let rules = ["--threshold", "p50<1us for GET", "--abort-on-miss"];
    let (ended, _) = Workers::start("crud-mix", 2, &reference, &[&flags[..], &rules].concat()).end();
    let run = run(&ended.ended_with(1));
    assert!(run["partial"].as_str().unwrap().contains("p50<1us for GET"), "{}", run["partial"]);
    assert_eq!(reference.left_behind(), [""; 0]);
}

#[test]
fn a_missing_worker_is_named() {
    let reference = Reference::right();
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().to_str().unwrap();
    let started = worker(0, 2, folder, &reference).start();
    let ended = kube_assay(&["load", "crud-mix", "--workers", "2", "--rendezvous", folder, "--http2"])
        .with(&["--server", &reference.url(), "--token", reference.token(), "--objects", "10"])
        .with(&["--ready-timeout", "3s"])
        .end()
        .ended_with(3);
    let run = run(&ended);
    assert_eq!(run["partial"], "worker 1 never joined within 3 s");
    started.end();
    assert_eq!(reference.left_behind(), [""; 0]);
}

#[test]
fn a_worker_with_another_server_is_refused() {
    let (reference, other) = (Reference::right(), Reference::right());
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().to_str().unwrap();
    let workers =
        [(0, &reference), (1, &other)].map(|(index, server)| worker(index, 2, folder, server).start());
    let ended = kube_assay(&["load", "crud-mix", "--workers", "2", "--rendezvous", folder, "--http2"])
        .with(&["--server", &reference.url(), "--token", reference.token(), "--objects", "10"])
        .end()
        .ended_with(3);
    let run = run(&ended);
    let partial = run["partial"].as_str().unwrap();
    assert!(partial.starts_with("worker 1 of 2: failed to join the load run: another server"), "{partial}");
    assert!(run.get("breaches").is_none(), "{run}");
    let [right, refused] = workers;
    right.end();
    let refused = refused.end().ended_with(3);
    assert!(refused.err.contains("hint: give each worker the target of the coordinator"), "{}", refused.err);
    assert_eq!(reference.left_behind(), [""; 0]);
}

#[test]
fn a_document_of_a_worker_that_cannot_be_read_is_named() {
    let reference = Reference::right();
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().to_str().unwrap();
    let started = worker(0, 2, folder, &reference).start();
    let coordinator = kube_assay(&["load", "crud-mix", "--workers", "2", "--rendezvous", folder, "--http2"])
        .with(&["--server", &reference.url(), "--token", reference.token(), "--objects", "10"])
        .with(&["--ready-timeout", "3s"])
        .start();
    // The coordinator removes what an earlier run left.
    while !place.path().join("run.json").exists() {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    std::fs::write(place.path().join("worker-1.json"), "{\"run\": 5").unwrap();
    let run = run(&coordinator.end().ended_with(3));
    let partial = run["partial"].as_str().unwrap();
    assert!(partial.starts_with("worker 1 of 2: failed to read the document \"worker-1\""), "{partial}");
    started.end();
}

#[test]
fn wrong_calls_name_what_to_do() {
    let url = "https://127.0.0.1:1";
    let calls: &[&[&str]] = &[
        &["load", "crud-mix", "--workers", "0"],
        &["load", "crud-mix", "--workers", "2"],
        &["load", "crud-mix", "--workers", "2", "--rendezvous", "place"],
        &["load", "crud-mix", "--workers", "2", "--rendezvous", "configmaps:x"],
        &["load", "crud-mix", "--workers", "201", "--rendezvous", "place", "--server", url],
        &["load", "crud-mix", "--workers", "2", "--job", "--server", url],
        &["load-worker", "--index", "2", "--of", "2", "--rendezvous", "place", "--server", url],
        &["load-worker", "--index", "0", "--of", "2", "--rendezvous", "place"],
    ];
    insta::assert_snapshot!(crate::support::session(calls));
}
