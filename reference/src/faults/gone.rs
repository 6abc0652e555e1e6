//! Faults of 410 Gone: expired resource versions and continue tokens.

use serde_json::{Value, json};

use super::{AT_A_VERSION, FROM_NOW};
use crate::continue_token::Token;
use crate::fault::{Edit, Edit::*, Event, Fault, When, When::*, on, store};
use crate::store::StoreFlaw;

const PLAIN: When = Asks(|asked| {
    ["resourceVersionMatch", "limit", "continue"].iter().all(|name| asked.parameter(name).is_empty())
});
const EXACTLY: &[Edit] = &[SetParameter("resourceVersionMatch", "Exact")];
const NOT_OLDER: When = Is("resourceVersionMatch", "NotOlderThan");

#[rustfmt::skip]
pub(super) const FAULTS: &[Fault] = &[
    on("gone-status-410-for-expired", "an expired version is a bad request", &[Listing, Answered(410)],
        &[Fail(400, "BadRequest", "the resourceVersion is too old")]),
    store("gone-list-exact-compacted-410", "an exact list of an expired version is the newest list", StoreFlaw::RestartsExpiredLists),
    on("gone-list-legacy-exact-410", "a limited list at a version is one not older than it",
        &[Listing, AT_A_VERSION, Has("limit"), Lacks("resourceVersionMatch")], &[SetParameter("resourceVersionMatch", "NotOlderThan")]),
    store("gone-list-continue-expired-410", "an expired token begins again with the first page", StoreFlaw::RestartsExpiredLists),
    on("gone-list-continue-expired-new-token", "the new token repeats the first page", &[Listing, Answered(410)], &[EditJson(restarting_token)]),
    on("gone-watch-expired", "a watch from any version begins now", &[Watch, AT_A_VERSION], FROM_NOW),
    on("gone-watch-expired-stream-ends", "a watch stays open for ever", &[Watch], &[Events(Event::Linger)]),
    on("gone-watch-expired-status-object", "the object of an error is an empty object", &[Watch], &[Events(Event::Edit("ERROR", &EditJson(empty)))]),
    on("gone-body-is-status", "410 comes with a text", &[Answered(410)], &[Header("content-type", "text/plain"), Text("too old\n")]),
    on("gone-recovery-by-relist", "lists of custom types are of a version before their time", &[Custom, Listing],
        &[Set("/metadata/resourceVersion", "\"1\"")]),
    on("gone-notolder-never-410", "NotOlderThan with a limit is read as Exact", &[Listing, NOT_OLDER, Has("limit")], EXACTLY),
    on("gone-plain-list-never-410", "a plain list at a version is an exact one", &[Listing, AT_A_VERSION, PLAIN], EXACTLY),
    on("gone-get-never-410", "a get at any version but the newest has expired", &[Method("GET"), Object, AT_A_VERSION],
        &[Refuse(410, "Expired", "too old resource version")]),
    on("gone-unset-and-zero-never-410", "a watch from 0 has expired", &[Watch, Is("resourceVersion", "0")],
        &[Refuse(410, "Expired", "too old resource version")]),
    store("gone-recent-version-still-served", "only the newest version is held", StoreFlaw::ForgetsAtOnce),
    on("gone-resource-expired-vs-gone-reason", "410 comes without a reason", &[Answered(410)], &[Remove("/reason")]),
];

/// A token that begins before all names.
fn restarting_token(status: &mut Value) {
    if status["metadata"]["continue"].is_string() {
        status["metadata"]["continue"] = Token { version: None, start: "!".to_owned() }.encode().into();
    }
}

fn empty(object: &mut Value) {
    *object = json!({ "kind": "ConfigMap", "apiVersion": "v1", "metadata": {} });
}
