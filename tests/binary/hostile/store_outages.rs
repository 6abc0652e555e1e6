//! A store that does not serve its API server accuses nobody.

use serde_json::json;

use super::test_errors::expect_inconclusive;
use crate::support::http::response;
use crate::support::{Proxy, Reference, Reply, kube_assay};

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
    let full = r#"{"kind":"Status","apiVersion":"v1","status":"Failure","message":"etcdserver: mvcc: database space exceeded","code":500}"#;
    let reference = Reference::right();
    let proxy = Proxy::before(&reference, |request| match request.target() {
        ("POST", "/api/v1/namespaces") if !String::from_utf8_lossy(&request.body).contains("rehearsal") => {
            Reply::Bytes(response("500 Internal Server Error", "application/json", full))
        }
        _ => Reply::Pass,
    });
    let program = kube_assay(&["run", "--server", &proxy.url(), "--token", reference.token()]);
    let ended = program.with(&["--clause", "update-put-overwrites"]).end().ended_with(3);
    expect_inconclusive(&ended, "give it a larger --quota-backend-bytes");
    assert_eq!(reference.left_behind(), [""; 0]);
}
