//! Faults of managedFields and fieldManager in requests.

use bytes::Bytes;
use http::header::CONTENT_LENGTH;
use http::request::Parts;
use serde_json::{Value, json};

use super::field_managers::{APPLY, FORCED, MANAGER};
use super::managed_entries::{self, MANAGED};
use super::patch::{JSON_PATCH, MERGE, PATCH, STRATEGIC, list};
use super::rewrite;
use crate::fault::{Edit, Edit::*, Fault, When, When::*, json_body, on};

const AGENT: &str = "user-agent";
const POST: When = Method("POST");
const PUT: When = Method("PUT");
const NAMELESS: &[Edit] = &[DropParameter(MANAGER)];
const UNREAD: &[Edit] = &[RemoveFromRequest(MANAGED)];
const UNREAD_OPERATIONS: Edit = EditRequest(|parts, body| {
    list(parts, body, |all| {
        all.retain(|one| one["path"].as_str().is_none_or(|path| !path.starts_with(MANAGED)));
    });
});

#[rustfmt::skip]
pub(super) const FAULTS: &[Fault] = &[
    // Records that clients write.
    on("managed-fields-writable-by-put", "records in a PUT are not read", &[PUT, Object], UNREAD),
    on("managed-fields-writable-by-patch", "records in patches are not read", &[PATCH], &[RemoveFromRequest(MANAGED), UNREAD_OPERATIONS]),
    on("managed-fields-malformed-update-ignored", "malformed records take all others away", &[PUT, Object], &[Remove(MANAGED)]),
    on("managed-fields-post-with-entries", "a create must not bring records", &[POST], &[EditRequest(|parts, body| broken_if(parts, body, |object| {
        object.pointer(MANAGED).is_some()
    }))]),
    on("managed-fields-manager-name-validated-in-entries", "long names in records are cut", &[PUT, Object], &[EditRequest(|parts, body| json_body(parts, body, |object| {
        managed_entries::each(object, |entry| entry["manager"] = json!(cut(entry["manager"].as_str().unwrap_or_default())));
    }))]),
    // Names.
    on("managed-fields-manager-param-post", "a create does not heed fieldManager", &[POST], NAMELESS),
    on("managed-fields-manager-param-put", "a PUT does not heed fieldManager", &[PUT], NAMELESS),
    on("managed-fields-manager-param-merge-patch", "a merge patch does not heed fieldManager", &[MERGE], NAMELESS),
    on("managed-fields-manager-param-json-patch", "a JSON patch does not heed fieldManager", &[JSON_PATCH], NAMELESS),
    on("managed-fields-manager-param-strategic", "a strategic merge patch does not heed fieldManager", &[STRATEGIC], NAMELESS),
    on("managed-fields-manager-param-apply", "an apply is recorded under the program's name", &[APPLY], &[SetParameter(MANAGER, "kube-assay")]),
    on("managed-fields-manager-from-user-agent", "the user agent is not read", &[Lacks(MANAGER)], &[SetRequestHeader(AGENT, "unknown")]),
    on("managed-fields-manager-from-user-agent-prefix", "a long user agent is refused", &[PATCH, HeaderHas(AGENT, "ffffffff")],
        &[Refuse(422, "Invalid", "fieldManager: Too long: may not be more than 128 bytes")]),
    on("managed-fields-manager-param-beats-user-agent", "the user agent comes before fieldManager", &[HeaderHas(AGENT, "zzz")], NAMELESS),
    on("managed-fields-manager-param-verbatim", "names are written in small letters", &[PATCH], &[EditParameter(MANAGER, |name| Some(name.to_lowercase()))]),
    on("managed-fields-manager-unknown", "nobody is recorded under an empty name", &[MERGE, Lacks(MANAGER)],
        &[EditJson(|object| managed_entries::set(object, "manager", &json!("")))]),
    on("managed-fields-manager-param-validated-on-all-writes", "long names are cut", &[Not(&APPLY)], &[EditParameter(MANAGER, |name| Some(cut(name).to_owned()))]),
    on("managed-fields-field-manager-optional-for-update", "a PUT must name its manager", &[PUT, Object, Lacks(MANAGER)],
        &[Refuse(422, "Invalid", "fieldManager: Required value")]),
    // What takes records away, and what does not.
    on("managed-fields-clear-merge-patch", "an empty entry in a merge patch is ignored", &[MERGE], UNREAD),
    on("managed-fields-clear-json-patch", "an empty entry in a JSON patch is ignored", &[JSON_PATCH], &[UNREAD_OPERATIONS]),
    on("managed-fields-clear-strategic-merge-patch", "an empty entry in a strategic merge patch is ignored", &[STRATEGIC], UNREAD),
    on("managed-fields-clear-put", "an empty entry in a PUT is ignored", &[PUT, Object], UNREAD),
    on("managed-fields-clear-not-by-apply", "an apply may bring records", &[APPLY], UNREAD),
    on("managed-fields-empty-list-does-not-clear", "an empty list of records is refused", &[MERGE], &[EditRequest(|parts, body| broken_if(parts, body, |object| {
        object.pointer(MANAGED) == Some(&json!([]))
    }))]),
    on("managed-fields-absent-does-not-clear", "a PUT without records takes them away", &[PUT, Object], &[SetInRequest(MANAGED, "[{}]")]),
    on("managed-fields-null-does-not-clear", "null takes all records away", &[MERGE], &[EditRequest(|parts, body| json_body(parts, body, |patch| {
        if let Some(null) = patch.pointer_mut(MANAGED).filter(|records| records.is_null()) {
            *null = json!([{}]);
        }
    }))]),
    on("managed-fields-clear-then-other-changes-owned", "a patch that changes anything else takes no records away", &[MERGE], UNREAD),
    on("managed-fields-cleared-object-untracked", "records that were taken away come back", &[MERGE], &[EditJson(|object| {
        managed_entries::add(object, "m1", "Apply", &json!({ "f:data": { "f:a": {} } }));
    })]),
    on("managed-fields-before-first-apply", "what nobody owns is free", &[APPLY], &[FORCED]),
    // Objects for which there is hardly room.
    on("managed-fields-large-object-fallback", "there is no room for an object without room for its records", &[POST, Of("configmaps")],
        &[EditRequest(|parts, body| broken_if(parts, body, |object| object["data"].as_object().is_some_and(|data| data.len() > 1000)))]),
];

/// A request that nobody can read any more if its body is like this.
fn broken_if(parts: &mut Parts, body: &mut Bytes, like: fn(&Value) -> bool) {
    if like(&rewrite::read(body)) {
        parts.headers.remove(CONTENT_LENGTH);
        *body = Bytes::from_static(b"{");
    }
}

/// As much of a name as is allowed.
fn cut(name: &str) -> &str {
    name.get(..128).unwrap_or(name)
}
