//! `load` beside a server's own metrics, and the removal of its objects.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::json;

use crate::load::{facing, run};
use crate::support::http::response;
use crate::support::{Ended, Proxy, Reference, Reply};

/// The shortest run with a warm-up.
const SMALL: [&str; 8] = ["--objects", "10", "--rate", "20", "--warm-up", "200ms", "--duration", "1s"];

/// A run on a server with this reply to `/metrics`, given the number of the read.
fn with_metrics(reply: impl Fn(usize) -> Vec<u8> + Send + Sync + 'static) -> (Ended, usize) {
    let reference = Reference::right();
    let reads = Arc::new(AtomicUsize::new(0));
    let counted = reads.clone();
    let proxy = Proxy::before(&reference, move |request| match request.target() {
        (_, "/metrics") => Reply::Bytes(reply(counted.fetch_add(1, Ordering::SeqCst))),
        _ => Reply::Pass,
    });
    let ended = facing("crud-mix", &proxy.url(), &reference).with(&SMALL).end().ended_with(0);
    (ended, reads.load(Ordering::SeqCst))
}

fn exported(read: usize, scope: &str) -> Vec<u8> {
    let count = 100 * (read + 1);
    let labels = format!(r#"verb="GET",resource="configmaps",scope="{scope}",subresource="""#);
    let metric = "apiserver_request_duration_seconds";
    let text = format!(
        "{metric}_bucket{{{labels},le=\"0.025\"}} {count}\n{metric}_bucket{{{labels},le=\"+Inf\"}} {count}\n\
         {metric}_sum{{{labels}}} {count}\n{metric}_count{{{labels}}} {count}\nprocess_cpu_seconds_total {count}\n"
    );
    response("200 OK", "text/plain; version=0.0.4", &text)
}

#[test]
fn the_servers_own_metrics_are_read_before_and_after_the_measured_phase() {
    let (ended, reads) = with_metrics(|read| exported(read, "resource"));
    assert_eq!(reads, 2);
    let metrics = &run(&ended)["server_metrics"];
    let request = json!({
        "name": "GET configmaps resource", "count": 100, "mean": 1e6, "p50": 25_000.0, "p99": 25_000.0,
    });
    assert_eq!(metrics["requests"], json!([request]));
    assert_eq!(metrics["cpu"], 100_000_000);
    assert!(metrics["window_ms"].as_u64().unwrap() > 0, "{metrics}");
    assert!(ended.out.contains("processors used"), "{}", ended.out);
}

#[test]
fn a_token_in_a_label_is_hidden() {
    let (ended, _) = with_metrics(|read| exported(read, "letmein-admin"));
    assert_eq!(run(&ended)["server_metrics"]["requests"][0]["name"], "GET configmaps [redacted]");
    assert!(!ended.everything().contains("letmein"), "{}", ended.everything());
}

#[test]
fn a_server_that_refuses_its_metrics_is_measured_all_the_same() {
    let (ended, _) = with_metrics(|_| response("403 Forbidden", "application/json", "{}"));
    assert_eq!(run(&ended)["no_server_metrics"], "the server returned 403 for /metrics");
    assert!(ended.out.contains("unknown: the server returned 403 for /metrics"), "{}", ended.out);
    assert!(run(&ended).get("server_metrics").is_none());
}

#[test]
fn objects_that_are_not_deleted_one_by_one_are_deleted_with_their_collection() {
    let reference = Reference::right();
    let deletions = Arc::new(AtomicUsize::new(0));
    let counted = deletions.clone();
    let proxy = Proxy::before(&reference, move |request| match request.target() {
        ("DELETE", path) if path.contains("/configmaps/") => {
            counted.fetch_add(1, Ordering::SeqCst);
            Reply::Bytes(response("405 Method Not Allowed", "application/json", "{}"))
        }
        _ => Reply::Pass,
    });
    // No deletion is part of this load.
    let ended = facing("large-list", &proxy.url(), &reference).with(&SMALL).end().ended_with(0);
    assert!(deletions.load(Ordering::SeqCst) > 0, "{}", ended.out);
    assert_eq!(reference.left_behind(), [""; 0]);
}
