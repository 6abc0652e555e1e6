//! Servers that end watches before their first event.

use std::sync::atomic::{AtomicUsize, Ordering};

use crate::support::http::response;
use crate::support::{Proxy, Reference, Reply, kube_assay};

const CLAUSE: &str = "gone-watch-expired";

/// Whether this is the query of a watch from version 1, which is older than the type of the scenario.
fn is_from_expired(query: &str) -> bool {
    query.split('&').any(|parameter| parameter == "resourceVersion=1")
}

/// Runs the clause on a server that ends, without an event, so many of the watches with such a query.
fn expect_exit(ends: fn(&str) -> bool, most: usize, code: i32) {
    let (reference, count) = (Reference::right(), AtomicUsize::new(0));
    let proxy = Proxy::before(&reference, move |request| {
        let uri = request.first.split(' ').nth(1).unwrap_or_default();
        let query = uri.split_once('?').map_or("", |(_, query)| query);
        if query.contains("watch=1") && ends(query) && count.fetch_add(1, Ordering::SeqCst) < most {
            return Reply::Bytes(response("200 OK", "application/json", ""));
        }
        Reply::Pass
    });
    let run = kube_assay(&["run", "--server", &proxy.url(), "--token", reference.token()]);
    let ended = run.with(&["--clause", CLAUSE]).end().ended_with(code);
    let cause = "the server ended it, without an error, before ADDED a";
    assert_eq!(ended.report("events.jsonl").contains(cause), code == 3, "{}", ended.out);
    assert_eq!(reference.left_behind(), [""; 0]);
}

#[test]
fn a_server_that_ends_each_watch_leaves_watches_from_expired_versions_open() {
    expect_exit(|_| true, usize::MAX, 3);
}

#[test]
fn a_server_that_ends_each_watch_from_an_expired_version_fails() {
    expect_exit(is_from_expired, usize::MAX, 1);
}

#[test]
fn a_watch_from_an_expired_version_that_ends_early_is_opened_again() {
    expect_exit(is_from_expired, 2, 0);
}
