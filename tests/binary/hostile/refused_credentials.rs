//! Credentials that the server refuses in mid-run: for a time, and for good.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::Value;

use crate::support::http::response;
use crate::support::{Ended, Program, Proxy, Reference, Reply, kube_assay};

const UNAUTHORIZED: &str = r#"{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"Unauthorized","reason":"Unauthorized","code":401}"#;

/// A reference behind a proxy that refuses the credentials of the requests with these numbers.
fn refusing(reference: &Reference, numbers: Range<usize>) -> Proxy {
    let requests = AtomicUsize::new(0);
    Proxy::before(reference, move |_| {
        if numbers.contains(&requests.fetch_add(1, Ordering::SeqCst)) {
            return Reply::Bytes(response("401 Unauthorized", "application/json", UNAUTHORIZED));
        }
        Reply::Pass
    })
}

fn run(proxy: &Proxy, reference: &Reference) -> Program {
    let run = kube_assay(&["run", "--area", "resource-version", "--server", &proxy.url()]);
    run.with(&["--token", reference.token()])
}

fn summary(ended: &Ended) -> Value {
    serde_json::from_str(&ended.report("summary.json")).unwrap()
}

#[test]
fn credentials_that_stay_refused_end_the_run_with_one_cause() {
    let reference = Reference::right();
    let proxy = refusing(&reference, 200..usize::MAX);
    let ended = run(&proxy, &reference).with(&["--request-timeout", "2s"]).end().ended_with(3);

    let summary = summary(&ended);
    let stopped = summary["run"]["stopped"].as_str().unwrap();
    let id = summary["run"]["id"].as_str().unwrap();
    assert!(stopped.starts_with("the server has refused the credentials (401) since "), "{stopped}");
    let hint = format!(
        "; hint: renew the credentials, then remove the objects with the label kube-assay/run={id}: \
         kube-assay clean --run {id}"
    );
    assert!(stopped.ends_with(&hint), "{stopped}");
    let because = summary["because"].as_str().unwrap();
    assert!(because.contains("may be left") && !because.contains("could not be removed"), "{because}");
    let clauses = summary["clauses"].as_array().unwrap();
    let mut reasons = clauses.iter().filter_map(|clause| clause["reason"].as_str());
    let not_run = format!("the run ended before its scenario: {stopped}");
    assert!(reasons.any(|reason| reason == not_run), "{clauses:?}");
    let ran = &summary["run"]["executed"];
    assert!(ran.as_u64().unwrap() < 150, "{ran} of some 250 scenarios ran into it");

    assert!(!reference.left_behind().is_empty());
    kube_assay(&["clean", "--run", id, "--server", &reference.url(), "--token", reference.token()])
        .end()
        .ended_with(0);
    assert_eq!(reference.left_behind(), [""; 0]);
}

#[test]
fn credentials_that_are_renewed_let_the_run_go_on() {
    let reference = Reference::right();
    let proxy = refusing(&reference, 200..260);
    let ended = run(&proxy, &reference).end().ended_with(3);

    let summary = summary(&ended);
    assert!(summary["run"]["stopped"].is_null(), "{summary}");
    assert_eq!(reference.left_behind(), [""; 0]);
}
