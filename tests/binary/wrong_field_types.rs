//! `run` on a server that returns fields of wrong types: no scenario breaks that changes what it has read.

use serde_json::{Value, json};

use crate::support::http::{Message, edited, exchange};
use crate::support::{Ended, Proxy, Reference, Reply, kube_assay};

/// Their scenarios read an object, and send it back with a change.
const CLAUSES: [&str; 7] = [
    "deletion-finalizers-removable-in-any-order",
    "deletion-timestamp-cannot-be-cleared",
    "fieldval-strict-rejects-before-storing",
    "apply-ownership-unchanged-value-not-claimed-by-update",
    "spec-status-access-can-differ",
    "spec-status-status-subresource-keeps-spec",
    "managed-fields-subresource-api-version-is-main",
];

/// Fields of objects, each with the names of those that it is in.
const PLACES: [&[&str]; 5] = [&["metadata"], &["metadata", "labels"], &["spec"], &["status"], &["data"]];

/// Sets a field of a single object, unless the run needs the object for others.
fn set(object: &mut Value, place: &[&str], value: &Value) {
    let kind = object["kind"].as_str().unwrap_or_default();
    let is_needed = ["Namespace", "CustomResourceDefinition"].contains(&kind);
    if object["metadata"]["name"].is_string() && !is_needed {
        *place.iter().fold(object, |json, field| &mut json[*field]) = value.clone();
    }
}

/// A run on a server whose objects have this value at this place, in each response to a scenario.
fn run(place: &'static [&'static str], value: Value) -> Ended {
    let reference = Reference::right();
    let address = reference.address();
    let proxy = Proxy::before(&reference, move |request| {
        let of_scenario = request.header("user-agent").is_some_and(|agent| agent.contains(" scenario/"));
        if !of_scenario || request.first.contains("watch=") {
            return Reply::Pass;
        }
        let bytes = exchange(&address, request).unwrap_or_default();
        let response = Message::read(&mut bytes.as_slice()).unwrap_or_default();
        Reply::Bytes(edited(response, |object| set(object, place, &value)).bytes())
    });
    let program = kube_assay(&["run", "--server", &proxy.url(), "--token", reference.token()]);
    let program = program.with(&["--event-timeout", "1s"]);
    CLAUSES.into_iter().fold(program, |program, clause| program.with(&["--clause", clause])).end()
}

#[test]
fn a_field_of_a_wrong_type_breaks_no_scenario() {
    let numbers = PLACES.into_iter().map(|place| (place, json!(1)));
    let others = [json!("x"), Value::Null, json!([])].map(|value| (PLACES[2], value));
    for (place, value) in numbers.chain(others) {
        let written = run(place, value.clone()).everything();
        assert!(!written.contains("bug of kube-assay"), "{place:?} {value}: {written}");
    }
}

#[test]
fn a_test_error_names_the_field_of_a_wrong_type() {
    let events = run(&["spec"], json!(1)).report("events.jsonl");
    assert!(events.contains("object.spec is a number, not an object"), "{events}");
}
