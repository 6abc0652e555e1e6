//! Faults of optimistic concurrency: preconditions and concurrent writers.

use bytes::Bytes;
use http::Method as Verb;
use http::request::Parts;
use serde_json::{Value, json};

use super::rewrite::{self, Sent};
use super::{AT_A_VERSION, FROM_NOW};
use crate::fault::{Edit, Edit::*, Fault, When, When::*, json_body, on, store};
use crate::store::StoreFault;

const PUT: When = Method("PUT");
const PATCH: When = Method("PATCH");
const DELETE: When = Method("DELETE");
const VERSION: &str = "/metadata/resourceVersion";
const OUTDATED: Edit = SetInRequest(VERSION, "\"1\"");
const WITHOUT_PREMISE: Edit = RemoveFromRequest("/preconditions");

#[rustfmt::skip]
pub(super) const FAULTS: &[Fault] = &[
    // Updates.
    store("concurrency-put-stale-resourceversion-409", "the server ignores resourceVersion preconditions, so the last write wins", StoreFault::IgnoresPreconditions),
    on("concurrency-conflict-leaves-object", "a PUT with a stale resourceVersion still stores its labels", &[PUT, Object], &[Several(write_labels_first)]),
    on("concurrency-put-current-resourceversion-ok", "the server returns 409 for every PUT with a resourceVersion", &[PUT, Object], &[OUTDATED]),
    on("concurrency-put-without-resourceversion", "the server returns 409 for a PUT without resourceVersion", &[PUT, Object],
        &[EditRequest(|parts, body| json_body(parts, body, outdate))]),
    store("concurrency-one-of-two-writers-wins", "all concurrent PUTs succeed", StoreFault::IgnoresPreconditions),
    store("concurrency-read-modify-write-loop", "a PUT overwrites concurrent writes", StoreFault::IgnoresPreconditions),
    on("concurrency-unknown-resourceversion-refused", "the server accepts unknown resource versions in a PUT", &[PUT, Object],
        &[EditRequest(super::update::patch_at_no_version)]),
    // Versions.
    store("concurrency-resourceversion-changes-on-write", "a write keeps the resourceVersion", StoreFault::KeepsVersion),
    on("concurrency-resourceversion-stable-on-read", "list items have the resourceVersion of the list", &[List], &[EditJson(super::resource_version::items_at_list_version)]),
    on("concurrency-resourceversion-unchanged-on-noop", "the response to a PUT has a wrong resourceVersion", &[PUT, Object], &[EditJson(rewrite::increment_version)]),
    store("concurrency-create-with-resourceversion", "the server accepts the client's resourceVersion on create", StoreFault::TakesVersions),
    // Patches and deletions.
    on("concurrency-patch-with-resourceversion", "the server ignores the resourceVersion in a patch", &[PATCH, Object], &[RemoveFromRequest(VERSION)]),
    on("concurrency-patch-without-resourceversion", "the server returns 409 for a patch without resourceVersion", &[PATCH, Object], &[OUTDATED]),
    on("concurrency-delete-precondition-resourceversion", "the server ignores the preconditions of a delete", &[DELETE, Object], &[WITHOUT_PREMISE]),
    on("concurrency-delete-precondition-uid", "the server ignores the preconditions of a delete", &[DELETE, Object], &[WITHOUT_PREMISE]),
    // Watches.
    on("concurrency-watch-from-resourceversion", "a watch starts now and ignores its resourceVersion", &[Watch, AT_A_VERSION], FROM_NOW),
    on("concurrency-watch-from-object-resourceversion", "a watch includes the change at its own resourceVersion", &[Watch, AT_A_VERSION],
        &[EditParameter("resourceVersion", super::watch::decrement)]),
];

/// The labels first, then the write.
fn write_labels_first(parts: &Parts, body: &Bytes) -> Vec<Sent> {
    let labels = json!({ "metadata": { "labels": rewrite::read(body)["metadata"]["labels"] } });
    vec![
        rewrite::json_request(parts, Verb::PATCH, parts.uri.path(), &labels),
        rewrite::unchanged(parts, body),
    ]
}

/// Outdates the version of a body without one.
fn outdate(object: &mut Value) {
    if !rewrite::has_version(object) {
        object["metadata"]["resourceVersion"] = "1".into();
    }
}
