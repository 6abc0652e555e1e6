//! Faults of watches.

use bytes::Bytes;
use http::request::Parts;
use serde_json::{Value, json};

use super::resource_version::zero_if_empty;
use super::{AT_A_VERSION, FROM_NOW};
use crate::fault::{Edit::*, Event, Fault, When, When::*, on, store};
use crate::store::StoreFault;

const VERSION: &str = "resourceVersion";
/// A custom type is younger than this version.
const AT_FIRST: When = Is(VERSION, "1");
const SELECTING: When = Has("labelSelector");
const MINUTES: u64 = 300_000;

#[rustfmt::skip]
pub(super) const FAULTS: &[Fault] = &[
    // The start.
    on("watch-all-object-types", "the server rejects watches of custom resources", &[Custom, Watch], &[Reject(405, "MethodNotAllowed", "no watch here")]),
    on("watch-list-then-watch", "a watch from any resourceVersion returns 410", &[Watch, AT_A_VERSION],
        &[Reject(410, "Expired", "too old resource version")]),
    on("watch-every-object-has-rv", "list items have no resourceVersion", &[List], &[EachItem(&Remove("/metadata/resourceVersion"))]),
    on("watch-collection-has-rv", "empty lists have resourceVersion 0", &[List], &[EditJson(zero_if_empty)]),
    on("watch-from-collection-rv", "the resourceVersion of a namespaced list is unrelated to the store's", &[List, Namespaced], &[EditJson(count_items)]),
    store("watch-from-object-rv", "the server counts resource versions per object", StoreFault::CountsPerObject),
    on("watch-stream-of-changes", "a watch repeats the state instead of sending changes", &[Watch, AT_A_VERSION],
        &[DropParameter(VERSION), Events(Event::Drop("DELETED")), Events(Event::Retype("MODIFIED", "ADDED"))]),
    on("watch-rv-exclusive", "a watch includes the change at its own resourceVersion", &[Watch, AT_A_VERSION], &[EditParameter(VERSION, decrement)]),
    on("watch-no-synthetic-on-exact-rv", "a watch from a resourceVersion starts with initial events", &[Watch, AT_A_VERSION], &[DropParameter(VERSION)]),
    on("watch-no-lost-events", "a watch loses changes between list and watch", &[Watch, AT_A_VERSION], FROM_NOW),
    on("watch-resume-from-last-rv", "watch events have unrelated resource versions", &[Watch], &[Events(Event::Edit("", &EditJson(prefix_event_version)))]),
    // Event types.
    on("watch-create-added", "the server sends MODIFIED instead of ADDED", &[Watch], &[Events(Event::Retype("ADDED", "MODIFIED"))]),
    on("watch-update-modified", "the server sends DELETED and ADDED for an update", &[Watch], &[Events(Event::Text(delete_and_add))]),
    on("watch-patch-modified", "the server sends no MODIFIED events", &[Watch], &[Events(Event::Drop("MODIFIED"))]),
    on("watch-delete-deleted", "the server sends no DELETED events", &[Watch], &[Events(Event::Drop("DELETED"))]),
    on("watch-status-write-modified", "the server sends no events for status changes", &[Watch], &[Events(Event::Line(drop_status_updates))]),
    store("watch-noop-write-no-event", "a write without changes sends an event", StoreFault::BumpsWithoutChange),
    on("watch-deleted-rv-advanced", "the DELETED event has the resourceVersion before the deletion", &[Watch], &[Events(Event::Edit("DELETED", &EditJson(decrement_version)))]),
    // The stream.
    on("watch-event-shape", "a watch sends events in an array", &[Watch], &[Events(Event::Text(|event| format!("[{event},\n")))]),
    on("watch-event-full-object", "events leave out kind and apiVersion", &[Watch],
        &[Events(Event::Edit("", &Remove("/kind"))), Events(Event::Edit("", &Remove("/apiVersion")))]),
    on("watch-content-type-json", "the Content-Type of a watch is text/event-stream", &[Watch], &[Header("content-type", "text/event-stream")]),
    on("watch-chunked", "the server sends the response when the watch ends", &[Watch, Has("timeoutSeconds")], &[Delay(2_000), Text("")]),
    on("watch-incremental-delivery", "the server delays events by minutes", &[Watch], &[Events(Event::Delay("", MINUTES))]),
    on("watch-header-before-events", "the response headers of a watch are delayed by minutes", &[Watch, AT_A_VERSION], &[Delay(MINUTES)]),
    // Expired versions.
    on("watch-expired-410", "a watch starts now and ignores its resourceVersion", &[Watch, AT_A_VERSION], FROM_NOW),
    on("watch-expired-ends-stream", "the server never closes a watch", &[Watch], &[Events(Event::Linger)]),
    on("watch-error-event-status", "the object of an ERROR event is a string", &[Watch], &[Events(Event::Edit("ERROR", &EditJson(|object| *object = json!("too old resource version"))))]),
    on("watch-expired-not-silent", "a watch from an expired resourceVersion ends at once with 200", &[Custom, Watch, AT_FIRST], &[Respond(200, "application/json", "")]),
    on("watch-recovery-after-410", "lists of custom resources have resourceVersion 1", &[Custom, List], &[Set("/metadata/resourceVersion", "\"1\"")]),
    // Scope and selectors.
    on("watch-namespace-scope", "a namespaced watch sends events of all namespaces", &[Watch, Namespaced], &[EditRequest(watch_all_namespaces)]),
    store("watch-all-namespaces", "a watch of all namespaces ignores later namespaces", StoreFault::WatchesKnownNamespaces),
    store("watch-label-selector", "a watch sends changes of objects that do not match the selector", StoreFault::TellsAllModified),
    on("watch-selector-leave-deleted", "the server sends no DELETED event for an object that leaves the selector", &[Watch, SELECTING], &[Events(Event::Drop("DELETED"))]),
    on("watch-selector-enter-added", "objects that enter the selector come as MODIFIED", &[Watch, SELECTING], &[Events(Event::Retype("ADDED", "MODIFIED"))]),
    on("watch-selector-leave-old-content", "the DELETED event of an object that leaves the selector has no labels", &[Watch, SELECTING],
        &[Events(Event::Edit("DELETED", &Remove("/metadata/labels")))]),
    on("watch-single-object-field-selector", "a watch ignores its field selector", &[Watch], &[DropParameter("fieldSelector")]),
    // Order.
    on("watch-concurrent-same-order", "a watch swaps each pair of events", &[Watch], &[Events(Event::Swap)]),
    on("watch-rv-strictly-ordered", "a watch sends MODIFIED events twice", &[Watch], &[Events(Event::Duplicate("MODIFIED"))]),
    // Parameters and ends.
    on("watch-timeout-seconds", "the server ignores timeoutSeconds", &[Watch], &[DropParameter("timeoutSeconds")]),
    on("watch-limit-continue-not-supported", "a watch with limit ends after one event", &[Watch, Has("limit")], &[Events(Event::EndAfter(1))]),
    on("watch-unsupported-405", "a watch of an unwatchable resource stays silent", &[Watch, Plural("componentstatuses")],
        &[ReplaceInPath("componentstatuses", "namespaces/nowhere/configmaps")]),
    on("watch-unready-429", "a watch of a custom resource returns 429 without Retry-After", &[Custom, Watch],
        &[Reject(429, "TooManyRequests", "storage is (re)initializing")]),
];

