//! `load` on a server whose responses have the right status and the wrong content.

use serde_json::Value;

use crate::load::{facing, run};
use crate::support::http::{Message, response};
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

/// Whether a request writes an object that exists.
fn is_change(request: &Message) -> bool {
    let (method, path) = request.target();
    ["PUT", "PATCH"].contains(&method) && path.contains("/configmaps/o")
}

/// Creates alone.
const CREATES: &str = r#"
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

fn mixed(proxy: &Proxy, reference: &Reference) -> Ended {
    facing("crud-mix", &proxy.url(), reference).with(&MIX).end()
}

/// The number of errors of this class.
fn errors(ended: &Ended, class: &str) -> u64 {
    let run = run(ended);
    let series = run["series"].as_array().unwrap().clone();
    series.iter().filter_map(|series| series["errors"][class].as_u64()).sum()
}

fn breach(ended: &Ended) -> Value {
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
    let empty = r#"{"kind":"ConfigMapList","metadata":{"resourceVersion":"1"},"items":[]}"#;
    let proxy = wrong(&reference, move |request| {
        (is_read(request) && request.first.contains("limit=")).then(|| empty.to_owned())
    });
    let ended = mixed(&proxy, &reference).ended_with(1);
    assert!(errors(&ended, "invalid-body") > 0, "{}", ended.out);
}

#[test]
fn a_watch_that_lists_again_needs_a_list() {
    let reference = Reference::right();
    let proxy = wrong(&reference, |request| {
        let (method, path) = request.target();
        let is_list = method == "GET" && path.ends_with("/configmaps");
        let is_relist = is_list && !["watch=", "limit="].iter().any(|text| request.first.contains(text));
        is_relist.then(|| "null".to_owned())
    });
    let small =
        ["--watches", "4", "--objects", "10", "--warm-up", "1ms", "--duration", "5s", "--drain", "1s"];
    let ended = facing("relist-storm", &proxy.url(), &reference).with(&small).end().ended_with(3);
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
    let proxy = wrong(&reference, |request| {
        let name = request.target().1.rsplit('/').next()?.to_owned();
        is_change(request).then(|| format!(r#"{{"metadata":{{"name":"{name}"}}}}"#))
    });
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

#[test]
fn a_server_that_has_what_it_acknowledges_breaks_none() {
    let reference = Reference::right();
    let ended = facing("crud-mix", &reference.url(), &reference).with(&MIX).end().ended_with(0);
    assert!(run(&ended).get("breaches").is_none(), "{}", ended.out);
    assert_eq!(errors(&ended, "invalid-body"), 0);
    let phases = run(&ended)["phases"].as_array().unwrap().clone();
    assert_eq!(phases.iter().filter(|phase| phase["name"] == "drain").count(), 1, "one drain");
}
