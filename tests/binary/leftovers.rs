//! Servers without a namespace controller that keep, hide or store objects of a run: none is left without its namespace.

mod conditions;
mod endless_lists;
mod mixed_up_responses;
mod refused_deletions;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use serde_json::{Value, json};

use crate::clean::clean;
use crate::support::http::{Message, edited, exchange, response, with_items};
use crate::support::{Proxy, Reference, Reply, kube_assay};

const NAMESPACE: &str = "/api/v1/namespaces/assay-k3f9x2-1-0";

/// A server without a namespace controller, and a namespace of a run with an object that does not have its label.
fn namespace_of_a_run() -> Reference {
    with_namespace_of_a_run(Reference::variant("no-namespace-controller", &[]))
}

fn with_namespace_of_a_run(reference: Reference) -> Reference {
    let labels = json!({ "kube-assay/run": "k3f9x2" });
    let namespace = json!({ "name": "assay-k3f9x2-1-0", "labels": labels });
    let object =
        |kind: &str, metadata: Value| json!({ "apiVersion": "v1", "kind": kind, "metadata": metadata });
    reference.create("/api/v1/namespaces", &object("Namespace", namespace));
    reference.create(&format!("{NAMESPACE}/configmaps"), &object("ConfigMap", json!({ "name": "a" })));
    reference
}

/// Without its namespace, nobody would find the object.
#[test]
fn a_namespace_whose_objects_the_server_keeps_is_not_finalized() {
    let reference = namespace_of_a_run();
    let proxy = forbidding(&reference, |method, path| method == "DELETE" && path.contains("/configmaps"));
    let program = kube_assay(&["clean", "--server", &proxy.url(), "--token", reference.token()]);
    let ended = program.with(&["--removal-timeout", "5s"]).end().ended_with(3);
    let why = format!("failed to remove {NAMESPACE}: DELETE {NAMESPACE}/configmaps returned 403 Forbidden");
    assert!(ended.err.contains(&why), "{}", ended.err);
    assert_eq!(reference.left_behind(), ["assay-k3f9x2-1-0"]);
    clean(&reference).end().ended_with(0);
    assert_eq!(reference.get(&format!("{NAMESPACE}/configmaps/a"))["kind"], "Status");
}

#[test]
fn a_server_that_is_busy_now_and_then_loses_no_object_of_a_namespace() {
    let (reference, requests) = (namespace_of_a_run(), AtomicUsize::new(0));
    let proxy = Proxy::before(&reference, move |request| {
        let is_busy = request.first.contains("/assay-k3f9x2-1-0/configmaps")
            && requests.fetch_add(1, Ordering::SeqCst) < 3;
        let busy = status("ServiceUnavailable", 503);
        let busy = || Reply::Bytes(response("503 Service Unavailable", "application/json", &busy));
        if is_busy { busy() } else { Reply::Pass }
    });
    kube_assay(&["clean", "--server", &proxy.url(), "--token", reference.token()]).end();
    clean(&reference).end().ended_with(0);
    assert_eq!(reference.left_behind(), [""; 0]);
    assert_eq!(reference.get(&format!("{NAMESPACE}/configmaps/a"))["kind"], "Status");
}

#[test]
fn a_run_removes_namespaces_that_no_list_shows() {
    let reference = Reference::variant("no-namespace-controller", &[]);
    let proxy = Proxy::before(&reference, |request| match request.target() {
        ("GET", "/api/v1/namespaces") => Reply::Edited(|list| {
            with_items(list, |items| {
                items.retain(|item| !item["metadata"]["name"].as_str().unwrap().starts_with("assay-"));
            })
        }),
        _ => Reply::Pass,
    });
    let program = kube_assay(&["run", "--server", &proxy.url(), "--token", reference.token()]);
    program.with(&["--clause", "rv-list-nomatch-nolimit-unset"]).end().ended_with(0);
    assert_eq!(reference.left_behind(), [""; 0]);
}

