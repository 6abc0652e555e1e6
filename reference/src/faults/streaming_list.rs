//! Faults of streaming lists (sendInitialEvents).

use serde_json::{Value, json};

use super::bookmarks::{at, at_last_version};
use super::{AT_A_VERSION, AT_FUTURE_VERSION, FROM_NOW};
use crate::fault::{Edit, Edit::*, Event, Fault, When, When::*, on, store};
use crate::store::StoreFault;
use crate::watch::INITIAL_EVENTS_END;

const WITH_INITIAL_EVENTS: When = Is("sendInitialEvents", "true");
const STREAMING: &[When] = &[Watch, WITH_INITIAL_EVENTS];
const WITH_BOOKMARKS: When = Is("allowWatchBookmarks", "true");
const LEGACY: &[When] = &[Watch, Not(&Present("sendInitialEvents")), Not(&AT_A_VERSION)];
const WITHOUT_ANNOTATION: Edit = Events(Event::Edit("BOOKMARK", &Remove("/metadata/annotations")));

#[rustfmt::skip]
pub(super) const FAULTS: &[Fault] = &[
    on("streaming-list-initial-added", "the server loses the first initial event", STREAMING, &[Events(Event::Lose(1, 1))]),
    on("streaming-list-bookmark-after-initial", "the initial-events-end bookmark arrives after a minute", STREAMING, &[Events(Event::Delay("BOOKMARK", 60_000))]),
    on("streaming-list-bookmark-required", "the server sends no initial-events-end bookmark", STREAMING, &[Events(Event::Drop("BOOKMARK"))]),
    on("streaming-list-no-bookmark-unless-asked", "the server sends bookmarks without allowWatchBookmarks", &[Watch, WITH_INITIAL_EVENTS, Not(&WITH_BOOKMARKS)], &[SetParameter("allowWatchBookmarks", "true")]),
    on("streaming-list-bookmark-rv", "the bookmark has the resourceVersion of the last object", STREAMING, &[Events(Event::Recall(at_last_version))]),
    on("streaming-list-continues-as-watch", "the server closes the watch after the bookmark", STREAMING, &[Events(Event::EndAfter(3))]),
    on("streaming-list-requires-match", "the server ignores sendInitialEvents without resourceVersionMatch", &[Watch, WITH_INITIAL_EVENTS, Lacks("resourceVersionMatch")],
        &[DropParameter("sendInitialEvents")]),
    on("streaming-list-requires-not-older-than", "the server reads Exact as NotOlderThan", &[Watch, WITH_INITIAL_EVENTS, Is("resourceVersionMatch", "Exact")],
        &[SetParameter("resourceVersionMatch", "NotOlderThan")]),
    store("streaming-list-empty-rv-consistent", "the initial events show the state before the last write", StoreFault::WatchesFromBefore),
    on("streaming-list-empty-equals-absent", "the server rejects an empty resourceVersion", &[Watch, WITH_INITIAL_EVENTS, Is("resourceVersion", "")],
        &[Reject(422, "Invalid", "resourceVersion: Invalid value: \"\"")]),
    on("streaming-list-consistent-bookmark-timing", "the bookmark has an older resourceVersion than the last object", STREAMING,
        &[Events(Event::Recall(before_last_version))]),
    on("streaming-list-given-rv-bookmark", "the initial events are older than the given resourceVersion", &[Watch, WITH_INITIAL_EVENTS, AT_A_VERSION],
        &[Events(Event::Edit("ADDED", &EditJson(decrement_version)))]),
    on("streaming-list-initial-unordered", "all initial events have one resourceVersion", STREAMING, &[Events(Event::Recall(at_one_version))]),
    on("streaming-list-initial-object-rv", "initial events have the same resourceVersion for every object", STREAMING,
        &[Events(Event::Edit("ADDED", &Set("/metadata/resourceVersion", "\"999999\"")))]),
    on("streaming-list-gated", "the server ignores sendInitialEvents and starts the watch now", STREAMING, FROM_NOW),
    on("streaming-list-forbidden-on-list", "a list ignores sendInitialEvents", &[List], &[DropParameter("sendInitialEvents")]),
    on("streaming-list-match-needs-initial-events", "a watch ignores resourceVersionMatch", &[Watch, Not(&Present("sendInitialEvents"))],
        &[DropParameter("resourceVersionMatch")]),
    on("streaming-list-annotation", "the bookmark lacks the initial-events-end annotation", STREAMING, &[WITHOUT_ANNOTATION]),
    on("streaming-list-annotation-once", "every bookmark has the initial-events-end annotation", STREAMING, &[Events(Event::Edit("BOOKMARK", &EditJson(annotate)))]),
    on("streaming-list-default-on-legacy", "a watch without a resourceVersion has no initial events", LEGACY, FROM_NOW),
    on("streaming-list-explicit-false", "the server reads sendInitialEvents=false as unset", &[Watch, Is("sendInitialEvents", "false")],
        &[DropParameter("sendInitialEvents"), DropParameter("resourceVersionMatch")]),
    on("streaming-list-rv-zero", "the server rejects resourceVersion 0", &[Watch, WITH_INITIAL_EVENTS, Is("resourceVersion", "0")], &[Reject(422, "Invalid", "resourceVersion: Invalid value: \"0\"")]),
    on("streaming-list-empty-collection", "the bookmark of an empty collection waits for an object", STREAMING, &[Events(Event::Recall(bookmark_with_object))]),
    on("streaming-list-selectors", "the initial events ignore selectors", STREAMING, &[DropParameter("labelSelector"), DropParameter("fieldSelector")]),
    on("streaming-list-equals-list", "the server loses the last initial event", STREAMING, &[Events(Event::Recall(without_last))]),
    on("streaming-list-live-events-before-bookmark", "the server sends ADDED events twice", STREAMING,
        &[Events(Event::Duplicate("ADDED"))]),
    on("streaming-list-future-rv", "the server ignores a future resourceVersion", &[Watch, WITH_INITIAL_EVENTS, AT_FUTURE_VERSION], &[DropParameter("resourceVersion")]),
    on("streaming-list-blueprint-annotation", "the bookmark has another annotation instead of initial-events-end", STREAMING,
        &[WITHOUT_ANNOTATION, Events(Event::Edit("BOOKMARK", &Set("/metadata/annotations/k8s.io~1initial-events-list-blueprint", "\"e30=\"")))]),
    on("streaming-list-table", "a Table bookmark has no annotations", &[Watch, WITH_INITIAL_EVENTS, HeaderHas("accept", "as=Table")],
        &[Events(Event::Edit("BOOKMARK", &Remove("/rows/0/object/metadata/annotations")))]),
    on("streaming-list-metadata-only", "a PartialObjectMetadata bookmark has no initial-events-end annotation", &[Watch, WITH_INITIAL_EVENTS, HeaderHas("accept", "as=PartialObjectMetadata")], &[WITHOUT_ANNOTATION]),
    on("streaming-list-custom-resources", "custom resources get no initial-events-end bookmark", &[Watch, WITH_INITIAL_EVENTS, Custom], &[Events(Event::Drop("BOOKMARK"))]),
];

