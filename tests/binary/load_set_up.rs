//! `load` on servers that do not let it create its objects at once.

use std::collections::BTreeSet;
use std::sync::Mutex;

use serde_json::Value;

use crate::load::facing;
use crate::support::http::{exchange, response, with_body};
use crate::support::{Proxy, Reference, Reply};

#[test]
fn the_refusal_of_the_population_shows_no_credential() {
    let reference = Reference::right();
    let token = reference.token();
    let status = format!(r#"{{"kind":"Status","reason":"Invalid","message":"bad {token}","code":422}}"#);
    let proxy = Proxy::before(&reference, move |request| match request.target() {
        ("POST", path) if path.ends_with("/configmaps") => {
            Reply::Bytes(response("422 Unprocessable Entity", "application/json", &status))
        }
        _ => Reply::Pass,
    });
    let error = facing("crud-mix", &proxy.url(), &reference).end().error();
    assert!(error.contains("bad [redacted]") && !error.contains(token), "{error}");
    assert_eq!(reference.left_behind(), [""; 0]);
}

#[test]
fn creates_whose_connection_ends_are_sent_again_and_find_what_they_have_created() {
    let reference = Reference::right();
    let (address, seen) = (reference.address(), Mutex::new(BTreeSet::new()));
    let proxy = Proxy::before(&reference, move |request| {
        let body: Value = serde_json::from_slice(&request.body).unwrap_or_default();
        let name = body["metadata"]["name"].as_str().unwrap_or_default().to_owned();
        let is_namespace = body["kind"] == "Namespace" && !body.to_string().contains("rehearsal");
        let is_lost = is_namespace || ["o1", "o2"].contains(&name.as_str());
        let is_first = request.target().0 == "POST" && is_lost && seen.lock().unwrap().insert(name.clone());
        if !is_first {
            return Reply::Pass;
        }
        if name != "o1" {
            exchange(&address, request).unwrap();
        }
        Reply::Bytes(Vec::new())
    });
    let small = ["--objects", "20", "--rate", "20", "--warm-up", "1ms", "--duration", "2s"];
    facing("crud-mix", &proxy.url(), &reference).with(&small).end().ended_with(0);
    assert_eq!(reference.left_behind(), [""; 0]);
}

#[test]
fn an_object_of_another_program_is_none_of_the_population() {
    let reference = Reference::right();
    let (address, seen) = (reference.address(), Mutex::new(BTreeSet::new()));
    let proxy = Proxy::before(&reference, move |request| {
        let mut body: Value = serde_json::from_slice(&request.body).unwrap_or_default();
        if request.target().0 != "POST"
            || body["metadata"]["name"] != "o1"
            || !seen.lock().unwrap().insert("o1")
        {
            return Reply::Pass;
        }
        body["metadata"].as_object_mut().unwrap().remove("labels");
        exchange(&address, &with_body(request.clone(), body.to_string().into_bytes())).unwrap();
        Reply::Bytes(Vec::new())
    });
    let error = facing("crud-mix", &proxy.url(), &reference).with(&["--objects", "20"]).end().error();
    assert!(error.starts_with("exit 3") && error.contains("409") && error.contains("o1"), "{error}");
    assert_eq!(reference.left_behind(), [""; 0]);
}