/// A server may store what it refuses.
/// The label shows whose they are.
#[test]
fn namespaces_that_the_server_stores_under_other_names_are_removed() {
    let reference = Reference::right();
    let address = reference.address();
    let proxy = Proxy::before(&reference, move |request| {
        if request.target() != ("POST", "/api/v1/namespaces") {
            return Reply::Pass;
        }
        let name = |body: &mut Value, name: &str| body["metadata"]["name"] = name.into();
        let mut asked = String::new();
        let stored = edited(request.clone(), |body| {
            asked = body["metadata"]["name"].as_str().unwrap().to_owned();
            name(body, &format!("{asked}-stored"));
        });
        let response = exchange(&address, &stored).unwrap();
        let shown = edited(Message::read(&mut &response[..]).unwrap(), |body| name(body, &asked));
        Reply::Bytes(shown.bytes())
    });
    let run = kube_assay(&["run", "--server", &proxy.url(), "--token", reference.token()]);
    let ended = run.with(&["--clause", "update-put-overwrites"]).end();
    assert_ne!(ended.code, Some(0), "{}", ended.out);
    assert_eq!(reference.left_behind(), [""; 0]);
}

#[test]
fn objects_of_refused_creates_are_removed() {
    let reference = Reference::variant("no-namespace-controller", &[]);
    let proxy = Proxy::before(&reference, |request| match request.target() {
        ("POST", path) if path.contains("/namespaces/assay-") && path.ends_with("/serviceaccounts") => {
            Reply::Edited(|created| Message { first: "HTTP/1.1 403 Forbidden".to_owned(), ..created })
        }
        _ => Reply::Pass,
    });
    let program = kube_assay(&["run", "--server", &proxy.url(), "--token", reference.token()]);
    program.with(&["--area", "admission-policies"]).end();
    assert_eq!(reference.left_behind(), [""; 0]);
    let mut left = reference.names("/api/v1/serviceaccounts");
    left.retain(|name| name != "default");
    assert_eq!(left, [""; 0]);
}

/// A user may be allowed to use some types alone.
#[test]
fn a_type_that_the_user_may_not_use_holds_no_namespace() {
    let reference = Reference::variant("no-namespace-controller", &[]);
    let proxy = forbidding(&reference, |_, path| {
        path.contains("/namespaces/assay-") && path.contains("/serviceaccounts")
    });
    let program = kube_assay(&["run", "--server", &proxy.url(), "--token", reference.token()]);
    let ended = program.with(&["--area", "admission-policies"]).end();
    assert!(!ended.out.contains("left behind"), "{}", ended.out);
    assert_eq!(reference.left_behind(), [""; 0]);
}

/// A user may be allowed to create objects, and neither to list them nor to delete all of them.
#[test]
fn a_namespace_whose_objects_nobody_may_list_is_named() {
    let reference = Reference::variant("no-namespace-controller", &[]);
    let proxy = forbidding(&reference, |method, path| method != "POST" && path.ends_with("/configmaps"));
    let program = kube_assay(&["run", "--server", &proxy.url(), "--token", reference.token()]);
    let ended = program.with(&["--clause", "single-get-one-name"]).end().ended_with(3);
    let left = reference.left_behind();
    assert!(!left.is_empty() && left.iter().all(|name| ended.out.contains(name)), "{left:?}: {}", ended.out);
}

#[test]
fn namespaces_that_lists_alone_show_are_removed() {
    let reference = Reference::variant("no-namespace-controller", &[]);
    let proxy = Proxy::before(&reference, |request| match request.target() {
        ("GET", path)
            if path.strip_prefix("/api/v1/namespaces/assay-").is_some_and(|name| !name.contains('/')) =>
        {
            Reply::Bytes(response("404 Not Found", "application/json", &status("NotFound", 404)))
        }
        _ => Reply::Pass,
    });
    let program = kube_assay(&["run", "--server", &proxy.url(), "--token", reference.token()]);
    program.with(&["--clause", "rv-list-nomatch-nolimit-unset"]).end().ended_with(0);
    assert_eq!(reference.left_behind(), [""; 0]);
}

