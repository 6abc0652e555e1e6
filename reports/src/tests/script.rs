//! The script that repeats a failed scenario.

use model::{
    Curl, EventKind, Outcome, RecordedRequest, RecordedStep, Request, RunStarted, ScenarioFinished,
    ServerValue,
};
use serde_json::json;

use super::example::failed;
use crate::script::{Script, script};
use crate::tests::schema::violations;

const RUN: &str = "k3f9x";
const NAMESPACE: &str = "/api/v1/namespaces/assay-k3f9x-7-0";

fn value(key: &str, number: usize, value: &str) -> ServerValue {
    ServerValue { key: key.to_owned(), number, value: value.to_owned() }
}

fn step(at: usize, request: &Request, status: u16, values: Vec<ServerValue>) -> RecordedStep {
    let recorded = RecordedRequest::of(Some(at), request).unwrap();
    let stream = request.parameter("watch").is_some();
    RecordedStep::Request(Box::new(RecordedRequest { status: Some(status), values, stream, ..recorded }))
}

fn steps() -> Vec<RecordedStep> {
    let maps = format!("{NAMESPACE}/configmaps");
    let named = |name: &str| json!({ "metadata": { "name": name } });
    let read = Request::get(format!("{maps}/a"));
    let update = json!({ "metadata": { "name": "a", "resourceVersion": "17" }, "data": { "it": "it's 17" } });
    vec![
        step(0, &Request::post("/api/v1/namespaces", &named("assay-k3f9x-7-0")), 201, Vec::new()),
        step(1, &Request::post(&maps, &named("a")), 201, vec![value("resourceVersion", 1, "17")]),
        step(2, &Request::get(&maps).query("watch", 1).query("resourceVersion", 17), 200, Vec::new()),
        RecordedStep::action("the hook compact\nran"),
        step(3, &read, 404, Vec::new()),
        step(4, &read, 404, Vec::new()),
        step(5, &read.clone().through(1), 200, Vec::new()),
        step(6, &Request::put(format!("{maps}/a"), &update), 200, Vec::new()),
    ]
}

fn written(actual: &str) -> Script {
    let example = super::example::everything();
    let EventKind::RunStarted(started) = &example[0].kind else { panic!("no start") };
    let mut started = RunStarted::clone(started);
    started.run = RUN.to_owned();
    let [address, replica] = [8001, 8002].map(|port| format!("http://127.0.0.1:{port}"));
    started.curl = Curl { address, replicas: vec![replica], bearer: true, ..Curl::default() };
    let id = "update-put-stale-rv-409";
    let outcome = failed("HTTP 409", actual);
    let finished =
        ScenarioFinished { steps: steps(), ..ScenarioFinished::new(id.into(), vec![id.into()], outcome) };
    script(&started, &finished).unwrap()
}

#[test]
fn a_script_takes_names_and_versions_from_the_new_responses() {
    let Script { text, not_repeated } = written("200 ConfigMap a");
    let (_, own) = text.split_once("\nfinish() {").unwrap();
    insta::assert_snapshot!(own);
    assert_eq!(not_repeated, ["the hook compact\nran"]);
}

#[test]
fn the_words_of_a_server_are_no_commands() {
    let text = written("it's\n$(rm -rf /); `x`").text;
    assert!(text.contains(r"printf '%s\n' 'recorded: it'\''s $(rm -rf /); `x`'"), "{text}");
}

#[test]
fn steps_match_their_schema() {
    let mut finished =
        ScenarioFinished::new("a".into(), vec!["a".into()], Outcome::Skipped { reason: String::new() });
    finished.steps = steps();
    let event = json!({ "at": "2026-01-01T00:00:00Z", "event": "scenario_finished" });
    let mut finished = serde_json::to_value(&finished).unwrap();
    finished.as_object_mut().unwrap().extend(event.as_object().unwrap().clone());
    let schema = include_str!("../../schema/events.json");
    assert_eq!(violations(schema, &finished), [""; 0]);
    finished["steps"][0]["unknown"] = 1.into();
    assert_eq!(violations(schema, &finished).len(), 1);
}
