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
const NO_MANAGER: &[Edit] = &[DropParameter(MANAGER)];
const IGNORED: &[Edit] = &[RemoveFromRequest(MANAGED)];
const IGNORED_OPERATIONS: Edit = EditRequest(|parts, body| {
    list(parts, body, |all| {
        all.retain(|one| one["path"].as_str().is_none_or(|path| !path.starts_with(MANAGED)));
    });
});

#[rustfmt::skip]
pub(super) const FAULTS: &[Fault] = &[
    // Entries from clients.
    on("managed-fields-writable-by-put", "the server ignores managedFields in a PUT", &[PUT, Object], IGNORED),
    on("managed-fields-writable-by-patch", "the server ignores managedFields in patches", &[PATCH], &[RemoveFromRequest(MANAGED), IGNORED_OPERATIONS]),
    on("managed-fields-malformed-update-ignored", "malformed managedFields in a PUT clear all entries", &[PUT, Object], &[Remove(MANAGED)]),
    on("managed-fields-post-with-entries", "the server rejects managedFields in a create", &[POST], &[EditRequest(|parts, body| break_if(parts, body, |object| {
        object.pointer(MANAGED).is_some()
    }))]),
    on("managed-fields-manager-name-validated-in-entries", "the server truncates long manager names in entries", &[PUT, Object], &[EditRequest(|parts, body| json_body(parts, body, |object| {
        managed_entries::each(object, |entry| entry["manager"] = json!(truncate_name(entry["manager"].as_str().unwrap_or_default())));
    }))]),
    // Names.
    on("managed-fields-manager-param-post", "a create ignores fieldManager", &[POST], NO_MANAGER),
    on("managed-fields-manager-param-put", "a PUT ignores fieldManager", &[PUT], NO_MANAGER),
    on("managed-fields-manager-param-merge-patch", "a merge patch ignores fieldManager", &[MERGE], NO_MANAGER),
    on("managed-fields-manager-param-json-patch", "a JSON patch ignores fieldManager", &[JSON_PATCH], NO_MANAGER),
    on("managed-fields-manager-param-strategic", "a strategic merge patch ignores fieldManager", &[STRATEGIC], NO_MANAGER),
    on("managed-fields-manager-param-apply", "the server records an apply under the client's program name", &[APPLY], &[SetParameter(MANAGER, "kube-assay")]),
    on("managed-fields-manager-from-user-agent", "the server ignores the User-Agent header", &[Lacks(MANAGER)], &[SetRequestHeader(AGENT, "unknown")]),
    on("managed-fields-manager-from-user-agent-prefix", "the server rejects a long User-Agent header", &[PATCH, HeaderHas(AGENT, "ffffffff")],
        &[Reject(422, "Invalid", "fieldManager: Too long: may not be more than 128 bytes")]),
    on("managed-fields-manager-param-beats-user-agent", "the User-Agent header overrides fieldManager", &[HeaderHas(AGENT, "zzz")], NO_MANAGER),
    on("managed-fields-manager-param-verbatim", "the server lower-cases fieldManager", &[PATCH], &[EditParameter(MANAGER, |name| Some(name.to_lowercase()))]),
    on("managed-fields-manager-unknown", "the server records an unknown manager under an empty name", &[MERGE, Lacks(MANAGER)],
        &[EditJson(|object| managed_entries::set(object, "manager", &json!("")))]),
    on("managed-fields-manager-param-validated-on-all-writes", "the server truncates a long fieldManager", &[Not(&APPLY)], &[EditParameter(MANAGER, |name| Some(truncate_name(name).to_owned()))]),
    on("managed-fields-field-manager-optional-for-update", "a PUT without fieldManager fails", &[PUT, Object, Lacks(MANAGER)],
        &[Reject(422, "Invalid", "fieldManager: Required value")]),
    // Resets.
    on("managed-fields-clear-merge-patch", "the server ignores an empty entry in a merge patch", &[MERGE], IGNORED),
    on("managed-fields-clear-json-patch", "the server ignores an empty entry in a JSON patch", &[JSON_PATCH], &[IGNORED_OPERATIONS]),
    on("managed-fields-clear-strategic-merge-patch", "the server ignores an empty entry in a strategic merge patch", &[STRATEGIC], IGNORED),
    on("managed-fields-clear-put", "the server ignores an empty entry in a PUT", &[PUT, Object], IGNORED),
    on("managed-fields-clear-not-by-apply", "the server ignores managedFields in an apply", &[APPLY], IGNORED),
    on("managed-fields-empty-list-does-not-clear", "the server rejects an empty managedFields list", &[MERGE], &[EditRequest(|parts, body| break_if(parts, body, |object| {
        object.pointer(MANAGED) == Some(&json!([]))
    }))]),
    on("managed-fields-absent-does-not-clear", "a PUT without managedFields clears them", &[PUT, Object], &[SetInRequest(MANAGED, "[{}]")]),
    on("managed-fields-null-does-not-clear", "a merge patch with null clears managedFields", &[MERGE], &[EditRequest(|parts, body| json_body(parts, body, |patch| {
        if let Some(null) = patch.pointer_mut(MANAGED).filter(|records| records.is_null()) {
            *null = json!([{}]);
        }
    }))]),
    on("managed-fields-clear-then-other-changes-owned", "the server ignores managedFields in a merge patch with other changes", &[MERGE], IGNORED),
    on("managed-fields-cleared-object-untracked", "a merge patch restores cleared entries", &[MERGE], &[EditJson(|object| {
        managed_entries::add(object, "m1", "Apply", &json!({ "f:data": { "f:a": {} } }));
    })]),
    on("managed-fields-before-first-apply", "an apply takes fields without an owner by force", &[APPLY], &[FORCED]),
    // Large objects.
    on("managed-fields-large-object-fallback", "the server rejects an object without space for its managedFields", &[POST, Plural("configmaps")],
        &[EditRequest(|parts, body| break_if(parts, body, |object| object["data"].as_object().is_some_and(|data| data.len() > 1000)))]),
];

/// Makes a body malformed if it meets a condition.
fn break_if(parts: &mut Parts, body: &mut Bytes, like: fn(&Value) -> bool) {
    if like(&rewrite::read(body)) {
        parts.headers.remove(CONTENT_LENGTH);
        *body = Bytes::from_static(b"{");
    }
}

/// The permitted prefix of a name.
fn truncate_name(name: &str) -> &str {
    name.get(..128).unwrap_or(name)
}