#[test]
fn objects_that_another_program_puts_into_namespaces_of_the_run_are_removed() {
    let reference = Reference::variant("no-namespace-controller", &[]);
    let (address, puts) = (reference.address(), Arc::new(AtomicUsize::new(0)));
    let counted = puts.clone();
    let proxy = Proxy::before(&reference, move |request| {
        let is_create = request.first.starts_with("POST") && request.first.contains("/configmaps ");
        if is_create && request.first.contains("/namespaces/assay-") {
            let secret = json!({ "apiVersion": "v1", "kind": "Secret", "metadata": { "name": "other" } });
            let other = edited(request.clone(), |body| *body = secret);
            let first = request.first.replace("/configmaps ", "/secrets ");
            exchange(&address, &Message { first, ..other }).unwrap();
            counted.fetch_add(1, Ordering::SeqCst);
        }
        Reply::Pass
    });
    let program = kube_assay(&["run", "--server", &proxy.url(), "--token", reference.token()]);
    program.with(&["--clause", "watch-noop-write-no-event"]).end().ended_with(0);
    assert!(puts.load(Ordering::SeqCst) > 0);
    assert_eq!((reference.names("/api/v1/secrets"), reference.left_behind()), (vec![], vec![]));
}

/// A user with rights in namespaces alone has created nothing else.
#[test]
fn objects_that_the_user_may_neither_create_nor_see_are_not_left() {
    let reference = Reference::right();
    let proxy = forbidding(&reference, |_, path| path.contains("/clusterroles"));
    let program = kube_assay(&["run", "--server", &proxy.url(), "--token", reference.token()]);
    let ended = program.with(&["--clause", "deletion-finalizers-*/cluster-scoped"]).end().ended_with(3);
    assert!(!ended.out.contains("left behind"), "{}", ended.out);
}

const ROLES: &str = "/apis/rbac.authorization.k8s.io/v1/clusterroles";
const DEFINITIONS: &str = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

#[test]
fn objects_that_the_server_claims_to_have_removed_are_named() {
    let (reference, deletions) = (Reference::right(), AtomicUsize::new(0));
    let proxy = Proxy::before(&reference, move |request| {
        let (method, path) = request.target();
        let is_one = path.strip_prefix(ROLES).is_some_and(|rest| rest.starts_with("/assay-"));
        match method {
            "DELETE" if is_one => {
                deletions.fetch_add(1, Ordering::SeqCst);
                let done = r#"{"kind":"Status","apiVersion":"v1","status":"Success"}"#;
                Reply::Bytes(response("200 OK", "application/json", done))
            }
            "GET" if is_one && deletions.load(Ordering::SeqCst) > 0 => {
                Reply::Bytes(response("404 Not Found", "application/json", &status("NotFound", 404)))
            }
            _ => Reply::Pass,
        }
    });
    let program = kube_assay(&["run", "--server", &proxy.url(), "--token", reference.token()]);
    let one = ["--clause", "update-put-overwrites/cluster-scoped", "--request-timeout", "2s"];
    let ended = program.with(&one).with(&["--event-timeout", "1s"]).end().ended_with(3);
    let mut left = reference.names(ROLES);
    left.retain(|name| name.starts_with("assay-"));
    assert!(!left.is_empty() && left.iter().all(|name| ended.out.contains(name)), "{left:?}: {}", ended.out);
}

/// A path without a handler says nothing about the objects behind it: the server has turned an API off for a while.
#[test]
fn definitions_are_removed_when_their_api_is_back() {
    let (reference, looks) = (Reference::right(), AtomicUsize::new(0));
    let proxy = Proxy::before(&reference, move |request| {
        let (method, path) = request.target();
        let is_look = method == "GET" && path.starts_with(DEFINITIONS);
        if is_look && looks.fetch_add(1, Ordering::SeqCst) < 6 {
            return Reply::Bytes(response("404 Not Found", "text/plain", "404 page not found\n"));
        }
        Reply::Pass
    });
    let program = kube_assay(&["run", "--server", &proxy.url(), "--token", reference.token()]);
    program.with(&["--clause", "update-put-overwrites/custom-resource"]).end().ended_with(0);
    assert_eq!(reference.names(DEFINITIONS), [""; 0]);
}

