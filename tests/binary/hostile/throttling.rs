//! Servers that throttle, and machines that allow too few files: a bounded wait, one cause, exit 3.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use serde_json::json;

use super::test_run;
use crate::load;
use crate::support::http::{response, too_many_requests};
use crate::support::{Program, Proxy, Reference, Reply, kube_assay};

fn too_many(retry_after: &str) -> Reply {
    Reply::Bytes(too_many_requests(retry_after))
}

/// A reference behind a proxy that throttles every request after this number.
fn storm(reference: &Reference, after: usize, retry_after: &'static str) -> Proxy {
    let requests = AtomicUsize::new(0);
    Proxy::before(reference, move |_| {
        if requests.fetch_add(1, Ordering::SeqCst) < after { Reply::Pass } else { too_many(retry_after) }
    })
}

#[test]
fn a_storm_of_429_is_named_as_the_cause() {
    let reference = Reference::right();
    let errors = [0, 2, 3].map(|after| test_run(&storm(&reference, after, "0"), &reference).end().error());
    insta::assert_snapshot!(errors.join("\n"));
}

#[test]
fn a_storm_of_429_before_a_load_is_named_as_the_cause() {
    let reference = Reference::right();
    // The first look at the server reads /api/v1, and the load reads it again for the resource of the kind.
    let requests = AtomicUsize::new(0);
    let proxy = Proxy::before(&reference, move |request| {
        let throttles = request.target().1 == "/api/v1" && requests.fetch_add(1, Ordering::SeqCst) > 0;
        if throttles { too_many("0") } else { Reply::Pass }
    });
    insta::assert_snapshot!(load::facing("crud-mix", &proxy.url(), &reference).end().error());
}

#[test]
fn a_retry_after_of_days_is_not_waited_out() {
    let reference = Reference::right();
    insta::assert_snapshot!(test_run(&storm(&reference, 0, "999999"), &reference).end().error());
    let proxy = Proxy::before(&reference, |request| match request.target() {
        ("GET", path) if path.ends_with("/configmaps") => too_many("999999"),
        _ => Reply::Pass,
    });
    let ended = test_run(&proxy, &reference).end().ended_with(3);
    assert!(ended.out.contains("the server throttles: 429 with Retry-After: 999999"), "{}", ended.out);
    assert_eq!(reference.left_behind(), [""; 0]);
}

/// A load balancer has 503 for it.
#[test]
fn a_storm_of_429_or_503_stops_the_run() {
    for status in ["429 Too Many Requests", "503 Service Unavailable"] {
        let reference = Reference::right();
        let throttled = String::from_utf8(too_many_requests("0")).unwrap();
        let throttled = throttled.replace("429 Too Many Requests", status);
        let proxy = Proxy::before(&reference, move |request| match request.target() {
            ("GET" | "POST", path) if path.contains("/namespaces/") => Reply::Bytes(throttled.clone().into()),
            _ => Reply::Pass,
        });
        let program = kube_assay(&["run", "--area", "resource-version", "--server", &proxy.url()]);
        let ended = program.with(&["--token", reference.token()]).end().ended_with(3);
        let summary: serde_json::Value = serde_json::from_str(&ended.report("summary.json")).unwrap();
        let stopped = &summary["run"]["stopped"];
        let code = &status[..3];
        let expected = format!("the server throttles: it returned {code} 20 times in a row, Retry-After: 0");
        assert_eq!(*stopped, expected);
        assert_eq!(reference.left_behind(), [""; 0]);
    }
}

/// kube-apiserver responds so for a type of which it cannot decrypt or convert an object.
#[test]
fn an_uninitialized_storage_is_no_throttling_and_waited_for_once() {
    let reference = Reference::right();
    let (message, reason) = ("storage is (re)initializing", "TooManyRequests");
    let body = json!({
        "kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure",
        "message": message, "reason": reason, "details": {}, "code": 429,
    });
    let refusal = response("429 Too Many Requests", "application/json", &body.to_string());
    let refusal = String::from_utf8(refusal).unwrap().replace("\r\n\r\n", "\r\nretry-after: 0\r\n\r\n");
    let requests = Arc::new(Mutex::new(HashMap::<String, usize>::new()));
    let counted = requests.clone();
    let proxy = Proxy::before(&reference, move |request| match request.target() {
        (_, path) if path.contains("/namespaces/assay-") && path.contains("/configmaps") => {
            *counted.lock().unwrap().entry(path.to_owned()).or_default() += 1;
            Reply::Bytes(refusal.clone().into())
        }
        _ => Reply::Pass,
    });
    let program = kube_assay(&["run", "--area", "resource-version", "--parallel", "1"]);
    let ended = program.with(&["--server", &proxy.url(), "--token", reference.token()]).end().ended_with(3);
    let summary: serde_json::Value = serde_json::from_str(&ended.report("summary.json")).unwrap();
    assert!(summary["run"]["stopped"].is_null(), "{summary}");
    let errors = ended.report("junit.xml");
    assert!(errors.contains("message: storage is (re)initializing"), "{errors}");
    assert!(errors.contains("its log names what it cannot decrypt or convert"), "{errors}");
    assert!(!errors.contains("less to do with --parallel"), "{errors}");
    // Each scenario has a namespace of its own. One that waits for something else lets a second one run.
    let requests = requests.lock().unwrap();
    let waited: Vec<_> = requests.iter().filter(|(_, times)| **times >= 20).collect();
    assert!((1..=2).contains(&waited.len()) && requests.len() > 10, "{waited:?} of {}", requests.len());
}

/// A proxy with a limit of connections has a page for it, or closes those beyond the limit.
#[test]
fn a_limit_of_connections_has_its_advice() {
    let page = "<html>503 Service Temporarily Unavailable</html>";
    let page = response("503 Service Temporarily Unavailable", "text/html", page);
    for turned_away in [page, Vec::new()] {
        let reference = Reference::right();
        let proxy = Proxy::before(&reference, move |request| match request.target() {
            ("PUT", path) if path.contains("/configmaps/") => Reply::Bytes(turned_away.clone()),
            _ => Reply::Pass,
        });
        let program = kube_assay(&["run", "--area", "update", "--server", &proxy.url()]);
        let ended = program.with(&["--token", reference.token()]).end().ended_with(3);
        assert!(ended.report("junit.xml").contains("give a smaller --parallel"), "{}", ended.out);
        assert_eq!(reference.left_behind(), [""; 0]);
    }
}

#[test]
fn too_few_open_files_end_the_run_before_it_creates_an_object() {
    let reference = Reference::right();
    insta::assert_snapshot!(Program::testing_reference(&reference).limited(20).end().error());
    assert_eq!(reference.left_behind(), [""; 0]);
}