fn version_number(version: &Value) -> u64 {
    version.as_str().and_then(|version| version.parse().ok()).unwrap_or_default()
}

/// Decrements the version of an object.
fn decrement_version(object: &mut Value) {
    let version = &mut object["metadata"]["resourceVersion"];
    *version = json!((version_number(version) - 1).to_string());
}

/// Sets a bookmark to one below the newest object's version.
fn before_last_version(newest: &mut Value, event: Value) -> Vec<Value> {
    if event["type"] == "ADDED" {
        let version = version_number(&event["object"]["metadata"]["resourceVersion"]) - 1;
        *newest = json!(version.max(version_number(newest)).to_string());
    }
    at(newest, event)
}

/// Sets the version of every object to that of the first.
fn at_one_version(first: &mut Value, mut event: Value) -> Vec<Value> {
    let version = &mut event["object"]["metadata"]["resourceVersion"];
    if first.is_null() {
        *first = version.clone();
    }
    version.clone_from(first);
    vec![event]
}

fn annotate(bookmark: &mut Value) {
    bookmark["metadata"]["annotations"] = json!({ INITIAL_EVENTS_END: "true" });
}

/// Delays bookmarks until the next other event, and sends the last of them after it.
fn bookmark_with_object(held: &mut Value, event: Value) -> Vec<Value> {
    match event["type"].as_str() {
        Some("BOOKMARK") if *held == json!(false) => vec![event],
        Some("BOOKMARK") => {
            *held = event;
            Vec::new()
        }
        _ => [event, std::mem::replace(held, json!(false))].into_iter().filter(Value::is_object).collect(),
    }
}

/// Drops the last event before the first bookmark, and delays the others by one.
fn without_last(held: &mut Value, event: Value) -> Vec<Value> {
    let sent = if event["type"] == "BOOKMARK" {
        *held = json!(false);
        event
    } else if *held == json!(false) {
        event
    } else {
        std::mem::replace(held, event)
    };
    Some(sent).filter(|event| !event.is_null()).into_iter().collect()
}
