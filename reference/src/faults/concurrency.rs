//! Faults of optimistic concurrency: preconditions and concurrent writers.

use bytes::Bytes;
use http::Method as Verb;
use http::request::Parts;
use serde_json::{Value, json};

use super::rewrite::{self, Sent};
use super::{AT_A_VERSION, FROM_NOW};
use crate::fault::{Edit, Edit::*, Fault, When, When::*, json_body, on, store};
use crate::store::StoreFlaw;

const PUT: When = Method("PUT");
const PATCH: When = Method("PATCH");
const DELETE: When = Method("DELETE");
const VERSION: &str = "/metadata/resourceVersion";
const OUTDATED: Edit = SetInRequest(VERSION, "\"1\"");
const WITHOUT_PREMISE: Edit = RemoveFromRequest("/preconditions");

#[rustfmt::skip]
pub(super) const FAULTS: &[Fault] = &[
    // Updates.
    store("concurrency-put-stale-resourceversion-409", "the last write wins", StoreFlaw::IgnoresPreconditions),
    on("concurrency-conflict-leaves-object", "of a PUT the labels are stored, whatever its version", &[PUT, Object], &[Several(labels_first)]),
    on("concurrency-put-current-resourceversion-ok", "every PUT at a version is a conflict", &[PUT, Object], &[OUTDATED]),
    on("concurrency-put-without-resourceversion", "a PUT without a version is a conflict", &[PUT, Object],
        &[EditRequest(|parts, body| json_body(parts, body, outdate))]),
    store("concurrency-one-of-two-writers-wins", "of PUTs at the same time all succeed", StoreFlaw::IgnoresPreconditions),
    store("concurrency-read-modify-write-loop", "what was written meanwhile is overwritten", StoreFlaw::IgnoresPreconditions),
    on("concurrency-unknown-resourceversion-refused", "any version but an older one is the last", &[PUT, Object],
        &[EditRequest(super::update::patch_at_no_version)]),
    // Versions.
    store("concurrency-resourceversion-changes-on-write", "a write keeps the version", StoreFlaw::KeepsVersion),
    on("concurrency-resourceversion-stable-on-read", "items have their list's version", &[Listing], &[EditJson(super::resource_version::items_at_the_lists_version)]),
    on("concurrency-resourceversion-unchanged-on-noop", "a PUT is answered with a version of its own", &[PUT, Object], &[EditJson(rewrite::one_more)]),
    store("concurrency-create-with-resourceversion", "the version of a new object is its client's", StoreFlaw::TakesVersions),
    // Patches and deletions.
    on("concurrency-patch-with-resourceversion", "the version in a patch is not looked at", &[PATCH, Object], &[RemoveFromRequest(VERSION)]),
    on("concurrency-patch-without-resourceversion", "a patch without a version is a conflict", &[PATCH, Object], &[OUTDATED]),
    on("concurrency-delete-precondition-resourceversion", "a deletion has no premises", &[DELETE, Object], &[WITHOUT_PREMISE]),
    on("concurrency-delete-precondition-uid", "a deletion has no premises", &[DELETE, Object], &[WITHOUT_PREMISE]),
    // Watches.
    on("concurrency-watch-from-resourceversion", "a watch begins when it is opened", &[Watch, AT_A_VERSION], FROM_NOW),
    on("concurrency-watch-from-object-resourceversion", "a watch begins with the version that it is given", &[Watch, AT_A_VERSION],
        &[EditParameter("resourceVersion", super::watch::one_less)]),
];

/// The labels, and then the write.
fn labels_first(parts: &Parts, body: &Bytes) -> Vec<Sent> {
    let labels = json!({ "metadata": { "labels": rewrite::read(body)["metadata"]["labels"] } });
    vec![rewrite::instead(parts, Verb::PATCH, parts.uri.path(), &labels), rewrite::unchanged(parts, body)]
}

/// Has a body without a version name one that is outdated.
fn outdate(object: &mut Value) {
    if !rewrite::names_version(object) {
        object["metadata"]["resourceVersion"] = "1".into();
    }
}
