//! Faults of field ownership: transfer, sharing and removal.

use bytes::Bytes;
use http::Method as Verb;
use http::request::Parts;
use serde_json::{Value, json};

use super::field_managers::{self, APPLY, MANAGER, MANAGER_PER_CONFIGURATION, ONE_MANAGER};
use super::patch::{JSON_PATCH, MERGE, STRATEGIC, without_nulls};
use super::rewrite::{self, Sent};
use crate::fault::{Edit, Edit::*, Fault, When, When::*, json_body, on};

const DONE: When = StatusIs(200);
const SCALE: When = Subresource("scale");
/// The write leaves no entry.
const UNTRACKED: &[Edit] = &[EditResponse(field_managers::remove_requesting_manager)];
pub(super) const OF_ANOTHER_VERSION: When = Matches(|request| request.path.contains("/v2/"));

#[rustfmt::skip]
pub(super) const FAULTS: &[Fault] = &[
    // Several appliers.
    on("apply-ownership-disjoint-appliers", "the server records all appliers as one, so each apply replaces the others", &[APPLY], &[ONE_MANAGER]),
    on("apply-ownership-by-inclusion", "the server does not record an apply that updates the object", &[APPLY, DONE], UNTRACKED),
    on("apply-ownership-shared-on-equal-value", "the server returns 409 for the second applier of a field", &[APPLY, Is(MANAGER, "m2")],
        &[Reject(409, "Conflict", "another manager owns it")]),
    on("apply-ownership-give-up-shared", "an apply removes a shared field that one applier drops", &[APPLY], &[ONE_MANAGER]),
    on("apply-ownership-transfer-between-appliers", "a manager keeps ownership of a field that it no longer applies", &[APPLY], &[MANAGER_PER_CONFIGURATION]),
    on("apply-ownership-reapply-after-removal", "a merge patch with null stores a string instead of removing the field", &[MERGE],
        &[EditRequest(|parts, body| json_body(parts, body, nulls_to_text))]),
    // Other writes.
    on("apply-ownership-moves-on-put", "after a PUT, the former appliers still own the changed fields", &[Method("PUT"), DONE], &[EditJson(field_managers::share_with_appliers)]),
    on("apply-ownership-moves-on-merge-patch", "the server does not record merge patches in managedFields", &[MERGE, DONE], UNTRACKED),
    on("apply-ownership-moves-on-json-patch", "the server does not record JSON patches in managedFields", &[JSON_PATCH, DONE], UNTRACKED),
    on("apply-ownership-moves-on-strategic-merge-patch", "the server does not record strategic merge patches in managedFields", &[STRATEGIC, DONE], UNTRACKED),
    on("apply-ownership-unchanged-value-not-claimed-by-update", "a PUT takes ownership of all fields", &[Method("PUT"), DONE],
        &[EditResponse(field_managers::own_all_fields)]),
    on("apply-ownership-post-creator-owns", "the server records no fields for the creator of an object", &[Method("POST"), StatusIs(201)], &[EditJson(clear_owned_fields)]),
    on("apply-ownership-update-leaves-other-fields", "a merge patch takes ownership of all fields", &[MERGE, DONE], &[EditResponse(field_managers::own_all_fields)]),
    // Defaults.
    on("apply-ownership-defaults-not-owned-by-applier", "the server records defaults as fields of the applier", &[APPLY, Custom], &[EditJson(with_size)]),
    on("apply-ownership-drop-sole-owner-resets-to-default", "a field that its sole owner drops keeps its value", &[APPLY], &[MANAGER_PER_CONFIGURATION]),
    // Removed fields.
    on("apply-ownership-drop-sole-owner-deletes", "an apply does not remove a field that its sole owner drops", &[APPLY], &[MANAGER_PER_CONFIGURATION]),
    on("apply-ownership-drop-kept-when-other-owner", "an apply removes fields that no applier owns", &[APPLY, DONE], &[EditJson(field_managers::remove_unapplied_fields)]),
    on("apply-ownership-drop-list-map-item", "an apply never removes list items", &[APPLY], &[MANAGER_PER_CONFIGURATION]),
    on("apply-ownership-drop-list-map-item-kept-when-shared", "an apply removes a shared list item that one applier drops", &[APPLY], &[ONE_MANAGER]),
    on("apply-ownership-drop-map-key", "an apply never removes map keys", &[APPLY], &[MANAGER_PER_CONFIGURATION]),
    on("apply-ownership-drop-set-item", "an apply never removes set items", &[APPLY], &[MANAGER_PER_CONFIGURATION]),
    on("apply-ownership-emptied-parent", "an apply cannot remove the last key of a map", &[APPLY], &[MANAGER_PER_CONFIGURATION]),
    // Other topologies and versions.
    on("apply-ownership-topology-to-atomic", "a manager still owns single keys after the map became atomic", &[MERGE, Custom], &[EditJson(keep_granular_owners)]),
    on("apply-ownership-topology-to-granular-top-level-kept", "a manager owns each key after the map became granular", &[APPLY, Custom, Is(MANAGER, "m2")], &[EditJson(make_owners_granular)]),
    on("apply-ownership-topology-to-granular-children-deletable", "the server ignores null in merge patches of custom resources", &[MERGE, Custom],
        &[EditRequest(|parts, body| json_body(parts, body, without_nulls))]),
    on("apply-ownership-change-api-version", "the server counts an applier in another API version as another manager", &[APPLY, OF_ANOTHER_VERSION], &[SetParameter(MANAGER, "another")]),
    // Transfer of replicas.
    on("apply-ownership-transfer-too-early-resets", "a field keeps its value after its last owner drops it", &[APPLY], &[MANAGER_PER_CONFIGURATION]),
    on("apply-ownership-transfer-after-conflict", "the server resets replicas when an apply omits them", &[APPLY, Plural("deployments")], &[Several(reset_replicas_first)]),
    on("apply-ownership-transfer-private-manager", "the server rejects the partial apply of a private manager", &[APPLY, Is(MANAGER, "handover")],
        &[Reject(422, "Invalid", "spec.template: Required value")]),
    on("apply-ownership-transfer-temporary-manager-removed", "the server keeps the entry of a temporary manager without fields", &[MERGE, DONE],
        &[EditJson(|object| field_managers::add_entry(object, "handover", "Apply", &json!({ "f:spec": { "f:replicas": {} } })))]),
    on("apply-ownership-scale-takes-replicas", "the server does not show scale entries in managedFields", &[Method("GET"), Object], &[EditJson(remove_scale_entries)]),
    on("apply-ownership-scale-shared", "the server returns 409 for every apply to the scale", &[APPLY, SCALE], &[Reject(409, "Conflict", "another manager owns it")]),
    on("apply-ownership-scale-status-only", "every patch of the scale sets replicas", &[MERGE, SCALE], &[SetInRequest("/spec/replicas", "42")]),
];

