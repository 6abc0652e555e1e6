//! Deletions of namespaces that a policy refuses, or that the user lacks the permission for: the namespaces keep what shows
//! whose they are, and `clean` removes them later.

use std::sync::{Arc, Mutex};

use serde_json::json;

use super::{NAMESPACE, status, with_namespace_of_a_run};
use crate::clean::clean;
use crate::support::http::response;
use crate::support::{Proxy, Reference, Reply, kube_assay};

#[test]
fn a_namespace_whose_deletion_is_refused_keeps_its_label_and_its_finalizers() {
    let reference = Reference::variant("no-namespace-controller", &[]);
    let denied = json!({
        "kind": "Status", "apiVersion": "v1", "status": "Failure", "reason": "Invalid", "code": 422,
        "message": "ValidatingAdmissionPolicy 'keep' with binding 'keep' denied request: ask first",
    });
    let proxy = Proxy::before(&reference, move |request| {
        let (method, path) = request.target();
        let is_namespace =
            path.strip_prefix("/api/v1/namespaces/assay-").is_some_and(|name| !name.contains('/'));
        if method == "DELETE" && is_namespace {
            Reply::Bytes(response("422 Unprocessable Entity", "application/json", &denied.to_string()))
        } else {
            Reply::Pass
        }
    });
    let run = kube_assay(&["run", "--server", &proxy.url(), "--token", reference.token()]);
    let one = run.with(&["--clause", "rv-list-nomatch-nolimit-unset"]);
    let ended = one.with(&["--request-timeout", "2s", "--event-timeout", "1s"]).end().ended_with(3);
    let summary = ended.report("summary.json");
    assert!(summary.contains("could not be removed (/api/v1/namespaces/assay-"), "{summary}");
    assert!(summary.contains("denied request: ask first"), "{summary}");

    let mut left = reference.names("/api/v1/namespaces");
    left.retain(|name| name.starts_with("assay-"));
    assert!(!left.is_empty());
    assert_eq!(reference.left_behind(), left, "the label");
    for name in left {
        let namespace = reference.get(&format!("/api/v1/namespaces/{name}"));
        assert_eq!(namespace["spec"]["finalizers"], json!(["kubernetes"]), "{namespace}");
    }
    clean(&reference).end().ended_with(0);
    assert_eq!(reference.left_behind(), [""; 0]);
}

/// Nobody polls it for the work of a namespace controller.
#[test]
fn a_namespace_that_the_user_may_not_delete_is_named_at_once() {
    let reference = with_namespace_of_a_run(Reference::right());
    let requests = Arc::new(Mutex::new(Vec::new()));
    let seen = requests.clone();
    let proxy = Proxy::before(&reference, move |request| {
        let (method, path) = request.target();
        seen.lock().unwrap().push(format!("{method} {path}"));
        let forbidden = || response("403 Forbidden", "application/json", &status("Forbidden", 403));
        if method == "DELETE" { Reply::Bytes(forbidden()) } else { Reply::Pass }
    });
    let program = kube_assay(&["clean", "--server", &proxy.url(), "--token", reference.token()]);
    let ended = program.with(&["--removal-timeout", "2s"]).end().ended_with(3);
    let why = format!("failed to remove {NAMESPACE}: DELETE {NAMESPACE} returned 403 Forbidden");
    assert!(ended.err.contains(&why), "{}", ended.err);
    let requests = requests.lock().unwrap();
    let count = |wanted: &str| requests.iter().filter(|request| **request == wanted).count();
    // One looks for the namespace controller.
    assert_eq!(count(&format!("DELETE {NAMESPACE}")), 2, "{requests:?}");
    assert!(count(&format!("GET {NAMESPACE}")) < 5, "{requests:?}");
    // The second search knows the namespace.
    assert_eq!(count(&format!("GET {NAMESPACE}/secrets")), 1, "{requests:?}");
    clean(&reference).end().ended_with(0);
    assert_eq!(reference.left_behind(), [""; 0]);
}
