//! Faults of streaming lists (sendInitialEvents).

use serde_json::{Value, json};

use super::bookmarks::{at, at_last_version};
use super::{AT_A_VERSION, FROM_NOW, OF_THE_FUTURE};
use crate::fault::{Edit, Edit::*, Event, Fault, When, When::*, on, store};
use crate::store::StoreFault;
use crate::watch::INITIAL_EVENTS_END;

const ASKED: When = Is("sendInitialEvents", "true");
const STREAMING: &[When] = &[Watch, ASKED];
const MARKED: When = Is("allowWatchBookmarks", "true");
const LEGACY: &[When] = &[Watch, Not(&Mentions("sendInitialEvents")), Not(&AT_A_VERSION)];
const UNMARKED: Edit = Events(Event::Edit("BOOKMARK", &Remove("/metadata/annotations")));

#[rustfmt::skip]
pub(super) const FAULTS: &[Fault] = &[
    on("streaming-list-initial-added", "the server loses the first initial event", STREAMING, &[Events(Event::Lose(1, 1))]),
    on("streaming-list-bookmark-after-initial", "the initial-events-end bookmark arrives after a minute", STREAMING, &[Events(Event::Delay("BOOKMARK", 60_000))]),
    on("streaming-list-bookmark-required", "the server sends no initial-events-end bookmark", STREAMING, &[Events(Event::Drop("BOOKMARK"))]),
    on("streaming-list-no-bookmark-unless-asked", "the server sends bookmarks without allowWatchBookmarks", &[Watch, ASKED, Not(&MARKED)], &[SetParameter("allowWatchBookmarks", "true")]),
    on("streaming-list-bookmark-rv", "the bookmark has the resourceVersion of the last object", STREAMING, &[Events(Event::Recall(at_last_version))]),
    on("streaming-list-continues-as-watch", "the server closes the watch after the bookmark", STREAMING, &[Events(Event::EndAfter(3))]),
    on("streaming-list-requires-match", "the server ignores sendInitialEvents without resourceVersionMatch", &[Watch, ASKED, Lacks("resourceVersionMatch")],
        &[DropParameter("sendInitialEvents")]),
    on("streaming-list-requires-not-older-than", "the server reads Exact as NotOlderThan", &[Watch, ASKED, Is("resourceVersionMatch", "Exact")],
        &[SetParameter("resourceVersionMatch", "NotOlderThan")]),
    store("streaming-list-empty-rv-consistent", "the initial events show the state before the last write", StoreFault::WatchesFromBefore),
    on("streaming-list-empty-equals-absent", "the server rejects an empty resourceVersion", &[Watch, ASKED, Is("resourceVersion", "")],
        &[Refuse(422, "Invalid", "resourceVersion: Invalid value: \"\"")]),
    on("streaming-list-consistent-bookmark-timing", "the bookmark has an older resourceVersion than the last object", STREAMING,
        &[Events(Event::Recall(before_last_version))]),
    on("streaming-list-given-rv-bookmark", "the initial events are older than the given resourceVersion", &[Watch, ASKED, AT_A_VERSION],
        &[Events(Event::Edit("ADDED", &EditJson(older)))]),
    on("streaming-list-initial-unordered", "all initial events have one resourceVersion", STREAMING, &[Events(Event::Recall(at_one_version))]),
    on("streaming-list-initial-object-rv", "initial events have the same resourceVersion for every object", STREAMING,
        &[Events(Event::Edit("ADDED", &Set("/metadata/resourceVersion", "\"999999\"")))]),
    on("streaming-list-gated", "the server ignores sendInitialEvents and starts the watch now", STREAMING, FROM_NOW),
    on("streaming-list-forbidden-on-list", "a list ignores sendInitialEvents", &[Listing], &[DropParameter("sendInitialEvents")]),
    on("streaming-list-match-needs-initial-events", "a watch ignores resourceVersionMatch", &[Watch, Not(&Mentions("sendInitialEvents"))],
        &[DropParameter("resourceVersionMatch")]),
    on("streaming-list-annotation", "the bookmark lacks the initial-events-end annotation", STREAMING, &[UNMARKED]),
    on("streaming-list-annotation-once", "every bookmark has the initial-events-end annotation", STREAMING, &[Events(Event::Edit("BOOKMARK", &EditJson(mark)))]),
    on("streaming-list-default-on-legacy", "a watch without a resourceVersion has no initial events", LEGACY, FROM_NOW),
    on("streaming-list-explicit-false", "the server reads sendInitialEvents=false as unset", &[Watch, Is("sendInitialEvents", "false")],
        &[DropParameter("sendInitialEvents"), DropParameter("resourceVersionMatch")]),
    on("streaming-list-rv-zero", "the server rejects resourceVersion 0", &[Watch, ASKED, Is("resourceVersion", "0")], &[Refuse(422, "Invalid", "resourceVersion: Invalid value: \"0\"")]),
    on("streaming-list-empty-collection", "the bookmark of an empty collection waits for an object", STREAMING, &[Events(Event::Recall(bookmark_with_object))]),
    on("streaming-list-selectors", "the initial events ignore selectors", STREAMING, &[DropParameter("labelSelector"), DropParameter("fieldSelector")]),
    on("streaming-list-equals-list", "the server loses the last initial event", STREAMING, &[Events(Event::Recall(without_last))]),
    on("streaming-list-live-events-before-bookmark", "the server sends ADDED events twice", STREAMING,
        &[Events(Event::Duplicate("ADDED"))]),
    on("streaming-list-future-rv", "the server ignores a future resourceVersion", &[Watch, ASKED, OF_THE_FUTURE], &[DropParameter("resourceVersion")]),
    on("streaming-list-blueprint-annotation", "the bookmark has another annotation instead of initial-events-end", STREAMING,
        &[UNMARKED, Events(Event::Edit("BOOKMARK", &Set("/metadata/annotations/k8s.io~1initial-events-list-blueprint", "\"e30=\"")))]),
    on("streaming-list-table", "a Table bookmark has no annotations", &[Watch, ASKED, HeaderHas("accept", "as=Table")],
        &[Events(Event::Edit("BOOKMARK", &Remove("/rows/0/object/metadata/annotations")))]),
    on("streaming-list-metadata-only", "a PartialObjectMetadata bookmark has no initial-events-end annotation", &[Watch, ASKED, HeaderHas("accept", "as=PartialObjectMetadata")], &[UNMARKED]),
    on("streaming-list-custom-resources", "custom resources get no initial-events-end bookmark", &[Watch, ASKED, Custom], &[Events(Event::Drop("BOOKMARK"))]),
];

