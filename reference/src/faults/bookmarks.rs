//! Faults of watch bookmarks.

use serde_json::{Value, json};

use crate::fault::{Edit, Edit::*, Event, Fault, When, When::*, on};

const WITH_BOOKMARKS: When = Is("allowWatchBookmarks", "true");
const BOOKMARKED: &[When] = &[Watch, WITH_BOOKMARKS];
const AS_METADATA: When = HeaderHas("accept", "as=PartialObjectMetadata");

/// An edit of every bookmark.
const fn edit_bookmarks(edit: &'static Edit) -> Edit {
    Events(Event::Edit("BOOKMARK", edit))
}

#[rustfmt::skip]
pub(super) const FAULTS: &[Fault] = &[
    on("bookmarks-event-exists", "a bookmark comes as a MODIFIED event without a name", BOOKMARKED, &[Events(Event::Retype("BOOKMARK", "MODIFIED"))]),
    on("bookmarks-mark-complete", "the server sends a bookmark before the preceding event", BOOKMARKED, &[Events(Event::Recall(bookmarks_first))]),
    on("bookmarks-object-type", "a bookmark is a Status", BOOKMARKED, &[edit_bookmarks(&Set("/kind", "\"Status\"")), edit_bookmarks(&Set("/apiVersion", "\"v1\""))]),
    on("bookmarks-only-rv", "a bookmark repeats the object of the preceding event", BOOKMARKED, &[Events(Event::Recall(with_last_object))]),
    on("bookmarks-opt-in-parameter", "the server rejects allowWatchBookmarks=true", BOOKMARKED, &[Reject(400, "BadRequest", "unknown parameter allowWatchBookmarks")]),
    on("bookmarks-none-without-opt-in", "the server sends bookmarks on every watch", &[Watch, Not(&WITH_BOOKMARKS)], &[SetParameter("allowWatchBookmarks", "true")]),
    on("bookmarks-rv-usable", "bookmarks have unrelated resource versions", BOOKMARKED, &[edit_bookmarks(&Set("/metadata/resourceVersion", "\"999999\""))]),
    on("bookmarks-rv-not-behind", "a bookmark has the first resource version of the watch", BOOKMARKED, &[Events(Event::Recall(at_first_version))]),
    on("bookmarks-advance-past-foreign-changes", "a bookmark repeats the resource version of the last event", BOOKMARKED,
        &[Events(Event::Recall(at_last_version))]),
    on("bookmarks-ignored-on-list", "the server rejects allowWatchBookmarks on a list", &[Method("GET"), Not(&Watch), Present("allowWatchBookmarks")],
        &[Reject(400, "BadRequest", "allowWatchBookmarks is for watches")]),
    on("bookmarks-ignored-by-old-servers", "the server rejects allowWatchBookmarks for events", &[Watch, Plural("events"), WITH_BOOKMARKS],
        &[Reject(400, "BadRequest", "events have no bookmarks")]),
    on("bookmarks-representation", "a bookmark has the full type though the client requests PartialObjectMetadata", &[Watch, WITH_BOOKMARKS, AS_METADATA],
        &[edit_bookmarks(&Set("/kind", "\"ConfigMap\"")), edit_bookmarks(&Set("/apiVersion", "\"v1\""))]),
];

fn is_bookmark(event: &Value) -> bool {
    event["type"] == "BOOKMARK"
}

/// Delays every event until the next one. If the next one is a bookmark, it is sent first.
pub(super) fn bookmarks_first(held: &mut Value, event: Value) -> Vec<Value> {
    if is_bookmark(&event) {
        return [event, held.take()].into_iter().filter(|event| !event.is_null()).collect();
    }
    let before = std::mem::replace(held, event);
    Some(before).filter(|event| !event.is_null()).into_iter().collect()
}

fn with_last_object(last: &mut Value, mut event: Value) -> Vec<Value> {
    if !is_bookmark(&event) {
        *last = event["object"].clone();
    } else if !last.is_null() {
        let version = event["object"]["metadata"]["resourceVersion"].take();
        event["object"] = last.clone();
        event["object"]["metadata"]["resourceVersion"] = version;
    }
    vec![event]
}

fn at_first_version(first: &mut Value, event: Value) -> Vec<Value> {
    if first.is_null() && !is_bookmark(&event) {
        *first = event["object"]["metadata"]["resourceVersion"].clone();
    }
    at(first, event)
}

/// Also for streaming lists.
pub(super) fn at_last_version(last: &mut Value, event: Value) -> Vec<Value> {
    if !is_bookmark(&event) {
        *last = event["object"]["metadata"]["resourceVersion"].clone();
    }
    at(last, event)
}

/// Sets the version of a bookmark, if there is one.
pub(super) fn at(version: &Value, mut event: Value) -> Vec<Value> {
    if is_bookmark(&event) && !version.is_null() {
        event["object"]["metadata"]["resourceVersion"] = json!(version);
    }
    vec![event]
}
