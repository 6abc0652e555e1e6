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

/// A server that forbids each deletion to the user.
fn forbidding_deletions(reference: &Reference) -> Proxy {
    Proxy::before(reference, |request| match request.target() {
        ("DELETE", _) => {
            let status = json!({
                "kind": "Status", "apiVersion": "v1", "status": "Failure", "reason": "Forbidden", "code": 403,
                "message": "User \"jane\" cannot delete it",
            });
            Reply::Bytes(response("403 Forbidden", "application/json", &status.to_string()))
        }
        _ => Reply::Pass,
    })
}

#[test]
fn a_user_who_may_not_delete_gets_an_error_before_the_first_scenario() {
    for (arguments, hint) in [
        (["run", "--clause=single-get-one-name"], "may delete what they create, or give --read-only"),
        (["load", "crud-mix"], "may create and delete them"),
    ] {
        let reference = Reference::right();
        let proxy = forbidding_deletions(&reference);
        let target = ["--server", &proxy.url(), "--token", reference.token()];
        let error = kube_assay(&arguments).with(&target).end().error();
        let why = "exit 3, error: failed to remove the namespace assay-RUN-0-0 on ";
        assert!(error.starts_with(why), "{error}");
        assert!(error.contains("403 Forbidden: User \"jane\" cannot delete it; hint: "), "{error}");
        // The error has RUN in the place of the ID.
        assert!(error.contains(hint) && error.contains(": /api/v1/namespaces/assay-RUN-0-0"), "{error}");
        let left = reference.left_behind();
        assert!(left.len() == 1 && left[0].ends_with("-0-0"), "{left:?}");
    }
}

#[test]
fn a_user_who_may_not_delete_can_keep_the_objects() {
    let reference = Reference::right();
    let proxy = forbidding_deletions(&reference);
    let run = kube_assay(&["run", "--keep", "--server", &proxy.url(), "--token", reference.token()]);
    let ended = run.with(&["--clause", "single-get-one-name"]).end().ended_with(3);
    let summary = ended.report("summary.json");
    assert!(summary.contains("could not be removed (/api/v1/namespaces/assay-"), "{summary}");
    assert!(summary.contains("cannot delete it"), "{summary}");
}

/// A deletion with an option that only this verb permits.
#[test]
fn the_role_for_a_run_permits_unsafe_deletions() {
    let role = include_str!("../../docs/recipes/permissions.yaml");
    assert!(
        role.contains("resources: [configmaps]\n    verbs: [unsafe-delete-ignore-read-errors]\n"),
        "{role}"
    );
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
