//! Faults of watches.

use bytes::Bytes;
use http::request::Parts;
use serde_json::{Value, json};

use super::resource_version::zero_if_empty;
use super::{AT_A_VERSION, FROM_NOW};
use crate::fault::{Edit::*, Event, Fault, When, When::*, on, store};
use crate::store::StoreFlaw;

const VERSION: &str = "resourceVersion";
/// What a custom type, younger than the store, has long forgotten.
const AT_FIRST: When = Is(VERSION, "1");
const SELECTING: When = Has("labelSelector");
const MINUTES: u64 = 300_000;

#[rustfmt::skip]
pub(super) const FAULTS: &[Fault] = &[
    // Where it can begin.
    on("watch-all-object-types", "custom resources cannot be watched", &[Custom, Watch], &[Refuse(405, "MethodNotAllowed", "no watch here")]),
    on("watch-list-then-watch", "a version is too old as soon as it is handed out", &[Watch, AT_A_VERSION],
        &[Refuse(410, "Expired", "too old resource version")]),
    on("watch-every-object-has-rv", "items of lists have no version", &[Listing], &[OfItems(&Remove("/metadata/resourceVersion"))]),
    on("watch-collection-has-rv", "empty lists have version 0", &[Listing], &[EditJson(zero_if_empty)]),
    on("watch-from-collection-rv", "lists of a namespace have a version of their own", &[Listing, Namespaced], &[EditJson(count_items)]),
    store("watch-from-object-rv", "objects count their own versions", StoreFlaw::CountsPerObject),
    on("watch-stream-of-changes", "the state is told, and told again, instead of the changes", &[Watch, AT_A_VERSION],
        &[DropParameter(VERSION), Events(Event::Drop("DELETED")), Events(Event::Retype("MODIFIED", "ADDED"))]),
    on("watch-rv-exclusive", "a watch begins with the version that it is given", &[Watch, AT_A_VERSION], &[EditParameter(VERSION, one_less)]),
    on("watch-no-synthetic-on-exact-rv", "every watch begins with the state", &[Watch, AT_A_VERSION], &[DropParameter(VERSION)]),
    on("watch-no-lost-events", "what happens between list and watch is not told", &[Watch, AT_A_VERSION], FROM_NOW),
    on("watch-resume-from-last-rv", "events have versions of another kind", &[Watch], &[Events(Event::Edit("", &EditJson(of_the_event)))]),
    // What the writes show as.
    on("watch-create-added", "what is new comes as modified", &[Watch], &[Events(Event::Retype("ADDED", "MODIFIED"))]),
    on("watch-update-modified", "an update comes as a deletion and a creation", &[Watch], &[Events(Event::Text(replaced))]),
    on("watch-patch-modified", "no change of an object is told", &[Watch], &[Events(Event::Drop("MODIFIED"))]),
    on("watch-delete-deleted", "objects go in silence", &[Watch], &[Events(Event::Drop("DELETED"))]),
    on("watch-status-write-modified", "changes of a status are not told", &[Watch], &[Events(Event::Line(without_status))]),
    store("watch-noop-write-no-event", "every write counts as a change", StoreFlaw::BumpsWithoutChange),
    on("watch-deleted-rv-advanced", "what is deleted comes at its last version", &[Watch], &[Events(Event::Edit("DELETED", &EditJson(the_version_before)))]),
    // The stream.
    on("watch-event-shape", "events are put into an array", &[Watch], &[Events(Event::Text(|event| format!("[{event},\n")))]),
    on("watch-event-full-object", "events leave out kind and apiVersion", &[Watch],
        &[Events(Event::Edit("", &Remove("/kind"))), Events(Event::Edit("", &Remove("/apiVersion")))]),
    on("watch-content-type-json", "the stream is one of server-sent events", &[Watch], &[Header("content-type", "text/event-stream")]),
    on("watch-chunked", "the answer is sent when the watch is over", &[Watch, Has("timeoutSeconds")], &[Delay(2_000), Text("")]),
    on("watch-incremental-delivery", "events wait until there are many", &[Watch], &[Events(Event::Delay("", MINUTES))]),
    on("watch-header-before-events", "the head waits for the first event", &[Watch, AT_A_VERSION], &[Delay(MINUTES)]),
    // Too late.
    on("watch-expired-410", "a watch from any version begins now", &[Watch, AT_A_VERSION], FROM_NOW),
    on("watch-expired-ends-stream", "a watch stays open for ever", &[Watch], &[Events(Event::Linger)]),
    on("watch-error-event-status", "an error is a text", &[Watch], &[Events(Event::Edit("ERROR", &EditJson(|object| *object = json!("too old resource version"))))]),
    on("watch-expired-not-silent", "a watch from an expired version is over at once", &[Custom, Watch, AT_FIRST], &[Instead(200, "application/json", "")]),
    on("watch-recovery-after-410", "lists of custom types are of a version before their time", &[Custom, Listing], &[Set("/metadata/resourceVersion", "\"1\"")]),
    // Whose changes.
    on("watch-namespace-scope", "a watch of a namespace is one of all", &[Watch, Namespaced], &[EditRequest(of_all_namespaces)]),
    store("watch-all-namespaces", "a watch of all namespaces tells of those that were there", StoreFlaw::WatchesKnownNamespaces),
    store("watch-label-selector", "changed objects need not match the selector", StoreFlaw::TellsAllModified),
    on("watch-selector-leave-deleted", "that an object ceases to match is not told", &[Watch, SELECTING], &[Events(Event::Drop("DELETED"))]),
    on("watch-selector-enter-added", "what begins to match comes as modified", &[Watch, SELECTING], &[Events(Event::Retype("ADDED", "MODIFIED"))]),
    on("watch-selector-leave-old-content", "what ceases to match is shown without its labels", &[Watch, SELECTING],
        &[Events(Event::Edit("DELETED", &Remove("/metadata/labels")))]),
    on("watch-single-object-field-selector", "fields do not select", &[Watch], &[DropParameter("fieldSelector")]),
    // In which order.
    on("watch-concurrent-same-order", "each two events of a watch change places", &[Watch], &[Events(Event::Swap)]),
    on("watch-rv-strictly-ordered", "changes of objects are told twice", &[Watch], &[Events(Event::Duplicate("MODIFIED"))]),
    // Parameters and ends.
    on("watch-timeout-seconds", "a watch has all the time", &[Watch], &[DropParameter("timeoutSeconds")]),
    on("watch-limit-continue-not-supported", "a limit counts events", &[Watch, Has("limit")], &[Events(Event::EndAfter(1))]),
    on("watch-unsupported-405", "a watch of what cannot be watched stays silent", &[Watch, Of("componentstatuses")],
        &[ReplaceInPath("componentstatuses", "namespaces/nowhere/configmaps")]),
    on("watch-unready-429", "a watch of a custom type always comes too early, and is not told when to come again", &[Custom, Watch],
        &[Refuse(429, "TooManyRequests", "storage is (re)initializing")]),
];

