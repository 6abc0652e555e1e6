//! Something before the server mixes responses up: a 404 that is about another object removes none.

use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::json;

use super::DEFINITIONS;
use crate::support::http::response;
use crate::support::{Proxy, Reference, Reply, kube_assay};

#[test]
fn an_object_is_not_gone_because_another_one_is() {
    let (reference, deleted) = (Reference::right(), AtomicBool::new(false));
    let proxy = Proxy::before(&reference, move |request| {
        let (method, path) = request.target();
        let is_one = path.strip_prefix(DEFINITIONS).is_some_and(|rest| rest.starts_with('/'));
        match method {
            "DELETE" if is_one => {
                deleted.store(true, Ordering::SeqCst);
                let done = r#"{"kind":"Status","apiVersion":"v1","status":"Success"}"#;
                Reply::Bytes(response("200 OK", "application/json", done))
            }
            "GET" if is_one && deleted.load(Ordering::SeqCst) => {
                let details = json!({ "name": "another.example.com", "kind": "customresourcedefinitions" });
                let status =
                    json!({ "kind": "Status", "status": "Failure", "code": 404, "details": details });
                Reply::Bytes(response("404 Not Found", "application/json", &status.to_string()))
            }
            _ => Reply::Pass,
        }
    });
    let program = kube_assay(&["run", "--server", &proxy.url(), "--token", reference.token()]);
    let one = ["--clause", "update-put-overwrites/custom-resource", "--request-timeout", "2s"];
    let ended = program.with(&one).with(&["--event-timeout", "1s"]).end().ended_with(3);
    let left = reference.names(DEFINITIONS);
    assert!(!left.is_empty() && left.iter().all(|name| ended.out.contains(name)), "{left:?}: {}", ended.out);
}