fn nulls_to_text(patch: &mut Value) {
    match patch {
        Value::Null => *patch = "nothing".into(),
        Value::Object(fields) => fields.values_mut().for_each(nulls_to_text),
        _ => {}
    }
}

fn clear_owned_fields(object: &mut Value) {
    for entry in field_managers::entries(object).into_iter().flatten() {
        entry["fieldsV1"] = json!({});
    }
}

fn with_size(object: &mut Value) {
    field_managers::edit_appliers(object, |fields| fields["f:spec"]["f:size"] = json!({}));
}

fn keep_granular_owners(object: &mut Value) {
    field_managers::edit_appliers(object, |fields| {
        if let Some(map) = fields.pointer_mut("/f:spec/f:map") {
            *map = json!({ "f:a": {} });
        }
    });
}

fn make_owners_granular(object: &mut Value) {
    field_managers::edit_appliers(object, |fields| {
        let map = fields.pointer_mut("/f:spec/f:map");
        if let Some(map) = map.filter(|map| map["f:a"].is_null()) {
            *map = json!({ "f:a": {}, "f:b": {} });
        }
    });
}

/// For an apply without replicas, the default first; then the apply.
fn reset_replicas_first(parts: &Parts, body: &Bytes) -> Vec<Sent> {
    let apply = rewrite::unchanged(parts, body);
    if !rewrite::read(body)["spec"]["replicas"].is_null() {
        return vec![apply];
    }
    let reset = json!({ "spec": { "replicas": 1 } });
    vec![rewrite::json_request(parts, Verb::PATCH, parts.uri.path(), &reset), apply]
}

fn remove_scale_entries(object: &mut Value) {
    if let Some(entries) = field_managers::entries(object) {
        entries.retain(|entry| entry["subresource"] != "scale");
    }
}
