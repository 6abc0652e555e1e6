//! Another server, another version, or another program at the address of the target: no certificate, no accusation, and
//! nothing left behind.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use crate::support::http::{Message, edited, exchange};
use crate::support::{Ended, Proxy, Reference, Reply, kube_assay};

/// One clause of updates.
fn run(url: &str, reference: &Reference) -> Ended {
    let one = ["--clause", "update-put-overwrites", "--request-timeout", "3s", "--event-timeout", "1500ms"];
    kube_assay(&["run", "--server", url, "--token", reference.token()]).with(&one).end()
}

/// Forwards each request, but changes the responses to all but these first GETs of a path.
fn changing_after(
    first: usize,
    reference: &Reference,
    path: &'static str,
    change: fn(Message) -> Message,
) -> Proxy {
    let requests = AtomicUsize::new(0);
    Proxy::before(reference, move |request| {
        let is_later = request.target() == ("GET", path) && requests.fetch_add(1, Ordering::SeqCst) >= first;
        if is_later { Reply::Edited(change) } else { Reply::Pass }
    })
}

/// How often a run reads the namespace kube-system before the first scenario.
const AT_THE_START: usize = 7;

const SYSTEM: &str = "/api/v1/namespaces/kube-system";

/// The message with another text in its body, of the same length.
fn replaced(message: Message, from: &str, to: &str) -> Message {
    let body = String::from_utf8(message.body).unwrap().replace(from, to).into_bytes();
    Message { body, ..message }
}

#[test]
fn an_upgrade_during_the_run_is_inconclusive() {
    let reference = Reference::right();
    let proxy = changing_after(1, &reference, "/version", |message| replaced(message, "v1.36.0", "v1.36.1"));
    let ended = run(&proxy.url(), &reference).ended_with(3);
    assert!(
        ended.out.contains("the server changed during the run: /version has the gitVersion"),
        "{}",
        ended.out
    );
    assert_eq!(reference.left_behind(), [""; 0]);
}

/// During an upgrade, a load balancer sends requests to servers of both releases.
#[test]
fn servers_of_two_releases_behind_one_address_are_inconclusive() {
    let reference = Reference::wrong(&["update-put-overwrites"]);
    let reads = AtomicUsize::new(0);
    let proxy = Proxy::before(&reference, move |request| {
        let is_version = request.target() == ("GET", "/version");
        let is_other = is_version && reads.fetch_add(1, Ordering::SeqCst) % 3 == 2;
        if is_other { Reply::Edited(|message| replaced(message, "v1.36.0", "v1.36.1")) } else { Reply::Pass }
    });
    let ended = run(&proxy.url(), &reference).ended_with(3);
    assert!(ended.report("junit.xml").contains("/version has the gitVersion"), "{}", ended.out);
}

/// A run that creates nothing has only the UID of the cluster.
#[test]
fn another_cluster_at_the_end_is_inconclusive() {
    let reference = Reference::right();
    let proxy = changing_after(AT_THE_START, &reference, SYSTEM, |message| {
        replaced(message, "\"uid\":\"", "\"uid\":\"0")
    });
    let read_only = ["--read-only", "--area", "health", "--token", reference.token()];
    let ended = kube_assay(&["run", "--server", &proxy.url()]).with(&read_only).end().ended_with(3);
    assert!(
        ended.report("summary.json").contains("the namespace kube-system has the UID 0"),
        "{}",
        ended.out
    );
}

/// A server that starts: it lacks a group when `/apis` is read for the first time, unless `/readyz` has failed so often before.
fn starting(reference: &Reference, failures: usize) -> Proxy {
    let (looks, reads) = (AtomicUsize::new(0), AtomicUsize::new(0));
    Proxy::before(reference, move |request| match request.target() {
        ("GET", "/readyz") if looks.fetch_add(1, Ordering::SeqCst) < failures => Reply::Edited(not_ready),
        ("GET", "/apis") if reads.fetch_add(1, Ordering::SeqCst) == 0 => {
            let is_ready = failures > 0 && looks.load(Ordering::SeqCst) > failures;
            if is_ready { Reply::Pass } else { Reply::Edited(without_apps) }
        }
        _ => Reply::Pass,
    })
}

fn not_ready(_: Message) -> Message {
    let first = "HTTP/1.1 500 Internal Server Error".to_owned();
    let headers = vec!["content-type: text/plain".to_owned(), "content-length: 25".to_owned()];
    Message { first, headers, body: b"[+]ping ok\n[-]etcd failed".to_vec() }
}

fn without_apps(message: Message) -> Message {
    replaced(message, "\"name\":\"apps\"", "\"nam_\":\"apps\"")
}

#[test]
fn a_run_waits_until_the_server_is_ready() {
    let reference = Reference::right();
    run(&starting(&reference, 3).url(), &reference).ended_with(0);
}

#[test]
fn groups_that_appear_during_the_run_are_inconclusive() {
    let reference = Reference::right();
    let ended = run(&starting(&reference, 0).url(), &reference).ended_with(3);
    let change = "/apis lists groups that it did not list before the run: apps";
    assert!(ended.report("summary.json").contains(change), "{}", ended.out);
}

/// A load balancer that begins with this request to send every other one to a server with a store of its own.
fn balancing(first: &Reference, second: &Reference, begins: fn(&Message) -> bool) -> Proxy {
    let (address, requests, begun) = (second.address(), AtomicUsize::new(0), AtomicBool::new(false));
    Proxy::before(first, move |request| {
        let is_balanced = begun.fetch_or(begins(request), Ordering::SeqCst);
        let is_second = is_balanced && requests.fetch_add(1, Ordering::SeqCst) % 2 == 0;
        if is_second { Reply::Bytes(exchange(&address, request).unwrap()) } else { Reply::Pass }
    })
}

