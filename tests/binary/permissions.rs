//! `run` as a user who lacks a permission, and behind a proxy that breaks watches: neither accuses the server.

use serde_json::json;

use crate::support::http::{edited, response};
use crate::support::{Ended, Proxy, Reference, Reply, kube_assay};

/// A run of one clause, whose scenario waits for a definition that it may not get.
fn without_definitions(is_allowed: bool) -> Ended {
    let reference = Reference::right();
    let proxy = Proxy::before(&reference, move |request| {
        let (method, path) = request.target();
        let message = "User \"jane\" cannot get resource \"customresourcedefinitions\" in API group \"apiextensions.k8s.io\" at the cluster scope";
        let status = json!({
            "kind": "Status", "apiVersion": "v1", "status": "Failure", "reason": "Forbidden", "code": 403,
            "message": message,
        });
        if method == "GET" && path.contains("/customresourcedefinitions/fresh") {
            return Reply::Bytes(response("403 Forbidden", "application/json", &status.to_string()));
        }
        if path.ends_with("/selfsubjectaccessreviews") && !is_allowed {
            return Reply::Edited(|review| {
                edited(review, |review| review["status"]["allowed"] = false.into())
            });
        }
        Reply::Pass
    });
    let program = kube_assay(&["run", "--server", &proxy.url(), "--token", reference.token()]);
    program.with(&["--clause", "health-200-means-healthy", "--event-timeout", "2s"]).end()
}

#[test]
fn what_the_user_may_not_get_accuses_nobody() {
    let ended = without_definitions(false).ended_with(3);
    let cause = "the user may not get customresourcedefinitions";
    assert!(ended.report("report.html").contains(cause), "{}", ended.out);
}

/// The server contradicts itself.
#[test]
fn a_refusal_of_what_the_user_may_get_is_a_failure() {
    without_definitions(true).ended_with(1);
}

#[test]
fn a_quota_that_rejects_the_writes_of_a_history_is_named() {
    let reference = Reference::right();
    let proxy = Proxy::before(&reference, |request| match request.target() {
        ("POST", path) if path.contains("/configmaps") => {
            let status = json!({
                "kind": "Status", "apiVersion": "v1", "status": "Failure", "reason": "Forbidden", "code": 403,
                "message": "exceeded quota: small",
            });
            Reply::Bytes(response("403 Forbidden", "application/json", &status.to_string()))
        }
        _ => Reply::Pass,
    });
    let program = kube_assay(&["run", "--server", &proxy.url(), "--token", reference.token()]);
    let ended = program.with(&["--clause", "history-writes-ordered"]).end().ended_with(3);
    assert!(!ended.out.contains("did not acknowledge the last write"), "{}", ended.out);
    assert!(ended.out.contains("exceeded quota: small"), "{}", ended.out);
}

#[test]
fn a_watch_that_breaks_before_its_timeout_accuses_nobody() {
    let reference = Reference::right();
    let proxy = Proxy::before(&reference, |request| {
        let cut = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n";
        let is_short =
            request.first.contains("timeoutSeconds=2 ") || request.first.contains("timeoutSeconds=2&");
        if is_short { Reply::Bytes(cut.into()) } else { Reply::Pass }
    });
    let program = kube_assay(&["run", "--server", &proxy.url(), "--token", reference.token()]);
    program.with(&["--clause", "watch-timeout-seconds"]).end().ended_with(3);
}