fn number(version: &Value) -> u64 {
    version.as_str().and_then(|version| version.parse().ok()).unwrap_or_default()
}

/// An object at the version before its own.
fn older(object: &mut Value) {
    let version = &mut object["metadata"]["resourceVersion"];
    *version = json!((number(version) - 1).to_string());
}

/// A bookmark at the version before that of the newest object.
fn before_last_version(newest: &mut Value, event: Value) -> Vec<Value> {
    if event["type"] == "ADDED" {
        let version = number(&event["object"]["metadata"]["resourceVersion"]) - 1;
        *newest = json!(version.max(number(newest)).to_string());
    }
    at(newest, event)
}

/// Every object has the version of the first.
fn at_one_version(first: &mut Value, mut event: Value) -> Vec<Value> {
    let version = &mut event["object"]["metadata"]["resourceVersion"];
    if first.is_null() {
        *first = version.clone();
    }
    version.clone_from(first);
    vec![event]
}

fn mark(bookmark: &mut Value) {
    bookmark["metadata"]["annotations"] = json!({ INITIAL_EVENTS_END: "true" });
}

/// Bookmarks are held back until there is an event that is none: the last of them is sent behind it.
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

/// The last event before the first bookmark is lost, all others come one later.
fn without_last(held: &mut Value, event: Value) -> Vec<Value> {
    let told = if event["type"] == "BOOKMARK" {
        *held = json!(false);
        event
    } else if *held == json!(false) {
        event
    } else {
        std::mem::replace(held, event)
    };
    Some(told).filter(|event| !event.is_null()).into_iter().collect()
}
