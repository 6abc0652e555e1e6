//! Tests of the fault layer.

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::Request;
use serde_json::{Value, json};
use tower::ServiceExt;

use super::{Edit::*, *};

const LIST: &str =
    r#"{"metadata":{"resourceVersion":"9"},"items":[{"metadata":{"name":"a"}},{"metadata":{"name":"b"}}]}"#;
const WATCH: &str = concat!(
    r#"{"type":"ADDED","object":{"n":1}}"#,
    "\n",
    r#"{"type":"MODIFIED","object":{"n":2}}"#,
    "\n",
    r#"{"type":"BOOKMARK","object":{"n":3}}"#,
    "\n",
);

/// A server that returns the request's query in a header.
async fn echo(request: Request) -> ([(&'static str, String); 1], &'static str) {
    let query = request.uri().query().unwrap_or_default().to_owned();
    ([("query", query)], if request.uri().path().ends_with("watched") { WATCH } else { LIST })
}

async fn send(fault: Fault, uri: &str) -> (u16, String, String) {
    let fault: &'static Fault = Box::leak(Box::new(fault));
    let router = Router::new().fallback(echo).layer(FaultLayer::new(&[fault]));
    let request = Request::builder().uri(uri).body(Body::empty()).unwrap();
    let response = router.oneshot(request).await.unwrap();
    let query = response.headers().get("query").map(|query| query.to_str().unwrap().to_owned());
    let status = response.status().as_u16();
    let body = to_bytes(response.into_body(), 1 << 20).await.unwrap();
    (status, query.unwrap_or_default(), String::from_utf8(body.to_vec()).unwrap())
}

async fn list(edits: &'static [Edit]) -> Value {
    let fault = on("x", "", &[When::Collection], edits);
    serde_json::from_str(&send(fault, "/api/v1/configmaps").await.2).unwrap()
}

async fn watch(edits: &'static [Edit]) -> String {
    let fault = on("x", "", &[When::Watch], edits);
    let text = send(fault, "/api/v1/watched?watch=1").await.2;
    let event = |line: &str| {
        let event: Value = serde_json::from_str(line).unwrap();
        format!("{}{}", &event["type"].as_str().unwrap()[..1], event["object"]["n"])
    };
    text.lines().map(event).collect::<Vec<_>>().join(" ")
}

#[tokio::test]
async fn request_parameters_change() {
    let rename = on(
        "x",
        "",
        &[When::Has("a")],
        &[RenameParameter("a", "b"), SetParameter("c", "3"), DropParameter("d")],
    );
    assert_eq!(send(rename, "/api/v1/configmaps?a=1&d=2").await.1, "b=1&c=3");
}

#[tokio::test]
async fn a_false_condition_changes_nothing() {
    let fault = on("x", "", &[When::Collection, When::Lacks("a")], &[Status(500), Text("no")]);
    let (status, _, body) = send(fault, "/api/v1/configmaps?a=1").await;
    assert_eq!((status, body.as_str()), (200, LIST));
}

#[tokio::test]
async fn responses_change() {
    assert_eq!(list(&[Set("/metadata/resourceVersion", "7")]).await["metadata"]["resourceVersion"], 7);
    assert_eq!(list(&[Remove("/metadata")]).await.get("metadata"), None);
    assert_eq!(list(&[EachItem(&Set("/x", "1"))]).await["items"][1]["x"], 1);
    assert_eq!(list(&[EditItems(Items::DropLast)]).await["items"].as_array().unwrap().len(), 1);
    assert_eq!(list(&[EditItems(Items::Reverse)]).await["items"][0]["metadata"]["name"], "b");
    assert_eq!(list(&[EditItems(Items::Null)]).await["items"], json!(null));
}

#[tokio::test]
async fn requests_are_rejected_and_responses_replaced() {
    let fault = on("x", "", &[When::StatusIs(200)], &[Fail(503, "Unavailable", "no")]);
    let (status, _, body) = send(fault, "/api/v1/configmaps").await;
    assert_eq!(status, 503);
    assert!(body.contains(r#""reason":"Unavailable""#));
    let fault = on("x", "", &[When::Method("GET")], &[Respond(418, "text/plain", "teapot")]);
    assert_eq!(send(fault, "/livez").await, (418, String::new(), "teapot".to_owned()));
}

#[tokio::test]
async fn watch_events_change() {
    assert_eq!(watch(&[Events(Event::Drop("MODIFIED"))]).await, "A1 B3");
    assert_eq!(watch(&[Events(Event::Duplicate("ADDED"))]).await, "A1 A1 M2 B3");
    assert_eq!(watch(&[Events(Event::Retype("MODIFIED", "DELETED"))]).await, "A1 D2 B3");
    assert_eq!(watch(&[Events(Event::Swap)]).await, "M2 A1 B3");
    assert_eq!(watch(&[Events(Event::EndAfter(1))]).await, "A1");
    assert_eq!(watch(&[Events(Event::Skip(2))]).await, "B3");
    assert_eq!(watch(&[Events(Event::First(r#"{"type":"X","object":{"n":0}}"#))]).await, "X0 A1 M2 B3");
    assert_eq!(watch(&[Events(Event::Edit("BOOKMARK", &Set("/n", "9")))]).await, "A1 M2 B9");
    let repeat_late: Event = Event::Recall(|before, event| {
        let before = std::mem::replace(before, event);
        if before.is_null() { Vec::new() } else { vec![before.clone(), before] }
    });
    assert_eq!(watch(Box::leak(Box::new([Events(repeat_late)]))).await, "A1 A1 M2 M2");
    assert_eq!(
        watch(&[Events(Event::Line(|mut event| {
            event["object"]["n"] = 5.into();
            Some(event)
        }))])
        .await,
        "A5 M5 B5"
    );
}

#[test]
fn faults_have_unique_names_and_descriptions() {
    let mut names = std::collections::HashSet::new();
    for fault in crate::faults() {
        assert!(names.insert(fault.name), "{} twice", fault.name);
        assert!(!fault.what.is_empty(), "{}", fault.name);
        if let FaultMechanism::Wire(wire) | FaultMechanism::Replica(wire) = fault.rule {
            assert!(!wire.edits.is_empty(), "{}", fault.name);
        }
    }
}

/// The number of exchanges that a fault changes, of one.
async fn effects(when: &'static [When], edits: &'static [Edit], uri: &str) -> usize {
    let fault: &'static Fault = Box::leak(Box::new(on("x", "", when, edits)));
    let counted = Effects::default();
    let router = Router::new().fallback(echo).layer(FaultLayer::new(&[fault]).counting(&counted));
    let request = Request::builder().uri(uri).body(Body::empty()).unwrap();
    let response = router.oneshot(request).await.unwrap();
    to_bytes(response.into_body(), 1 << 20).await.unwrap();
    counted.count()
}

#[tokio::test]
async fn only_changed_responses_count_as_effects() {
    const LIST_AT: &str = "/api/v1/configmaps?a=1";
    const WATCH_AT: &str = "/api/v1/watched?watch=1";
    let collection: &'static [When] = &[When::Collection];
    assert_eq!(effects(collection, &[Remove("/metadata/shardInfo")], LIST_AT).await, 0);
    assert_eq!(effects(collection, &[Remove("/metadata/resourceVersion")], LIST_AT).await, 1);
    assert_eq!(effects(collection, &[DropParameter("b")], LIST_AT).await, 0);
    // The query is only in a header: the compared bodies are equal.
    assert_eq!(effects(collection, &[DropParameter("a")], LIST_AT).await, 0);
    assert_eq!(effects(collection, &[ReplaceInPath("configmaps", "watched")], LIST_AT).await, 1);
    assert_eq!(effects(&[When::Is("a", "2")], &[Status(500)], LIST_AT).await, 0);
    assert_eq!(effects(collection, &[Reject(405, "MethodNotAllowed", "no")], LIST_AT).await, 1);
    assert_eq!(effects(&[When::Watch], &[Events(Event::Drop("DELETED"))], WATCH_AT).await, 0);
    assert!(effects(&[When::Watch], &[Events(Event::Drop("BOOKMARK"))], WATCH_AT).await > 0);
    assert!(effects(&[When::Watch], &[Events(Event::Swap)], WATCH_AT).await > 0);
}
