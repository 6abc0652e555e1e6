//! A store that does not serve its API server accuses nobody.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};

use super::test_errors::expect_inconclusive;
use crate::support::http::response;
use crate::support::{Program, Proxy, Reference, Reply, kube_assay};

/// A response of kube-apiserver to a write while etcd is full.
const FULL: &str = r#"{"kind":"Status","apiVersion":"v1","status":"Failure","message":"etcdserver: mvcc: database space exceeded","code":500}"#;

const ROOM: &str = "etcd is full: compact and defragment it, or give it a larger --quota-backend-bytes; then disarm its alarm";

fn refused_by_full_store() -> Reply {
    Reply::Bytes(response("500 Internal Server Error", "application/json", FULL))
}

/// kube-apiserver reads the initial state of a watch only until the watch would end.
#[test]
fn a_watch_whose_initial_state_the_store_reads_too_slowly() {
    for (message, code) in [("context deadline exceeded", 3), ("no events today", 1)] {
        let status = json!({
            "kind": "Status", "apiVersion": "v1", "status": "Failure", "message": message,
            "reason": "InternalError", "code": 500,
        });
        let event = json!({ "type": "ERROR", "object": status }).to_string();
        let reference = Reference::right();
        let proxy = Proxy::before(&reference, move |request| {
            if request.first.contains("watch=1") {
                return Reply::Bytes(response("200 OK", "application/json", &event));
            }
            Reply::Pass
        });
        let program = kube_assay(&["run", "--server", &proxy.url(), "--token", reference.token()]);
        let ended = program.with(&["--clause", "rv-watch-initial-state-complete"]).end().ended_with(code);
        if code == 3 {
            expect_inconclusive(
                &ended,
                "repeat the run when the server, and any proxy before it, is in service",
            );
        }
        assert_eq!(reference.left_behind(), [""; 0]);
    }
}

/// A namespace of a scenario: the first one of the run has a hint of its own.
#[test]
fn a_full_store_is_named_where_a_scenario_has_no_namespace() {
    let reference = Reference::right();
    let proxy = Proxy::before(&reference, |request| match request.target() {
        ("POST", "/api/v1/namespaces") if !String::from_utf8_lossy(&request.body).contains("rehearsal") => {
            refused_by_full_store()
        }
        _ => Reply::Pass,
    });
    let program = kube_assay(&["run", "--server", &proxy.url(), "--token", reference.token()]);
    let ended = program.with(&["--clause", "update-put-overwrites"]).end().ended_with(3);
    expect_inconclusive(&ended, "give it a larger --quota-backend-bytes");
    assert_eq!(reference.left_behind(), [""; 0]);
}

#[test]
fn a_store_that_is_full_before_the_first_scenario_has_the_advice_to_make_room() {
    let reference = Reference::right();
    let proxy = Proxy::before(&reference, |request| match request.target() {
        ("POST", "/api/v1/namespaces") => refused_by_full_store(),
        _ => Reply::Pass,
    });
    let program = kube_assay(&["run", "--server", &proxy.url(), "--token", reference.token()]);
    let error = program.with(&["--clause", "update-put-overwrites"]).end().error();
    assert!(error.starts_with("exit 3, error: failed to create the namespace assay-RUN-0-0 on "), "{error}");
    assert!(error.contains(&format!("; hint: {ROOM}")), "{error}");
    assert_eq!(reference.left_behind(), [""; 0]);
}

/// A reference behind a proxy whose store is full for the writes with these numbers.
///
/// As with etcd, the deletion of an object that nothing holds needs no room; that of a namespace begins with an update.
fn full(reference: &Reference, numbers: Range<usize>) -> Proxy {
    let writes = AtomicUsize::new(0);
    Proxy::before(reference, move |request| {
        let needs_room = match request.target() {
            ("POST" | "PUT" | "PATCH", _) => true,
            ("DELETE", path) => {
                path.strip_prefix("/api/v1/namespaces/").is_some_and(|name| !name.contains('/'))
            }
            _ => false,
        };
        if needs_room && numbers.contains(&writes.fetch_add(1, Ordering::SeqCst)) {
            return refused_by_full_store();
        }
        Reply::Pass
    })
}

fn patching(proxy: &Proxy, reference: &Reference) -> Program {
    let run = kube_assay(&["run", "--area", "patch", "--server", &proxy.url(), "--token", reference.token()]);
    run.with(&["--event-timeout", "3s"])
}

#[test]
fn a_store_that_stays_full_ends_the_run_with_one_cause() {
    let reference = Reference::right();
    let proxy = full(&reference, 80..usize::MAX);
    let ended = patching(&proxy, &reference).with(&["--request-timeout", "2s"]).end().ended_with(3);

    let summary: Value = serde_json::from_str(&ended.report("summary.json")).unwrap();
    let (stopped, id) = (summary["run"]["stopped"].as_str().unwrap(), summary["run"]["id"].as_str().unwrap());
    assert!(stopped.starts_with("the server has refused each write since "), "{stopped}");
    assert!(stopped.contains(" because its store is full (mvcc: database space exceeded); "), "{stopped}");
    let hint = format!(
        "; hint: {ROOM} (etcdctl alarm disarm), then remove the objects with the label \
         kube-assay/run={id}: kube-assay clean --run {id}"
    );
    assert!(stopped.ends_with(&hint), "{stopped}");
    let because = summary["because"].as_str().unwrap();
    assert!(because.contains(" may be left (/api/v1/namespaces/assay-"), "{because}");
    assert!(because.contains(" returned 500 "), "{because}");
    let clauses = summary["clauses"].as_array().unwrap();
    let mut reasons = clauses.iter().filter_map(|clause| clause["reason"].as_str());
    let not_run = format!("the run ended before its scenario: {stopped}");
    assert!(reasons.any(|reason| reason == not_run), "{clauses:?}");

    assert!(!reference.left_behind().is_empty());
    kube_assay(&["clean", "--run", id, "--server", &reference.url(), "--token", reference.token()])
        .end()
        .ended_with(0);
    assert_eq!(reference.left_behind(), [""; 0]);
}

#[test]
fn a_store_that_has_room_again_lets_the_run_go_on() {
    let reference = Reference::right();
    let proxy = full(&reference, 80..125);
    let ended = patching(&proxy, &reference).end().ended_with(3);

    let summary: Value = serde_json::from_str(&ended.report("summary.json")).unwrap();
    assert!(summary["run"]["stopped"].is_null(), "{summary}");
    assert_eq!(reference.left_behind(), [""; 0]);
}
