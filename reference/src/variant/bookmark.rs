//! Bookmark variants: fewer or more bookmarks than kube-apiserver sends.

use serde_json::{Value, json};

use crate::watch::INITIAL_EVENTS_END;

/// Removes optional bookmarks.
pub(super) fn none_but_closing(event: Value) -> Option<Value> {
    (event["type"] != "BOOKMARK" || ends_initial_events(&event)).then_some(event)
}

/// Removes the bookmark at the end of the initial events.
pub(super) fn none_that_closes(event: Value) -> Option<Value> {
    (event["type"] != "BOOKMARK" || !ends_initial_events(&event)).then_some(event)
}

/// Adds a bookmark after each change of an object.
///
/// Initial events have no version order, and a table needs an object.
pub(super) fn after_each(_: &mut Value, event: Value) -> Vec<Value> {
    let object = &event["object"];
    if !matches!(event["type"].as_str(), Some("MODIFIED" | "DELETED")) || object["kind"] == "Table" {
        return vec![event];
    }
    let metadata = json!({ "resourceVersion": object["metadata"]["resourceVersion"] });
    let bookmark_object =
        json!({ "kind": object["kind"], "apiVersion": object["apiVersion"], "metadata": metadata });
    let bookmark = json!({ "type": "BOOKMARK", "object": bookmark_object });
    vec![event, bookmark]
}

/// Whether a bookmark has the annotation, in its object or its table row.
fn ends_initial_events(bookmark: &Value) -> bool {
    let annotated = |object: &Value| object["metadata"]["annotations"][INITIAL_EVENTS_END] == "true";
    annotated(&bookmark["object"]) || annotated(&bookmark["object"]["rows"][0]["object"])
}
