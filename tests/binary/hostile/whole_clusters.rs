//! What a whole cluster has beside its API server accuses nobody: controllers, kubelets, and the admission of others.

use std::collections::HashMap;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::support::http::response;
use crate::support::{Ended, Proxy, Reference, Reply, kube_assay};

fn refusal(code: u16, reason: &str, message: &str) -> Reply {
    let status = json!({
        "kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure",
        "reason": reason, "code": code, "message": message,
    });
    Reply::Bytes(response(&format!("{code} Refused"), "application/json", &status.to_string()))
}

fn run(proxy: &Proxy, reference: &Reference, arguments: &[&str]) -> Ended {
    let run = kube_assay(&["run", "--strict", "--server", &proxy.url(), "--token", reference.token()]);
    run.with(arguments).end()
}

/// Between the creation of a Deployment and its update, its controller has written the status.
#[test]
fn an_update_meets_that_of_a_controller() {
    let reference = Reference::right();
    let is_update = |method: &str, path: &str| method == "PUT" && path.contains("/deployments/");
    let conflict = || refusal(409, "Conflict", "the object has been modified");
    let proxy = Proxy::but_first(&reference, is_update, conflict);
    run(&proxy, &reference, &["--clause", "validation-required-unset-on-put"]).ended_with(0);
}

/// As behind a firewall, or on a simulated Node.
#[test]
fn a_server_that_does_not_connect_to_the_kubelet() {
    let reference = Reference::right();
    let proxy = Proxy::before(&reference, |request| match request.target().1.rsplit('/').next() {
        Some("exec") => {
            refusal(500, "InternalError", "error dialing backend: dial tcp 192.0.2.1:10250: i/o timeout")
        }
        Some("log") => refusal(500, "InternalError", "no preferred addresses found; known addresses: []"),
        _ => Reply::Pass,
    });
    let clauses = ["spdy-channels", "websocket-channels", "websocket-protocol-negotiated", "log-chunked"];
    for clause in clauses {
        let clause = format!("streaming-subresources-{clause}");
        let ended = run(&proxy, &reference, &["--clause", &clause]);
        assert!(!ended.out.contains("nonconformant"), "{}", ended.out);
        let why = "the server does not connect to the kubelet of a Ready Node";
        assert!(ended.report("junit.xml").contains(why), "{}", ended.out);
    }
}

/// A controller of Nodes has taken the address: no machine stands behind this Node.
#[test]
fn a_node_that_loses_its_address() {
    let reference = Reference::right();
    let proxy = Proxy::before(&reference, |request| match request.target().1.rsplit('/').next() {
        Some("exec" | "attach" | "portforward") => {
            refusal(500, "InternalError", "no preferred addresses found; known addresses: []")
        }
        _ => Reply::Pass,
    });
    let ended = run(&proxy, &reference, &["--clause", "streaming-subresources-upgrade-needed"]);
    assert!(!ended.out.contains("nonconformant"), "{}", ended.out);
    assert!(ended.report("junit.xml").contains("the Node has lost its address"), "{}", ended.out);
}

/// For a while, all but the first deleted namespace have no conditions: their controller has others to remove.
#[test]
fn a_namespace_controller_that_has_much_to_do() {
    let reference = Reference::right();
    let begins: Mutex<HashMap<String, Instant>> = Mutex::default();
    let proxy = Proxy::before(&reference, move |request| {
        let (method, path) = request.target();
        let name = path.strip_prefix("/api/v1/namespaces/").filter(|name| !name.contains('/'));
        let Some(name) = name else { return Reply::Pass };
        let mut begins = begins.lock().unwrap();
        if method == "DELETE" {
            let later = if begins.is_empty() { Duration::ZERO } else { Duration::from_secs(4) };
            begins.entry(name.to_owned()).or_insert_with(|| Instant::now() + later);
        }
        let is_waiting = begins.get(name).is_some_and(|begin| Instant::now() < *begin);
        if method == "GET" && is_waiting { waiting(name) } else { Reply::Pass }
    });
    let clause = ["--clause", "deletion-namespace-removes-content", "--event-timeout", "1500ms"];
    let ended = run(&proxy, &reference, &clause).ended_with(0);
    assert!(ended.out.contains("conformant: every clause tested"), "{}", ended.out);
}

/// A namespace that is being deleted.
fn waiting(name: &str) -> Reply {
    let namespace = json!({
        "kind": "Namespace", "apiVersion": "v1", "status": { "phase": "Terminating" },
        "metadata": { "name": name, "uid": "0", "deletionTimestamp": "2026-01-01T00:00:00Z" },
    });
    Reply::Bytes(response("200 OK", "application/json", &namespace.to_string()))
}

/// kube-apiserver passes on the code and the reason that a webhook gives.
#[test]
fn a_webhook_that_denies_with_a_reason_of_another_code() {
    let reference = Reference::right();
    let is_update = |method: &str, path: &str| method == "PUT" && path.contains("/configmaps/");
    let denial = "admission webhook \"w.example.com\" denied the request: no";
    let proxy = Proxy::but_first(&reference, is_update, || refusal(403, "Invalid", denial));
    let clauses = ["--clause", "update-put-overwrites", "--clause", "status-object-reason-matches-code"];
    let ended = run(&proxy, &reference, &clauses).ended_with(3);
    assert!(!ended.out.contains("nonconformant"), "{}", ended.out);
}

/// The `MutatingAdmissionPolicies` of kube-apiserver learn of a new type after everybody else.
#[test]
fn a_policy_that_does_not_know_a_new_type_yet() {
    let reference = Reference::right();
    let is_creation = |method: &str, path: &str| method == "POST" && path.contains(".kube-assay.dev/");
    let delay = "Resource kind x not found. There can be a delay between when CustomResourceDefinitions are created \
        and when they are available.";
    let unknown =
        "policy 'p' with binding 'b' denied request: error applying patch: no corresponding type for x";
    for (code, reason, message) in [(503, "ServiceUnavailable", delay), (403, "Invalid", unknown)] {
        let proxy = Proxy::but_first(&reference, is_creation, move || refusal(code, reason, message));
        run(&proxy, &reference, &["--clause", "update-put-overwrites/custom-resource"]).ended_with(0);
    }
}
