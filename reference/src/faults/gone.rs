//! Faults of 410 Gone: expired resource versions and continue tokens.

use serde_json::{Value, json};

use super::{AT_A_VERSION, FROM_NOW};
use crate::continue_token::Token;
use crate::fault::{Edit, Edit::*, Event, Fault, When, When::*, on, store};
use crate::store::StoreFault;

const PLAIN: When = Matches(|request| {
    ["resourceVersionMatch", "limit", "continue"].iter().all(|name| request.parameter(name).is_empty())
});
const EXACTLY: &[Edit] = &[SetParameter("resourceVersionMatch", "Exact")];
const NOT_OLDER: When = Is("resourceVersionMatch", "NotOlderThan");

#[rustfmt::skip]
pub(super) const FAULTS: &[Fault] = &[
    on("gone-status-410-for-expired", "the server returns 400 for a list at an expired resourceVersion", &[List, StatusIs(410)],
        &[Fail(400, "BadRequest", "the resourceVersion is too old")]),
    store("gone-list-exact-compacted-410", "an exact list at an expired resourceVersion returns the newest state", StoreFault::RestartsExpiredLists),
    on("gone-list-legacy-exact-410", "the server reads a limited list at a resourceVersion as NotOlderThan",
        &[List, AT_A_VERSION, Has("limit"), Lacks("resourceVersionMatch")], &[SetParameter("resourceVersionMatch", "NotOlderThan")]),
    store("gone-list-continue-expired-410", "an expired continue token restarts at the first page", StoreFault::RestartsExpiredLists),
    on("gone-list-continue-expired-new-token", "the new continue token of a 410 repeats the first page", &[List, StatusIs(410)], &[EditJson(restarting_token)]),
    on("gone-watch-expired", "a watch starts now and ignores its resourceVersion", &[Watch, AT_A_VERSION], FROM_NOW),
    on("gone-watch-expired-stream-ends", "the server never closes a watch", &[Watch], &[Events(Event::Linger)]),
    on("gone-watch-expired-status-object", "the ERROR event has an empty object", &[Watch], &[Events(Event::Edit("ERROR", &EditJson(replace_by_empty_object)))]),
    on("gone-body-is-status", "the server returns 410 with plain text", &[StatusIs(410)], &[Header("content-type", "text/plain"), Text("too old\n")]),
    on("gone-recovery-by-relist", "lists of custom resources have resourceVersion 1", &[Custom, List],
        &[Set("/metadata/resourceVersion", "\"1\"")]),
    on("gone-notolder-never-410", "the server reads NotOlderThan with a limit as Exact", &[List, NOT_OLDER, Has("limit")], EXACTLY),
    on("gone-plain-list-never-410", "the server reads a list at a resourceVersion as Exact", &[List, AT_A_VERSION, PLAIN], EXACTLY),
    on("gone-get-never-410", "the server returns 410 for a get with a resourceVersion", &[Method("GET"), Object, AT_A_VERSION],
        &[Reject(410, "Expired", "too old resource version")]),
    on("gone-unset-and-zero-never-410", "the server returns 410 for a watch from resourceVersion 0", &[Watch, Is("resourceVersion", "0")],
        &[Reject(410, "Expired", "too old resource version")]),
    store("gone-recent-version-still-served", "the store keeps only the newest version", StoreFault::ForgetsAtOnce),
    on("gone-resource-expired-vs-gone-reason", "the Status of a 410 has no reason", &[StatusIs(410)], &[Remove("/reason")]),
];

/// Replaces a token by one before all names.
fn restarting_token(status: &mut Value) {
    if status["metadata"]["continue"].is_string() {
        status["metadata"]["continue"] = Token { version: None, start: "!".to_owned() }.encode().into();
    }
}

fn replace_by_empty_object(object: &mut Value) {
    *object = json!({ "kind": "ConfigMap", "apiVersion": "v1", "metadata": {} });
}