#[test]
fn servers_of_several_clusters_behind_one_address_are_refused() {
    let (first, second) = (Reference::right(), Reference::right());
    let ended = run(&balancing(&first, &second, |_| true).url(), &first).ended_with(3);
    assert!(ended.err.contains("servers of several clusters respond there"), "{}", ended.err);
    assert!(!ended.reports().join("junit.xml").exists());
}

/// A server that shows another UID with each read is wrong, and no other cluster.
#[test]
fn a_uid_that_changes_with_each_read_is_no_other_cluster() {
    let reference = Reference::right();
    let proxy = changing_after(0, &reference, SYSTEM, another_uid);
    run(&proxy.url(), &reference).ended_with(0);
}

/// The message with another UID than every other one.
fn another_uid(message: Message) -> Message {
    static MADE: AtomicUsize = AtomicUsize::new(0);
    let mut body = String::from_utf8(message.body).unwrap();
    let at = body.find("\"uid\":\"").unwrap() + "\"uid\":\"".len();
    body.replace_range(at..at + 8, &format!("{:08x}", MADE.fetch_add(1, Ordering::SeqCst)));
    Message { body: body.into_bytes(), ..message }
}

#[test]
fn servers_with_stores_of_their_own_behind_one_address_keep_nothing() {
    let (first, second) = (Reference::right(), Reference::right());
    let ended = run(&balancing(&first, &second, |request| request.target().0 == "POST").url(), &first);
    assert_ne!(ended.code, Some(0), "{}", ended.out);
    assert_eq!([first.left_behind(), second.left_behind()].concat(), [""; 0], "{}", ended.out);
}

/// A failure on a wrong server, while another program deletes what the run reads, except what it reads first.
fn deleting(reference: &Reference, doomed: fn(&str) -> bool) -> Proxy {
    let (delete, reads) = (reference.deleter(), AtomicUsize::new(0));
    Proxy::before(reference, move |request| {
        if let ("GET", path) = request.target()
            && doomed(path)
            && reads.fetch_add(1, Ordering::SeqCst) > 0
        {
            delete(path);
        }
        Reply::Pass
    })
}

fn is_namespace_of_run(path: &str) -> bool {
    path.starts_with("/api/v1/namespaces/assay-") && path.split('/').count() == 5
}

#[test]
fn a_program_that_deletes_objects_is_no_failure_of_the_server() {
    let reference = Reference::wrong(&["update-put-overwrites"]);
    let proxy = deleting(&reference, |path| path.ends_with("/configmaps/unchanged"));
    let ended = run(&proxy.url(), &reference).ended_with(3);
    assert!(
        ended.report("junit.xml").contains("/unchanged is gone, and the run did not delete it"),
        "{}",
        ended.out
    );
    run(&reference.url(), &reference).ended_with(1);
}

#[test]
fn a_program_that_deletes_namespaces_is_no_failure_of_the_server() {
    let reference = Reference::wrong(&["update-put-overwrites"]);
    let proxy = deleting(&reference, is_namespace_of_run);
    // Objects without a namespace show that the server is wrong.
    let ended = run(&proxy.url(), &reference).ended_with(1);
    assert!(ended.report("junit.xml").contains("is deleted, and the run did not delete it"), "{}", ended.out);
}

#[test]
fn resource_versions_that_go_back_show_a_restored_store() {
    let reference = Reference::right();
    let creations = AtomicUsize::new(0);
    let proxy = Proxy::before(&reference, move |request| match request.target() {
        // Those before the first scenario pass, and some of scenarios.
        ("POST", path) if path.ends_with("/configmaps") && creations.fetch_add(1, Ordering::SeqCst) > 3 => {
            Reply::Edited(|created| {
                edited(created, |object| object["metadata"]["resourceVersion"] = "1".into())
            })
        }
        _ => Reply::Pass,
    });
    let run = kube_assay(&["run", "--server", &proxy.url(), "--token", reference.token()]);
    let ended = run.with(&["--area", "update"]).end();
    assert_ne!(ended.code, Some(0), "{}", ended.out);
    let change = r#""server_change": "the resourceVersions went back"#;
    assert!(ended.report("summary.json").contains(change), "{}", ended.out);
}

/// A restored store lacks what the run has created since then, and a server that starts lacks groups for a time.
#[test]
fn objects_that_are_gone_explain_more_than_groups_that_differ() {
    let reference = Reference::wrong(&["update-put-overwrites"]);
    let (delete, reads, looks) = (reference.deleter(), AtomicUsize::new(0), AtomicUsize::new(0));
    let proxy = Proxy::before(&reference, move |request| match request.target() {
        ("GET", "/apis") if looks.fetch_add(1, Ordering::SeqCst) > 0 => Reply::Edited(without_apps),
        ("GET", path) if is_namespace_of_run(path) && reads.fetch_add(1, Ordering::SeqCst) > 0 => {
            delete(path);
            Reply::Pass
        }
        _ => Reply::Pass,
    });
    let ended = run(&proxy.url(), &reference).ended_with(3);
    let lost = "is deleted, and the run did not delete it";
    assert!(ended.report("junit.xml").contains(lost), "{}", ended.out);
    let summary = ended.report("summary.json");
    assert!(summary.contains("the server changed during the run: /api/v1/namespaces/assay-"), "{summary}");
    assert!(summary.contains(&format!("{lost}; /apis does not list groups")), "{summary}");
}
