//! A policy that refuses the deletion of namespaces: they keep what shows whose they are, and `clean` removes them later.

use serde_json::json;

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
