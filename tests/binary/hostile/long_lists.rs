//! Servers with very many objects of others: bounded memory, and the same verdicts, or none.

use crate::support::http::Message;
use crate::support::{Proxy, Reference, Reply, kube_assay};

/// The most memory of the program, in bytes.
const LIMIT: u64 = 300 << 20;

/// The number of objects of others in a collection.
const OTHERS: usize = 50_000;

fn other(number: usize) -> String {
    format!(
        r#"{{"metadata":{{"name":"other-{number}","namespace":"others","uid":"0b5b2f1c-0000-4000-8000-{number:012}","resourceVersion":"7","creationTimestamp":"2026-01-01T00:00:00Z"}}}}"#
    )
}

/// Puts the objects of others before those of the run: in a list, or in a Table.
fn lengthen(mut response: Message) -> Message {
    let body = String::from_utf8(response.body).unwrap();
    let items = (0..OTHERS).map(other).collect::<Vec<_>>().join(",");
    let rows = (0..OTHERS).map(|number| format!(r#"{{"cells":["other","1d"],"object":{}}}"#, other(number)));
    let rows = rows.collect::<Vec<_>>().join(",");
    let body = body.replace(r#""items":[{"#, &format!(r#""items":[{items},{{"#));
    let body = body.replace(r#""rows":[{"#, &format!(r#""rows":[{rows},{{"#));
    response.headers.retain(|line| !line.to_lowercase().starts_with("content-length"));
    Message { body: body.into_bytes(), ..response }
}

fn is_shared_list(request: &Message) -> bool {
    let (method, path) = request.target();
    let shared = path == "/api/v1/configmaps" || path.ends_with("/clusterroles");
    method == "GET" && shared && !request.first.contains("watch=") && !request.first.contains("limit=")
}

#[test]
fn hostile_numbers_of_objects_of_others_do_not_hide_those_of_the_run() {
    let reference = Reference::right();
    let proxy = Proxy::before(&reference, |request| {
        if is_shared_list(request) { Reply::Edited(lengthen) } else { Reply::Pass }
    });
    let clauses = ["metadata-namespace-present", "table-rows-per-object", "kinds-collection-url-lists"];
    let flags = clauses.map(|clause| ["--clause", clause]);
    let program = kube_assay(&["run", "--server", &proxy.url(), "--token", reference.token()]);
    let mut running = program.with(&flags.concat()).start();
    let peak = running.peak_memory();
    let ended = running.end().ended_with(0);
    assert!(peak < LIMIT, "{} MB", peak >> 20);
    let note = "is long: judged without the later objects of others";
    assert!(ended.report("events.jsonl").contains(note), "{}", ended.out);
    assert_eq!(reference.left_behind(), [""; 0]);
}

/// Some events of others, one on each line.
fn events_of_others(piece: usize) -> Vec<u8> {
    let event = |number| format!(r#"{{"type":"ADDED","object":{}}}"#, other(number)) + "\n";
    (100 * piece..100 * piece + 100).map(event).collect::<String>().into_bytes()
}

/// An event of the run may be among those that are unread: a flood is no reason for a verdict.
#[test]
fn hostile_floods_of_events_of_others_give_no_verdict() {
    let reference = Reference::right();
    let proxy = Proxy::before(&reference, |request| {
        let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n\r\n";
        let is_shared = request.target().1 == "/api/v1/configmaps" && request.first.contains("watch=");
        if is_shared { Reply::Flood(head.into(), events_of_others) } else { Reply::Pass }
    });
    let flags =
        ["run", "--clause", "watch-all-namespaces", "--event-timeout", "2s", "--server", &proxy.url()];
    let mut running = kube_assay(&flags).with(&["--token", reference.token()]).start();
    let peak = running.peak_memory();
    let ended = running.end().ended_with(3);
    assert!(peak < LIMIT, "{} MB", peak >> 20);
    assert!(ended.out.contains("events of others arrived without a pause"), "{}", ended.out);
    let note = "the watch /api/v1/configmaps is long: judged without the later objects of others";
    assert!(ended.report("events.jsonl").contains(note), "{}", ended.out);
    assert_eq!(reference.left_behind(), [""; 0]);
}
