//! `load` on a server whose responses have the right status and the wrong content.

use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};

use crate::load::{facing, run};
use crate::load_pairs::GETS;
use crate::support::http::{Message, response, with_body};
use crate::support::{Ended, Proxy, Reference, Reply};

/// A small mix.
const MIX: [&str; 8] = ["--objects", "20", "--rate", "50", "--warm-up", "1ms", "--duration", "2s"];

/// A server with one response to some requests of the load. Objects of the population are created before.
fn wrong(reference: &Reference, reply: impl Fn(&Message) -> Option<String> + Send + Sync + 'static) -> Proxy {
    Proxy::before(reference, move |request| match reply(request) {
        Some(body) => {
            let status = if request.first.starts_with("POST") { "201 Created" } else { "200 OK" };
            Reply::Bytes(response(status, "application/json", &body))
        }
        None => Reply::Pass,
    })
}

/// Whether a request reads an object or a list in the measured phase.
fn is_read(request: &Message) -> bool {
    let paths = ["/configmaps/o", "/configmaps?limit=500 "];
    request.target().0 == "GET" && paths.iter().any(|path| request.first.contains(path))
}

/// Whether a request is a whole list, such as that before a watch.
pub(crate) fn is_list(request: &Message) -> bool {
    let (method, path) = request.target();
    let is_read = method == "GET" && path.ends_with("/configmaps");
    is_read && !["watch=", "limit="].iter().any(|text| request.first.contains(text))
}

/// Whether a request writes an object that exists.
fn is_change(request: &Message) -> bool {
    let (method, path) = request.target();
    ["PUT", "PATCH"].contains(&method) && path.contains("/configmaps/o")
}

/// Creates alone.
pub(crate) const CREATES: &str = r#"
name = "creates"
models = "Clients that only create."
duration = "2s"
warm-up = "1ms"
drain = "1s"

[population]
objects = 5
size = 64

[requests]
rate = 20.0
connections = 2

[[requests.operations]]
verb = "create"
weight = 1
"#;

/// A server that acknowledges changes, shows them, and does not store them.
fn forgetful(reference: &Reference) -> Proxy {
    wrong(reference, |request| {
        let name = request.target().1.rsplit('/').next()?.to_owned();
        let written: Value = serde_json::from_slice(&request.body).ok().filter(|_| is_change(request))?;
        let metadata = json!({ "name": name, "annotations": written["metadata"]["annotations"] });
        Some(json!({ "metadata": metadata, "data": { "a": "x".repeat(1_024) } }).to_string())
    })
}

fn mixed(proxy: &Proxy, reference: &Reference) -> Ended {
    facing("crud-mix", &proxy.url(), reference).with(&MIX).end()
}

/// The number of errors of this class.
pub(crate) fn errors(ended: &Ended, class: &str) -> u64 {
    let run = run(ended);
    let series = run["series"].as_array().unwrap().clone();
    series.iter().filter_map(|series| series["errors"][class].as_u64()).sum()
}

pub(crate) fn breach(ended: &Ended) -> Value {
    run(ended)["breaches"][0]["rule"].clone()
}

#[test]
fn reads_without_an_object_or_a_list_fail() {
    for body in ["null", "{}", r#"{"kind":"Status","status":"Success"}"#] {
        let reference = Reference::right();
        let proxy = wrong(&reference, move |request| is_read(request).then(|| body.to_owned()));
        let ended = mixed(&proxy, &reference).ended_with(1);
        assert!(errors(&ended, "invalid-body") > 0, "{}", ended.out);
        assert!(ended.out.contains("invalid-body"), "{}", ended.out);
        assert_eq!(reference.left_behind(), [""; 0]);
    }
}

