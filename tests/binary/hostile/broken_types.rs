//! Servers with one type whose storage is broken: scenarios about all types judge the others.

use serde_json::json;

use crate::support::http::response;
use crate::support::{Ended, Proxy, Reference, Reply, kube_assay};

/// A run with one clause on a server whose lists and watches of Endpoints have this reply in scenarios.
fn run(reference: &Reference, reply: fn() -> Reply, clause: &str, arguments: &[&str]) -> Ended {
    let proxy = Proxy::before(reference, move |request| {
        let of_scenario = request.header("user-agent").is_some_and(|agent| agent.contains(" scenario/"));
        match request.target() {
            ("GET", path) if of_scenario && path.ends_with("/endpoints") => reply(),
            _ => Reply::Pass,
        }
    });
    let run = kube_assay(&["run", "--strict", "--server", &proxy.url(), "--token", reference.token()]);
    run.with(&["--clause", clause]).with(arguments).end()
}

fn failure(status: &str, message: &str) -> Reply {
    let code: u16 = status[..3].parse().unwrap();
    let body = json!({
        "kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure",
        "reason": "InternalError", "code": code, "message": message,
    });
    Reply::Bytes(response(status, "application/json", &body.to_string()))
}

fn unavailable() -> Reply {
    failure("503 Service Unavailable", "the storage of the type is away")
}

#[test]
fn a_type_that_cannot_be_judged_is_named_and_the_others_are_judged() {
    const CLAUSE: &str = "discovery-verbs-truthful";
    let ended = run(&Reference::right(), unavailable, CLAUSE, &[]).ended_with(3);
    let named = r#""action":"GET /api/v1/namespaces/default/endpoints","cause":"503 "#;
    assert!(ended.report("events.jsonl").contains(named), "{}", ended.out);

    run(&Reference::wrong(&[CLAUSE]), unavailable, CLAUSE, &[]).ended_with(1);
}

/// As for a Secret that kube-apiserver cannot decrypt: the type is at its path nevertheless.
#[test]
fn a_list_that_fails_does_not_show_where_the_type_is() {
    const CLAUSE: &str = "discovery-namespaced-truthful";
    let undecryptable = || failure("500 Internal Server Error", "unable to transform key");
    let ended = run(&Reference::right(), undecryptable, CLAUSE, &[]).ended_with(3);
    let cause = r#""cause":"500 InternalError: unable to transform key""#;
    assert!(ended.report("events.jsonl").contains(cause), "{}", ended.out);

    run(&Reference::wrong(&[CLAUSE]), undecryptable, CLAUSE, &[]).ended_with(1);
}

#[test]
fn a_type_without_a_response_is_named_and_keeps_no_other_one_from_being_listed() {
    const CLAUSE: &str = "discovery-namespaced-truthful";
    let ended = run(&Reference::right(), || Reply::Hold, CLAUSE, &[]).ended_with(0);
    let events = ended.report("events.jsonl");
    assert!(events.contains("left out: failed to ") && events.contains("/endpoints"), "{events}");
}

/// A request for one type has 10 s, and all of them have half of the time of the scenario.
#[test]
fn a_scenario_without_time_for_all_types_is_inconclusive() {
    let timeout = ["--scenario-timeout", "19s"];
    let ended = run(&Reference::right(), || Reply::Hold, "discovery-namespaced-truthful", &timeout);
    let ended = ended.ended_with(3);
    let unjudged = r#""action":"send the requests about all types of the server""#;
    assert!(ended.report("events.jsonl").contains(unjudged), "{}", ended.out);
}