fn count_items(list: &mut Value) {
    let items = list["items"].as_array().map_or(0, Vec::len);
    list["metadata"][VERSION] = (items + 1).to_string().into();
}

/// Also in other areas.
pub(super) fn one_less(version: &str) -> Option<String> {
    Some((version.parse::<u64>().ok()? - 1).to_string())
}

fn of_the_event(object: &mut Value) {
    let version = format!("event-{}", object["metadata"][VERSION].as_str().unwrap_or_default());
    object["metadata"][VERSION] = version.into();
}

fn the_version_before(object: &mut Value) {
    let version = object["metadata"][VERSION].as_str().and_then(one_less);
    object["metadata"][VERSION] = version.into();
}

fn replaced(event: &Value) -> String {
    if event["type"] != "MODIFIED" {
        return format!("{event}\n");
    }
    let kinds = ["DELETED", "ADDED"].map(|kind| json!({ "type": kind, "object": event["object"] }));
    format!("{}\n{}\n", kinds[0], kinds[1])
}

fn without_status(event: Value) -> Option<Value> {
    let status = event["type"] == "MODIFIED" && event["object"]["status"].is_object();
    (!status).then_some(event)
}

/// The path without its namespace.
fn of_all_namespaces(parts: &mut Parts, _: &mut Bytes) {
    let uri = parts.uri.to_string();
    let Some((root, rest)) = uri.split_once("/namespaces/") else { return };
    let plural = rest.split_once('/').map_or("", |(_, plural)| plural);
    parts.uri = format!("{root}/{plural}").parse().unwrap_or_else(|_| parts.uri.clone());
}
