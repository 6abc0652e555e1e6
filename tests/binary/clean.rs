//! `kube-assay clean`, and servers that keep what a run removes.

#[cfg(target_os = "linux")]
mod progress;
mod refused_searches;

use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};

use crate::support::http::{Message, each_item, response, with_items};
use crate::support::{Ended, Program, Proxy, Reference, Reply, kube_assay};

const CONFIG_MAPS: &str = "/api/v1/configmaps";
const CLUSTER_ROLES: &str = "/apis/rbac.authorization.k8s.io/v1/clusterroles";

pub(crate) fn clean(reference: &Reference) -> Program {
    kube_assay(&["clean", "--server", &reference.url(), "--token", reference.token()])
}

/// A run of custom resources that was killed while it waited for a response.
fn kill_a_run(reference: &Reference) {
    let proxy = Proxy::before(reference, |request| match request.target() {
        ("GET", path) if path.starts_with("/apis/") && path.contains("/namespaces/assay-") => Reply::Hold,
        _ => Reply::Pass,
    });
    let running = kube_assay(&["run", "--area", "pagination", "--parallel", "64"])
        .with(&["--server", &proxy.url(), "--token", reference.token()])
        .start();
    proxy.holds();
    running.signal("KILL");
    running.end();
}

#[test]
fn clean_removes_the_objects_of_a_killed_run() {
    let reference = Reference::right();
    kill_a_run(&reference);
    let left = reference.left_behind();
    assert!(left.iter().any(|name| name.ends_with(".kube-assay.dev")), "{left:?}");
    let run = left.iter().find_map(|name| name.strip_prefix("assay-")?.split('-').next()).unwrap();

    let listed = clean(&reference).with(&["--dry-run"]).end().ended_with(0);
    assert!(left.iter().all(|name| listed.out.contains(&format!("/{name}\n"))), "{}", listed.out);
    let others = clean(&reference).with(&["--run", "another"]).end().ended_with(0);
    assert!(others.out.starts_with("removed 0 objects of run another on http://"), "{}", others.out);
    assert_eq!(reference.left_behind(), left);

    let cleaned = clean(&reference).with(&["--run", run]).end().ended_with(0);
    assert_eq!(
        cleaned.out,
        listed.out.replace("would remove", "removed").replace("all runs", &format!("run {run}"))
    );
    assert_eq!(reference.left_behind(), [""; 0]);
}

#[test]
fn clean_takes_off_finalizers_and_finds_objects_without_the_label() {
    let reference = Reference::right();
    let labels = json!({ "kube-assay/run": "k3f9x2" });
    let object = |kind: &str, name: &str, labels: &Value| {
        let version = if kind == "ClusterRole" { "rbac.authorization.k8s.io/v1" } else { "v1" };
        let finalizers = if kind == "Namespace" { json!([]) } else { json!(["kube-assay.dev/hold"]) };
        json!({
            "apiVersion": version,
            "kind": kind,
            "metadata": { "name": name, "labels": labels, "finalizers": finalizers },
        })
    };
    reference.create("/api/v1/namespaces", &object("Namespace", "assay-k3f9x2-1-0", &labels));
    let configmaps = "/api/v1/namespaces/assay-k3f9x2-1-0/configmaps";
    reference.create(configmaps, &object("ConfigMap", "held", &json!({})));
    reference.create("/api/v1/namespaces/default/configmaps", &object("ConfigMap", "labelled", &labels));
    for name in ["assay-k3f9x2-2-a", "assay-tools", "assay-worker-1-role"] {
        reference.create(CLUSTER_ROLES, &object("ClusterRole", name, &json!({})));
    }

    let cleaned = clean(&reference).end().ended_with(0);

    let mut removed: Vec<&str> = cleaned.out.lines().collect();
    assert_eq!(removed.pop(), Some(&*format!("removed 3 objects of all runs on {}", reference.url())));
    assert_eq!(
        removed,
        [
            "removed /api/v1/namespaces/assay-k3f9x2-1-0",
            "removed /api/v1/namespaces/default/configmaps/labelled",
            "removed /apis/rbac.authorization.k8s.io/v1/clusterroles/assay-k3f9x2-2-a",
        ]
    );
    let left = |list: &str, name: &str| reference.names(list).iter().any(|known| known == name);
    assert!(!left("/api/v1/configmaps", "held") && !left("/api/v1/configmaps", "labelled"));
    assert!(!left(CLUSTER_ROLES, "assay-k3f9x2-2-a"));
    // Another program's, though one has the form of our names.
    assert!(left(CLUSTER_ROLES, "assay-tools") && left(CLUSTER_ROLES, "assay-worker-1-role"));
}

