//! A namespace that the server cannot remove: its conditions say why.

use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::json;

use crate::support::http::{Message, edited, response};
use crate::support::{Proxy, Reference, Reply, kube_assay};

#[test]
fn a_run_names_the_condition_that_hinders_the_removal_of_a_namespace() {
    let (reference, deleted) = (Reference::right(), AtomicBool::new(false));
    let proxy = Proxy::before(&reference, move |request| {
        let (method, path) = request.target();
        let is_namespace =
            path.strip_prefix("/api/v1/namespaces/assay-").is_some_and(|name| !name.contains('/'));
        match method {
            "DELETE" if is_namespace => {
                deleted.store(true, Ordering::SeqCst);
                Reply::Bytes(response("200 OK", "application/json", "{}"))
            }
            "GET" if is_namespace && deleted.load(Ordering::SeqCst) => Reply::Edited(hindered),
            _ => Reply::Pass,
        }
    });
    let run = kube_assay(&["run", "--server", &proxy.url(), "--token", reference.token()]);
    let timeouts = ["--request-timeout", "2s", "--event-timeout", "1s"];
    let one = run.with(&["--clause", "rv-list-nomatch-nolimit-unset"]);
    let ended = one.with(&timeouts).end().ended_with(3);
    let why = "its condition NamespaceDeletionContentFailure is True: a webhook refuses it";
    let summary = ended.report("summary.json");
    assert!(summary.contains("could not be removed (/api/v1/namespaces/assay-"), "{summary}");
    assert!(summary.contains(why), "{summary}");
}

/// The namespace in a response, as its controller shows it when it fails to delete an object.
fn hindered(namespace: Message) -> Message {
    edited(namespace, |body| {
        body["metadata"]["deletionTimestamp"] = "2026-01-01T00:00:00Z".into();
        let failure = json!({
            "type": "NamespaceDeletionContentFailure", "status": "True",
            "message": "a webhook refuses it",
        });
        body["status"] = json!({ "phase": "Terminating", "conditions": [failure] });
    })
}