#[test]
fn lists_without_an_object_of_the_population_fail() {
    let reference = Reference::right();
    let metadata = r#""metadata":{"resourceVersion":"1"}"#;
    for items in ["", r#"{"metadata":{"name":"another"}}"#] {
        let list = format!(r#"{{"kind":"ConfigMapList",{metadata},"items":[{items}]}}"#);
        let proxy = wrong(&reference, move |request| {
            (is_read(request) && request.first.contains("limit=")).then(|| list.clone())
        });
        let ended = mixed(&proxy, &reference).ended_with(1);
        assert!(errors(&ended, "invalid-body") > 0, "{}", ended.out);
    }
}

/// A server that does not send the last bytes of some responses, in the right framing.
fn cut_off(reference: &Reference, is_cut: impl Fn(&Message) -> bool + Send + Sync + 'static) -> Proxy {
    fn cut(message: Message) -> Message {
        let mut body = message.body.trim_ascii_end().to_vec();
        body.truncate(body.len().saturating_sub(3));
        with_body(message, body)
    }
    Proxy::before(reference, move |request| if is_cut(request) { Reply::Edited(cut) } else { Reply::Pass })
}

#[test]
fn responses_without_their_last_bytes_fail() {
    let reference = Reference::right();
    let is_object =
        |request: &Message| is_change(request) || is_read(request) && request.first.contains("/o");
    for proxy in [
        cut_off(&reference, is_object),
        cut_off(&reference, |request| is_read(request) && request.first.contains("limit=")),
    ] {
        let ended = mixed(&proxy, &reference).ended_with(1);
        assert!(errors(&ended, "invalid-body") > 0, "{}", ended.out);
    }
}

#[test]
fn some_large_objects_that_are_no_json_are_found() {
    fn without_a_colon(message: Message) -> Message {
        let text = String::from_utf8_lossy(&message.body).replacen("\"metadata\":", "\"metadata\" ", 1);
        Message { body: text.into_bytes(), ..message }
    }
    let reference = Reference::right();
    let proxy = Proxy::before(&reference, |request| {
        let is_object = is_read(request) && request.first.contains("/o");
        if is_object { Reply::Edited(without_a_colon) } else { Reply::Pass }
    });
    let program = facing("gets.toml", &proxy.url(), &reference);
    program.file("gets.toml", GETS);
    let large = ["--size", "40k", "--rate", "60", "--duration", "3s", "--threshold", "failed<=0%"];
    let ended = program.with(&large).end().ended_with(1);
    assert!(errors(&ended, "invalid-body") > 0, "{}", ended.out);
}

#[test]
fn no_request_accepts_an_encoding() {
    let reference = Reference::right();
    let encoded = std::sync::Arc::new(AtomicUsize::new(0));
    let found = encoded.clone();
    let proxy = Proxy::before(&reference, move |request| {
        let accepts = request.header("accept-encoding") != Some("identity");
        found.fetch_add(usize::from(accepts), Ordering::SeqCst);
        Reply::Pass
    });
    mixed(&proxy, &reference).ended_with(0);
    assert_eq!(encoded.load(Ordering::SeqCst), 0);
}

#[test]
fn a_population_in_an_encoding_is_an_error_that_names_it() {
    let reference = Reference::right();
    let proxy = Proxy::before(&reference, |request| {
        let is_page = request.target().0 == "GET" && request.first.contains("limit=");
        let gzip = || response("200 OK", "application/json\r\ncontent-encoding: gzip", "\0\0");
        if is_page { Reply::Bytes(gzip()) } else { Reply::Pass }
    });
    let ended = mixed(&proxy, &reference).ended_with(3);
    let expected = "200 with 2 bytes of application/json, in gzip, which the request did not accept";
    assert!(ended.err.contains(expected), "{}", ended.err);
    assert_eq!(reference.left_behind(), [""; 0]);
}

#[test]
fn a_watch_that_lists_again_needs_a_list() {
    let reference = Reference::right();
    let proxy = wrong(&reference, |request| is_list(request).then(|| "null".to_owned()));
    let small =
        ["--watches", "4", "--objects", "10", "--warm-up", "1ms", "--duration", "5s", "--drain", "1s"];
    let ended = facing("relist-storm", &proxy.url(), &reference).with(&small).end().ended_with(1);
    assert!(errors(&ended, "invalid-body") > 0, "{}", ended.out);
}

#[test]
fn writes_that_return_another_object_fail() {
    let reference = Reference::right();
    let body = r#"{"metadata":{"name":"other","resourceVersion":"1"}}"#;
    let proxy = wrong(&reference, move |request| is_change(request).then(|| body.to_owned()));
    let ended = mixed(&proxy, &reference).ended_with(1);
    assert!(errors(&ended, "invalid-body") > 0, "{}", ended.out);
}

#[test]
fn a_server_that_does_not_store_what_it_acknowledges_breaks_a_rule() {
    let reference = Reference::right();
    let proxy = forgetful(&reference);
    let ended = mixed(&proxy, &reference).ended_with(1);
    assert_eq!((errors(&ended, "invalid-body"), breach(&ended)), (0, "unstored".into()), "{}", ended.out);
    assert!(ended.out.contains("lacks its last write"), "{}", ended.out);
    assert_eq!(reference.left_behind(), [""; 0]);
}

#[test]
fn a_server_that_does_not_store_what_it_creates_breaks_a_rule() {
    let reference = Reference::right();
    let proxy = wrong(&reference, |request| {
        let (method, path) = request.target();
        let is_create = method == "POST" && path.ends_with("/configmaps");
        let object: Value = serde_json::from_slice(&request.body).ok().filter(|_| is_create)?;
        // The objects behind those of the population.
        let index: usize = object["metadata"]["name"].as_str()?.strip_prefix('o')?.parse().ok()?;
        (index >= 5).then(|| object.to_string())
    });
    let program = facing("creates.toml", &proxy.url(), &reference);
    program.file("creates.toml", CREATES);
    let ended = program.end().ended_with(1);
    assert_eq!((errors(&ended, "invalid-body"), breach(&ended)), (0, "unstored".into()), "{}", ended.out);
    let actual = run(&ended)["breaches"][0]["actual"].to_string();
    assert!(actual.contains("is not found after an acknowledged write"), "{actual}");
}

/// A run that only creates, on a server that returns this for each object.
fn read_back_as(status: &'static str, body: &'static str) -> Ended {
    let reference = Reference::right();
    let proxy = Proxy::before(&reference, move |request| {
        let (method, path) = request.target();
        let is_object = method == "GET" && path.contains("/configmaps/o");
        if is_object { Reply::Bytes(response(status, "application/json", body)) } else { Reply::Pass }
    });
    let program = facing("creates.toml", &proxy.url(), &reference);
    program.file("creates.toml", CREATES);
    program.end()
}

#[test]
fn a_run_that_cannot_read_back_what_it_wrote_does_not_pass() {
    let unread = read_back_as("500 Internal Server Error", r#"{"kind":"Status"}"#).ended_with(3);
    assert!(unread.out.contains("objects could be read back"), "{}", unread.out);
    let another = read_back_as("200 OK", r#"{"metadata":{"name":"another"}}"#).ended_with(1);
    assert_eq!(breach(&another), "unstored", "{}", another.out);
}

#[test]
fn a_list_of_the_population_without_an_end_ends_the_run() {
    let reference = Reference::right();
    let page = r#"{"metadata":{"continue":"more"},"items":[{"metadata":{"name":"o1"}}]}"#;
    let proxy = wrong(&reference, move |request| {
        let is_page = request.target().0 == "GET" && request.first.contains("limit=");
        is_page.then(|| page.to_owned())
    });
    let ended = mixed(&proxy, &reference).ended_with(3);
    assert!(ended.err.contains("has no end"), "{}", ended.err);
    assert_eq!(reference.left_behind(), [""; 0]);
}

#[test]
fn applies_that_are_acknowledged_and_not_stored_break_a_rule() {
    let reference = Reference::right();
    let proxy = forgetful(&reference);
    let ended = facing("apply-storm", &proxy.url(), &reference).with(&MIX).end().ended_with(1);
    assert_eq!((errors(&ended, "invalid-body"), breach(&ended)), (0, "unstored".into()), "{}", ended.out);
}

#[test]
fn conflicts_of_applies_that_no_other_manager_explains_fail() {
    let reference = Reference::right();
    let conflict = r#"{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"Conflict","code":409}"#;
    let proxy = Proxy::before(&reference, move |request| {
        // No manager but one applies the field.
        if request.target().0 == "PATCH" && request.first.contains("fieldManager=separate") {
            Reply::Bytes(response("409 Conflict", "application/json", conflict))
        } else {
            Reply::Pass
        }
    });
    let ended = facing("apply-storm", &proxy.url(), &reference).with(&MIX).end().ended_with(1);
    assert!(errors(&ended, "409") > 0, "{}", ended.out);
}

#[test]
fn applies_that_are_stored_break_none() {
    let reference = Reference::right();
    let ended = facing("apply-storm", &reference.url(), &reference).with(&MIX).end().ended_with(0);
    assert!(run(&ended).get("breaches").is_none(), "{}", ended.out);
}

#[test]
fn a_server_that_has_what_it_acknowledges_breaks_none() {
    let reference = Reference::right();
    let ended = facing("crud-mix", &reference.url(), &reference).with(&MIX).end().ended_with(0);
    assert!(run(&ended).get("breaches").is_none(), "{}", ended.out);
    assert_eq!(errors(&ended, "invalid-body"), 0);
    let phases = run(&ended)["phases"].as_array().unwrap().clone();
    assert_eq!(phases.iter().filter(|phase| phase["name"] == "drain").count(), 1, "one drain");
}

#[test]
fn lists_without_an_end_fail() {
    let reference = Reference::right();
    let items: Vec<String> = (0..20).map(|item| format!(r#"{{"metadata":{{"name":"o{item}"}}}}"#)).collect();
    let metadata = r#""metadata":{"resourceVersion":"1","continue":"more"}"#;
    let page = format!(r#"{{"kind":"ConfigMapList",{metadata},"items":[{}]}}"#, items.join(","));
    let proxy = wrong(&reference, move |request| {
        let is_page = request.target().0 == "GET" && request.first.contains("/configmaps?limit=500");
        // The list that counts the population has an end.
        (is_page && !request.first.contains("labelSelector")).then(|| page.clone())
    });
    let mix = ["--objects", "20", "--rate", "100", "--warm-up", "1ms", "--duration", "4s"];
    let ended = facing("crud-mix", &proxy.url(), &reference).with(&mix).end().ended_with(1);
    assert!(errors(&ended, "invalid-body") > 0, "{}", ended.out);
    assert_eq!(reference.left_behind(), [""; 0]);
}

#[test]
fn lists_of_watches_that_fail_count_as_errors() {
    let reference = Reference::right();
    let proxy = Proxy::before(&reference, |request| {
        let refused = || response("500 Internal Server Error", "application/json", "{}");
        if is_list(request) { Reply::Bytes(refused()) } else { Reply::Pass }
    });
    // Without a threshold for deliveries: the lists alone fail.
    let small = [
        ["--watches", "4"],
        ["--objects", "10"],
        ["--warm-up", "1ms"],
        ["--duration", "5s"],
        ["--drain", "1s"],
        ["--threshold", "delivered>=0%"],
    ];
    let ended = facing("relist-storm", &proxy.url(), &reference).with(&small.concat()).end();
    assert!(errors(&ended, "500") > 0, "{}", ended.out);
    assert!(ended.ended_with(1).out.contains("failed<=1%"));
}

#[test]
fn a_list_of_a_watch_is_sent_again_if_the_connection_closes() {
    let reference = Reference::right();
    let lists = AtomicUsize::new(0);
    let proxy = Proxy::before(&reference, move |request| {
        let is_first = is_list(request) && lists.fetch_add(1, Ordering::SeqCst) == 0;
        if is_first { Reply::Bytes(Vec::new()) } else { Reply::Pass }
    });
    let small =
        ["--watches", "1", "--objects", "10", "--warm-up", "1ms", "--duration", "5s", "--drain", "1s"];
    let ended = facing("relist-storm", &proxy.url(), &reference).with(&small).end().ended_with(0);
    assert_eq!(errors(&ended, "cut"), 0, "{}", ended.out);
}

#[test]
fn watch_events_without_line_feeds_are_read() {
    let reference = Reference::right();
    let proxy = Proxy::before(&reference, |request| {
        if request.first.contains("watch=1") { Reply::Unseparated } else { Reply::Pass }
    });
    let small = ["--watches", "4", "--objects", "10", "--rate", "20", "--duration", "2s"];
    let rules = ["--threshold", "delivered=100%", "--threshold", "ended=0"];
    let ended = facing("watch-fanout", &proxy.url(), &reference).with(&small).with(&rules).end();
    let run = run(&ended.ended_with(0));
    assert_eq!(run["deliveries"]["delivered"], 40 * 4, "{run}");
}