#[test]
fn clean_names_the_types_that_the_server_does_not_list() {
    let reference = Reference::right();
    let proxy = Proxy::before(&reference, |request| match request.target() {
        ("GET", CLUSTER_ROLES) => {
            let forbidden =
                json!({ "kind": "Status", "code": 403, "reason": "Forbidden", "message": "not for you" });
            Reply::Bytes(response("403 Forbidden", "application/json", &forbidden.to_string()))
        }
        _ => Reply::Pass,
    });
    let ended = kube_assay(&["clean", "--server", &proxy.url(), "--token", reference.token()]).end();
    let ended = ended.ended_with(3);
    let expected = format!("error: failed to search {CLUSTER_ROLES}: 403 Forbidden: not for you; hint: ");
    assert!(ended.err.starts_with(&expected), "{}", ended.err);
}

/// A server that does not list its groups: `clean` removes an object of a run in the core group.
fn clean_without_groups(status: &'static str) -> Ended {
    let reference = Reference::right();
    let labels = json!({ "kube-assay/run": "k3f9x2" });
    let namespace = json!({ "kind": "Namespace", "metadata": { "name": "labelled", "labels": labels } });
    reference.create("/api/v1/namespaces", &namespace);
    let proxy = Proxy::before(&reference, move |request| match request.target() {
        ("GET", path) if path.starts_with("/apis") => {
            Reply::Bytes(response(status, "application/json", r#"{"kind":"Status","message":"none"}"#))
        }
        _ => Reply::Pass,
    });
    let ended = kube_assay(&["clean", "--server", &proxy.url(), "--token", reference.token()]).end();
    assert!(!reference.names("/api/v1/namespaces").contains(&"labelled".to_owned()), "{}", ended.err);
    ended
}

#[test]
fn clean_needs_no_groups() {
    let ended = clean_without_groups("404 Not Found").ended_with(0);
    assert!(ended.out.starts_with("removed /api/v1/namespaces/labelled\n"), "{}", ended.out);
    let ended = clean_without_groups("403 Forbidden").ended_with(3);
    assert!(
        ended.err.starts_with("error: failed to search /apis: 403 without reason: none"),
        "{}",
        ended.err
    );
}

/// `clean` on a server whose cluster roles are this list.
fn clean_with_cluster_roles(list: &Value) -> (Reference, Ended) {
    let (reference, list) = (Reference::right(), list.to_string());
    let proxy = Proxy::before(&reference, move |request| match request.target() {
        ("GET", CLUSTER_ROLES) => Reply::Bytes(response("200 OK", "application/json", &list)),
        _ => Reply::Pass,
    });
    let program = kube_assay(&["clean", "--server", &proxy.url(), "--token", reference.token()]);
    let ended = program.with(&["--removal-timeout", "1s"]).end();
    (reference, ended)
}

#[test]
fn what_is_no_list_is_not_taken_for_an_empty_one() {
    for kind in ["Status", "ClusterRole"] {
        let ended = clean_with_cluster_roles(&json!({ "kind": kind, "metadata": {} })).1.ended_with(3);
        let expected = format!("error: failed to search {CLUSTER_ROLES}: ");
        assert!(ended.err.starts_with(&expected), "{}", ended.err);
    }
    let mut none = json!({ "kind": "PartialObjectMetadataList", "metadata": {}, "items": "none" });
    let ended = clean_with_cluster_roles(&none).1.ended_with(3);
    let expected = format!("its field items is no list; hint: see `kubectl get --raw {CLUSTER_ROLES}`: ");
    assert!(ended.err.contains(&expected), "{}", ended.err);
    none["items"] = Value::Null;
    clean_with_cluster_roles(&none).1.ended_with(0);
}

#[test]
fn hostile_lists_without_an_end_are_not_read_for_ever() {
    let page =
        json!({ "metadata": { "continue": "more" }, "items": [{ "metadata": { "name": "another" } }] });
    let ended = clean_with_cluster_roles(&page).1.ended_with(3);
    let expected = format!("error: failed to search {CLUSTER_ROLES}: the list has no end: its pages repeat");
    assert!(ended.err.starts_with(&expected), "{}", ended.err);
}

/// Each page has another object of a run: without a bound, `clean` would keep the paths of all.
#[test]
fn hostile_lists_with_ever_new_pages_are_not_read_for_ever() {
    let (reference, pages) = (Reference::right(), AtomicUsize::new(0));
    let proxy = Proxy::before(&reference, move |request| match request.target() {
        ("GET", CLUSTER_ROLES) => {
            let name = format!("assay-k3f9x2-{}", pages.fetch_add(1, Ordering::SeqCst));
            let page =
                json!({ "metadata": { "continue": "more" }, "items": [{ "metadata": { "name": name } }] });
            Reply::Bytes(response("200 OK", "application/json", &page.to_string()))
        }
        _ => Reply::Pass,
    });
    let clean = kube_assay(&["clean", "--server", &proxy.url(), "--token", reference.token()]);
    let ended = clean.end().ended_with(3);
    let expected = format!("error: failed to search {CLUSTER_ROLES}: the list has no end: 2000 pages");
    assert!(ended.err.starts_with(&expected), "{}", ended.err);
}

#[test]
fn an_interruption_says_that_something_may_be_left() {
    let reference = Reference::right();
    let proxy = Proxy::before(&reference, |request| match request.target() {
        ("GET", CLUSTER_ROLES) => Reply::Hold,
        _ => Reply::Pass,
    });
    let clean = kube_assay(&["clean", "--server", &proxy.url(), "--token", reference.token()]).start();
    proxy.holds();
    clean.signal("TERM");
    let ended = clean.end().ended_with(3);
    assert!(
        ended.err.starts_with("error: stopped by a signal: some objects may be removed"),
        "{}",
        ended.err
    );
}

#[test]
fn hostile_names_remove_nothing_else() {
    let labels = json!({ "kube-assay/run": "k3f9x2" });
    let names = ["../../../../api/v1/namespaces/default", "?a", "\u{1b}[2J"];
    let items = names.map(|name| json!({ "metadata": { "name": name, "labels": labels } }));
    let (reference, ended) = clean_with_cluster_roles(&json!({ "metadata": {}, "items": items }));
    let ended = ended.ended_with(3);
    assert!(!ended.err.contains('\u{1b}') && !ended.out.contains('\u{1b}'), "{}", ended.err);
    assert_eq!(ended.err.matches(": no object may have this name").count(), 3, "{}", ended.err);
    assert!(reference.names("/api/v1/namespaces").contains(&"default".to_owned()));
}

/// The list has an object of a run under the name of another's, which a read shows.
#[test]
fn hostile_lists_remove_no_object_of_others() {
    let reference = Reference::right();
    for (name, labels) in [("theirs", json!({})), ("ours", json!({ "kube-assay/run": "k3f9x2" }))] {
        let metadata = json!({ "name": name, "labels": labels });
        let object = json!({ "apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata });
        reference.create("/api/v1/namespaces/default/configmaps", &object);
    }
    let proxy = Proxy::before(&reference, |request| {
        let renamed = |list| each_item(list, |item| item["metadata"]["name"] = "theirs".into());
        if is_list_of_config_maps(request) { Reply::Edited(renamed) } else { Reply::Pass }
    });
    let program = kube_assay(&["clean", "--server", &proxy.url(), "--token", reference.token()]);
    program.with(&["--removal-timeout", "2s"]).end().ended_with(3);
    assert_eq!(reference.get("/api/v1/namespaces/default/configmaps/theirs")["kind"], "ConfigMap");
}

/// `clean` on a server with three `ConfigMaps` of a run, behind a proxy.
fn clean_three_behind(reply: impl Fn(&Message) -> Reply + Send + Sync + 'static) -> (Reference, Ended) {
    let (reference, labels) = (Reference::right(), json!({ "kube-assay/run": "k3f9x2" }));
    for number in 1..4 {
        let metadata = json!({ "name": format!("assay-k3f9x2-{number}"), "labels": labels });
        let object = json!({ "kind": "ConfigMap", "metadata": metadata });
        reference.create("/api/v1/namespaces/default/configmaps", &object);
    }
    let proxy = Proxy::before(&reference, reply);
    let program = kube_assay(&["clean", "--server", &proxy.url(), "--token", reference.token()]);
    let ended = program.with(&["--request-timeout", "1s", "--removal-timeout", "4s"]).end();
    (reference, ended)
}

/// The login expires, or the server hangs, after the search.
#[test]
fn clean_names_the_response_that_keeps_an_object() {
    let of_object = |request: &Message| request.target().1.contains("/configmaps/assay-k3f9x2-");
    let unauthorized = || {
        let status = json!({ "kind": "Status", "code": 401, "reason": "Unauthorized", "message": "expired" });
        Reply::Bytes(response("401 Unauthorized", "application/json", &status.to_string()))
    };
    let (_, expired) =
        clean_three_behind(move |request| if of_object(request) { unauthorized() } else { Reply::Pass });
    let (_, silent) =
        clean_three_behind(move |request| if of_object(request) { Reply::Hold } else { Reply::Pass });
    for (ended, why) in [(expired, "401 Unauthorized: expired"), (silent, "within 1 s")] {
        let ended = ended.ended_with(3);
        assert_eq!(ended.err.matches(why).count(), 3, "{}", ended.err);
        assert!(!ended.err.contains("finalizers"), "{}", ended.err);
    }
}

fn json_message(body: &Value) -> Message {
    let bytes = response("200 OK", "application/json", &body.to_string());
    Message::read(&mut bytes.as_slice()).unwrap()
}

fn is_list_of_config_maps(request: &Message) -> bool {
    request.target() == ("GET", CONFIG_MAPS)
}

#[test]
fn clean_does_not_believe_a_selection_of_objects_without_the_label() {
    let (reference, ended) = clean_three_behind(|request| {
        let without_labels = |list| {
            with_items(list, |items| items.iter_mut().for_each(|item| item["metadata"]["labels"] = json!({})))
        };
        if is_list_of_config_maps(request) { Reply::Edited(without_labels) } else { Reply::Pass }
    });
    let ended = ended.ended_with(3);
    let expected =
        format!("error: failed to search {CONFIG_MAPS}: the list with labelSelector=kube-assay/run ");
    assert!(ended.err.starts_with(&expected), "{}", ended.err);
    assert!(ended.err.contains("has \"assay-k3f9x2-1\" without the label; hint: "), "{}", ended.err);
    // They may be anyone's.
    assert_eq!(reference.ours(CONFIG_MAPS).len(), 3);
}

#[test]
fn clean_searches_again_after_the_removal() {
    let (reference, ended) = clean_three_behind(|request| {
        let first_item = |list| with_items(list, |items| items.truncate(1));
        if is_list_of_config_maps(request) { Reply::Edited(first_item) } else { Reply::Pass }
    });
    let ended = ended.ended_with(0);
    assert!(ended.out.contains("removed 3 objects of all runs on "), "{}", ended.out);
    assert_eq!(reference.ours(CONFIG_MAPS), [""; 0]);
}

#[test]
fn clean_does_not_believe_a_page_of_another_list() {
    let (reference, ended) = clean_three_behind(|request| match request.target() {
        ("GET", CONFIG_MAPS) if request.first.contains("continue=") => Reply::Bytes(
            json_message(&json!({ "kind": "List", "apiVersion": "v1", "metadata": {}, "items": [] })).bytes(),
        ),
        ("GET", CONFIG_MAPS) => Reply::Edited(|message| {
            let mut list: Value = serde_json::from_slice(&message.body).unwrap();
            list["items"].as_array_mut().unwrap().truncate(1);
            list["metadata"]["continue"] = json!("more");
            json_message(&list)
        }),
        _ => Reply::Pass,
    });
    let ended = ended.ended_with(3);
    let expected = format!("error: failed to search {CONFIG_MAPS}: a later page belongs to another list: ");
    assert!(ended.err.starts_with(&expected), "{}", ended.err);
    // The first pages have shown them.
    assert_eq!(reference.ours(CONFIG_MAPS), [""; 0]);
}

#[test]
fn clean_searches_the_types_of_runs_that_discovery_lacks() {
    let reference = Reference::right();
    let labels = json!({ "kube-assay/run": "k3f9x2" });
    let namespace =
        json!({ "kind": "Namespace", "metadata": { "name": "assay-k3f9x2-1-0", "labels": labels } });
    reference.create("/api/v1/namespaces", &namespace);
    let proxy = Proxy::before(&reference, |request| match request.target() {
        ("GET", "/api/v1") => Reply::Edited(|message| {
            let mut types: Value = serde_json::from_slice(&message.body).unwrap();
            let resources = types["resources"].as_array_mut().unwrap();
            resources.retain(|one| one["name"] != "namespaces" && one["name"] != "configmaps");
            json_message(&types)
        }),
        _ => Reply::Pass,
    });
    let cleaned = kube_assay(&["clean", "--server", &proxy.url(), "--token", reference.token()]).end();
    cleaned.ended_with(0);
    assert_eq!(reference.left_behind(), [""; 0]);
}

#[test]
fn clean_needs_a_target() {
    let ended = kube_assay(&["clean"]).end().ended_with(2);
    assert!(ended.err.contains("no target given"), "{}", ended.err);
}

#[test]
fn a_run_empties_namespaces_that_the_server_does_not_empty() {
    let reference = Reference::wrong(&["deletion-namespace-removes-content"]);
    Program::testing_reference(&reference).end().ended_with(0);
    assert_eq!(reference.left_behind(), [""; 0]);
    // Those of the server itself have another name.
    let mut left = reference.names("/api/v1/configmaps");
    left.retain(|name| !name.starts_with("kube-") && !name.starts_with("extension-"));
    assert_eq!(left, [""; 0]);
}

/// The lists are right, but no object can be read: the server still removes it, and nobody can know.
#[test]
fn hostile_objects_that_the_server_cannot_show_are_removed() {
    let (reference, labels) = (Reference::right(), json!({ "kube-assay/run": "k3f9x2" }));
    let object =
        |kind: &str| json!({ "kind": kind, "metadata": { "name": "assay-k3f9x2-1", "labels": labels } });
    reference.create("/api/v1/namespaces", &object("Namespace"));
    reference.create(CLUSTER_ROLES, &object("ClusterRole"));
    let proxy = Proxy::before(&reference, |request| match request.target() {
        ("GET", path) if path.ends_with("/assay-k3f9x2-1") => Reply::Bytes(b"garbage\r\n\r\n".to_vec()),
        _ => Reply::Pass,
    });
    let program = kube_assay(&["clean", "--server", &proxy.url(), "--token", reference.token()]);
    program.with(&["--removal-timeout", "1s"]).end().ended_with(3);
    assert_eq!(reference.left_behind(), [""; 0]);
    assert_eq!(reference.ours(CLUSTER_ROLES), [""; 0]);
}

#[test]
fn an_object_that_the_server_stores_in_another_namespace_is_removed_there() {
    let reference = Reference::wrong(&["metadata-namespace-taken-from-url"]);
    Program::testing_reference(&reference).end();
    let mut left = reference.names("/api/v1/namespaces/default/configmaps");
    left.retain(|name| !name.starts_with("kube-"));
    assert_eq!(left, [""; 0]);
}
