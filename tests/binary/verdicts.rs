//! Every verdict, as the terminal shows it.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::support::http::response;
use crate::support::{Program, Proxy, Reference, Reply, kube_assay};

/// Asked once and on one path.
const PLAIN: &str = "health-plain-body-ok";

/// A run of one clause.
fn test_run(url: &str, reference: &Reference, clause: &str) -> Program {
    kube_assay(&["run", "--server", url, "--token", reference.token(), "--clause", clause])
}

/// A run of the clause that a fault breaks.
fn in_the_face_of(fault: &str) -> String {
    let reference = Reference::wrong(&[fault]);
    test_run(&reference.url(), &reference, fault).end().shown()
}

/// A server with its own response to a plain health request, once or always.
fn unwell(reference: &Reference, reply: fn() -> Reply, only_once: bool) -> Proxy {
    let has_replied = AtomicBool::new(false);
    Proxy::before(reference, move |request| match request.target() {
        ("GET", "/livez") if !(has_replied.swap(true, Ordering::SeqCst) && only_once) => reply(),
        _ => Reply::Pass,
    })
}

fn wordy() -> Reply {
    Reply::Bytes(response("200 OK", "text/plain; charset=utf-8", "fine"))
}

#[test]
fn failed() {
    insta::assert_snapshot!(in_the_face_of("health-exclude-one"));
}

#[test]
fn warning() {
    insta::assert_snapshot!(in_the_face_of(PLAIN));
}

#[test]
fn not_supported() {
    insta::assert_snapshot!(in_the_face_of("health-listed-in-root"));
}

#[test]
fn inconclusive() {
    let reference = Reference::right();
    let proxy = unwell(&reference, || Reply::Bytes(Vec::new()), false);
    insta::assert_snapshot!(test_run(&proxy.url(), &reference, PLAIN).end().shown());
}

#[test]
fn skipped() {
    let reference = Reference::right();
    let run = test_run(&reference.url(), &reference, "health-fast-under-load").with(&["--verbose"]);
    insta::assert_snapshot!(run.with(&["--clause", PLAIN, "--read-only"]).end().shown());
}

#[test]
fn known_failure_and_stale() {
    let reference = Reference::right();
    let proxy = unwell(&reference, wordy, false);
    let shown = [proxy.url(), reference.url()].map(|url| {
        let run = test_run(&url, &reference, PLAIN).with(&["--strict", "--known-failures", "known.toml"]);
        let entry = "[[known_failure]]\nreason = \"the body is fine\"\nlink = \"https://example.com/1\"";
        run.file("known.toml", &format!("{entry}\nclause = \"{PLAIN}\"\n"));
        run.end().shown()
    });
    insta::assert_snapshot!(shown.join("\n"));
}

#[test]
fn flaky() {
    let reference = Reference::right();
    let proxy = unwell(&reference, wordy, true);
    let run = test_run(&proxy.url(), &reference, PLAIN).with(&["--repeat", "3", "--parallel", "1"]);
    insta::assert_snapshot!(run.end().shown());
}