/// A user may be allowed to list objects, and not to read one.
#[test]
fn objects_that_the_user_may_list_and_not_read_are_removed() {
    let reference = Reference::variant("no-namespace-controller", &[]);
    let proxy = forbidding(&reference, |method, path| {
        let name = path.rsplit_once('/').map_or("", |(_, name)| name);
        method == "GET" && name.starts_with("assay-")
    });
    let program = kube_assay(&["run", "--server", &proxy.url(), "--token", reference.token()]);
    let ended = program.with(&["--clause", "deletion-finalizers-*/cluster-scoped"]).end().ended_with(3);
    assert!(!ended.out.contains("left behind"), "{}", ended.out);
    let mut roles = reference.names("/apis/rbac.authorization.k8s.io/v1/clusterroles");
    roles.retain(|name| name.starts_with("assay-"));
    assert_eq!((roles, reference.left_behind()), (vec![], vec![]));
}

/// A server that forbids these requests, by their methods and paths.
fn forbidding(reference: &Reference, forbids: fn(&str, &str) -> bool) -> Proxy {
    Proxy::before(reference, move |request| {
        let (method, path) = request.target();
        let forbidden = || response("403 Forbidden", "application/json", &status("Forbidden", 403));
        if forbids(method, path) { Reply::Bytes(forbidden()) } else { Reply::Pass }
    })
}

fn status(reason: &str, code: u16) -> String {
    json!({ "kind": "Status", "apiVersion": "v1", "status": "Failure", "reason": reason, "code": code })
        .to_string()
}

/// The first round removes nothing: on a slow server, it takes longer than nothing may disappear.
#[test]
fn a_slow_server_has_time_to_remove_each_object() {
    let reference = Reference::right();
    let roles = "/apis/rbac.authorization.k8s.io/v1/clusterroles";
    for number in 0..60 {
        let metadata =
            json!({ "name": format!("assay-k3f9x2-1-{number}"), "labels": { "kube-assay/run": "k3f9x2" } });
        let role = json!({ "apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRole", "metadata": metadata });
        reference.create(roles, &role);
    }
    let proxy = Proxy::before(&reference, |request| {
        if request.first.contains("/clusterroles/") {
            std::thread::sleep(Duration::from_millis(300));
        }
        Reply::Pass
    });
    let program = kube_assay(&["clean", "--server", &proxy.url(), "--token", reference.token()]);
    program.with(&["--removal-timeout", "2s"]).end().ended_with(0);
    let mut left = reference.names(roles);
    left.retain(|name| name.starts_with("assay-"));
    assert_eq!(left, [""; 0]);
}

/// A search of the sweep takes longer than nothing may disappear.
#[test]
fn a_server_with_slow_lists_of_events_has_its_objects_removed() {
    let reference = namespace_of_a_run();
    let proxy = Proxy::before(&reference, |request| {
        let (method, path) = request.target();
        if method == "GET" && ["/apis/events.k8s.io/v1", "/apis/events.k8s.io/v1/events"].contains(&path) {
            std::thread::sleep(Duration::from_millis(1300));
        }
        Reply::Pass
    });
    let program = kube_assay(&["clean", "--server", &proxy.url(), "--token", reference.token()]);
    program.with(&["--removal-timeout", "2s"]).end().ended_with(0);
    assert_eq!(reference.left_behind(), [""; 0]);
}

/// Its controller takes longer than the user waits.
#[test]
fn a_namespace_that_the_server_is_still_removing_is_told_from_one_that_stays() {
    let reference = with_namespace_of_a_run(Reference::right());
    let proxy = Proxy::before(&reference, |request| match request.target() {
        ("DELETE", NAMESPACE) => Reply::Bytes(response("200 OK", "application/json", "{}")),
        ("GET", NAMESPACE) => Reply::Edited(terminating),
        _ => Reply::Pass,
    });
    let program = kube_assay(&["clean", "--server", &proxy.url(), "--token", reference.token()]);
    let ended = program.with(&["--run", "k3f9x2", "--removal-timeout", "1s"]).end().ended_with(3);
    let each = format!("failed to remove {NAMESPACE}: the server is still removing it");
    let all = "the server is still removing 1 object; hint: run `kube-assay clean --run k3f9x2` again later";
    assert!(ended.err.contains(&each) && ended.err.contains(all), "{}", ended.err);
}

