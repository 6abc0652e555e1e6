//! Bookmark variants: fewer or more bookmarks than kube-apiserver sends.

use serde_json::{Value, json};

use crate::watch::INITIAL_EVENTS_END;

/// Drops the bookmarks that a server may send or not.
pub(super) fn none_but_closing(event: Value) -> Option<Value> {
    (event["type"] != "BOOKMARK" || closes(&event)).then_some(event)
}

/// Drops the bookmark that ends the initial events.
pub(super) fn none_that_closes(event: Value) -> Option<Value> {
    (event["type"] != "BOOKMARK" || !closes(&event)).then_some(event)
}

/// Puts a bookmark behind each change of one object: all that came before it has been told.
///
/// What begins a watch is told in another order, and a table would have to be one of no object.
pub(super) fn after_each(_: &mut Value, event: Value) -> Vec<Value> {
    let told = &event["object"];
    if !matches!(event["type"].as_str(), Some("MODIFIED" | "DELETED")) || told["kind"] == "Table" {
        return vec![event];
    }
    let metadata = json!({ "resourceVersion": told["metadata"]["resourceVersion"] });
    let object = json!({ "kind": told["kind"], "apiVersion": told["apiVersion"], "metadata": metadata });
    let bookmark = json!({ "type": "BOOKMARK", "object": object });
    vec![event, bookmark]
}

/// Whether a bookmark is marked, itself or, where it is a table, in its row.
fn closes(bookmark: &Value) -> bool {
    let marked = |object: &Value| object["metadata"]["annotations"][INITIAL_EVENTS_END] == "true";
    marked(&bookmark["object"]) || marked(&bookmark["object"]["rows"][0]["object"])
}