fn count_items(list: &mut Value) {
    let items = list["items"].as_array().map_or(0, Vec::len);
    list["metadata"][VERSION] = (items + 1).to_string().into();
}

/// Also in other areas.
pub(super) fn decrement(version: &str) -> Option<String> {
    Some((version.parse::<u64>().ok()? - 1).to_string())
}

fn prefix_event_version(object: &mut Value) {
    let version = format!("event-{}", object["metadata"][VERSION].as_str().unwrap_or_default());
    object["metadata"][VERSION] = version.into();
}

fn decrement_version(object: &mut Value) {
    let version = object["metadata"][VERSION].as_str().and_then(decrement);
    object["metadata"][VERSION] = version.into();
}

fn delete_and_add(event: &Value) -> String {
    if event["type"] != "MODIFIED" {
        return format!("{event}\n");
    }
    let kinds = ["DELETED", "ADDED"].map(|kind| json!({ "type": kind, "object": event["object"] }));
    format!("{}\n{}\n", kinds[0], kinds[1])
}

fn drop_status_updates(event: Value) -> Option<Value> {
    let status = event["type"] == "MODIFIED" && event["object"]["status"].is_object();
    (!status).then_some(event)
}

/// The path without its namespace.
fn watch_all_namespaces(parts: &mut Parts, _: &mut Bytes) {
    let uri = parts.uri.to_string();
    let Some((root, rest)) = uri.split_once("/namespaces/") else { return };
    let plural = rest.split_once('/').map_or("", |(_, plural)| plural);
    parts.uri = format!("{root}/{plural}").parse().unwrap_or_else(|_| parts.uri.clone());
}