/// That of Kubernetes leaves a deleted namespace alone for 5 s, but other controllers have put an object into it.
#[test]
fn a_namespace_is_left_to_a_controller_that_begins_late() {
    let reference = with_namespace_of_a_run(Reference::right());
    let (delete, begun, finalized) =
        (reference.deleter(), AtomicBool::new(false), Arc::new(AtomicUsize::new(0)));
    let count = finalized.clone();
    let proxy = Proxy::before(&reference, move |request| match request.target() {
        ("DELETE", NAMESPACE) => Reply::Bytes(response("200 OK", "application/json", "{}")),
        ("GET", NAMESPACE) if !begun.load(Ordering::SeqCst) => Reply::Edited(|namespace| {
            edited(namespace, |body| body["metadata"]["deletionTimestamp"] = "2026-01-01T00:00:00Z".into())
        }),
        ("GET", path) if path.ends_with("/serviceaccounts/default") => {
            delete(NAMESPACE);
            begun.store(true, Ordering::SeqCst);
            Reply::Bytes(response("200 OK", "application/json", r#"{"kind":"ServiceAccount"}"#))
        }
        ("PUT", path) if path.ends_with("/finalize") => {
            count.fetch_add(1, Ordering::SeqCst);
            Reply::Pass
        }
        _ => Reply::Pass,
    });
    kube_assay(&["clean", "--server", &proxy.url(), "--token", reference.token()]).end().ended_with(0);
    assert_eq!(finalized.load(Ordering::SeqCst), 0, "kube-assay does the work of the controller");
    assert_eq!(reference.left_behind(), [""; 0]);
}

/// The server removes its objects one after another, for longer than nothing may disappear.
#[test]
fn a_namespace_is_waited_for_as_long_as_the_server_removes_its_objects() {
    let (reference, looks) = (with_namespace_of_a_run(Reference::right()), AtomicUsize::new(0));
    let proxy = Proxy::before(&reference, move |request| {
        let target = request.target();
        let is_count = target.1.starts_with(NAMESPACE) && target.1.ends_with("/configmaps");
        if target.0 == "GET" && is_count && request.first.contains("limit=1 ") {
            let remaining = 100 - looks.fetch_add(1, Ordering::SeqCst);
            let metadata = json!({ "continue": "more", "remainingItemCount": remaining });
            let list = json!({ "kind": "ConfigMapList", "metadata": metadata, "items": [{}] });
            return Reply::Bytes(response("200 OK", "application/json", &list.to_string()));
        }
        // The search of `clean` looks once, and the sweep when nothing disappears and at its end.
        match target {
            _ if looks.load(Ordering::SeqCst) >= 3 => Reply::Pass,
            ("DELETE", NAMESPACE) => Reply::Bytes(response("200 OK", "application/json", "{}")),
            ("GET", NAMESPACE) => Reply::Edited(terminating),
            _ => Reply::Pass,
        }
    });
    let program = kube_assay(&["clean", "--server", &proxy.url(), "--token", reference.token()]);
    program.with(&["--removal-timeout", "2s"]).end().ended_with(0);
    assert_eq!(reference.left_behind(), [""; 0]);
}

/// The namespace in a response, as its controller shows it.
fn terminating(namespace: Message) -> Message {
    edited(namespace, |body| {
        body["metadata"]["deletionTimestamp"] = "2026-01-01T00:00:00Z".into();
        let remaining = json!({ "type": "NamespaceContentRemaining", "status": "True" });
        body["status"] = json!({ "phase": "Terminating", "conditions": [remaining] });
    })
}
