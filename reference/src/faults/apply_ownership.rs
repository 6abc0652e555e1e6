//! Faults of field ownership: transfer, sharing and removal.

use bytes::Bytes;
use http::Method as Verb;
use http::request::Parts;
use serde_json::{Value, json};

use super::field_managers::{self, APPLY, AS_ONE, ESTRANGED, MANAGER};
use super::patch::{JSON_PATCH, MERGE, STRATEGIC, without_nulls};
use super::rewrite::{self, Sent};
use crate::fault::{Edit, Edit::*, Fault, When, When::*, json_body, on};

const DONE: When = Answered(200);
const SCALE: When = Subresource("scale");
/// The write is not recorded.
const UNTRACKED: &[Edit] = &[EditAnswer(field_managers::without_who_asked)];
pub(super) const OF_ANOTHER_VERSION: When = Asks(|asked| asked.path.contains("/v2/"));

#[rustfmt::skip]
pub(super) const FAULTS: &[Fault] = &[
    // Several appliers.
    on("apply-ownership-disjoint-appliers", "what is applied takes the place of what others applied", &[APPLY], &[AS_ONE]),
    on("apply-ownership-by-inclusion", "who applies what is there owns nothing", &[APPLY, DONE], UNTRACKED),
    on("apply-ownership-shared-on-equal-value", "a second applier is refused", &[APPLY, Is(MANAGER, "m2")],
        &[Refuse(409, "Conflict", "another manager owns it")]),
    on("apply-ownership-give-up-shared", "what one of its appliers drops is removed", &[APPLY], &[AS_ONE]),
    on("apply-ownership-transfer-between-appliers", "who has dropped a field still claims it", &[APPLY], &[ESTRANGED]),
    on("apply-ownership-reapply-after-removal", "who removes a field owns that it is not there", &[MERGE],
        &[EditRequest(|parts, body| json_body(parts, body, nulls_are_texts))]),
    // Other writes.
    on("apply-ownership-moves-on-put", "what is put stays its applier's, too", &[Method("PUT"), DONE], &[EditJson(field_managers::shared_by_appliers)]),
    on("apply-ownership-moves-on-merge-patch", "merge patches are not recorded", &[MERGE, DONE], UNTRACKED),
    on("apply-ownership-moves-on-json-patch", "JSON patches are not recorded", &[JSON_PATCH, DONE], UNTRACKED),
    on("apply-ownership-moves-on-strategic-merge-patch", "strategic merge patches are not recorded", &[STRATEGIC, DONE], UNTRACKED),
    on("apply-ownership-unchanged-value-not-claimed-by-update", "who puts an object owns all of it", &[Method("PUT"), DONE],
        &[EditAnswer(field_managers::all_of_who_asked)]),
    on("apply-ownership-post-creator-owns", "who creates an object owns nothing of it", &[Method("POST"), Answered(201)], &[EditJson(of_nothing)]),
    on("apply-ownership-update-leaves-other-fields", "who changes a field owns all others, too", &[MERGE, DONE], &[EditAnswer(field_managers::all_of_who_asked)]),
    // Defaults.
    on("apply-ownership-defaults-not-owned-by-applier", "defaults are their applier's", &[APPLY, Custom], &[EditJson(with_size)]),
    on("apply-ownership-drop-sole-owner-resets-to-default", "what is dropped keeps its value", &[APPLY], &[ESTRANGED]),
    // What is dropped.
    on("apply-ownership-drop-sole-owner-deletes", "what is dropped stays", &[APPLY], &[ESTRANGED]),
    on("apply-ownership-drop-kept-when-other-owner", "what no applier owns is removed", &[APPLY, DONE], &[EditJson(field_managers::without_what_no_applier_owns)]),
    on("apply-ownership-drop-list-map-item", "items are only ever added", &[APPLY], &[ESTRANGED]),
    on("apply-ownership-drop-list-map-item-kept-when-shared", "an item goes with the first who drops it", &[APPLY], &[AS_ONE]),
    on("apply-ownership-drop-map-key", "keys are only ever added", &[APPLY], &[ESTRANGED]),
    on("apply-ownership-drop-set-item", "values of sets are only ever added", &[APPLY], &[ESTRANGED]),
    on("apply-ownership-emptied-parent", "the last key cannot be removed", &[APPLY], &[ESTRANGED]),
    // Another topology, another version.
    on("apply-ownership-topology-to-atomic", "who owned a key owns it still", &[MERGE, Custom], &[EditJson(still_by_key)]),
    on("apply-ownership-topology-to-granular-top-level-kept", "who owned the whole owns each key", &[APPLY, Custom, Is(MANAGER, "m2")], &[EditJson(now_by_key)]),
    on("apply-ownership-topology-to-granular-children-deletable", "what is removed comes back", &[MERGE, Custom],
        &[EditRequest(|parts, body| json_body(parts, body, without_nulls))]),
    on("apply-ownership-change-api-version", "who applies another version is somebody else", &[APPLY, OF_ANOTHER_VERSION], &[SetParameter(MANAGER, "another")]),
    // Replicas that are handed over.
    on("apply-ownership-transfer-too-early-resets", "what nobody owns keeps its value", &[APPLY], &[ESTRANGED]),
    on("apply-ownership-transfer-after-conflict", "who drops replicas resets them", &[APPLY, Of("deployments")], &[Several(reset_first)]),
    on("apply-ownership-transfer-private-manager", "an apply must be whole", &[APPLY, Is(MANAGER, "handover")],
        &[Refuse(422, "Invalid", "spec.template: Required value")]),
    on("apply-ownership-transfer-temporary-manager-removed", "who has owned something is never forgotten", &[MERGE, DONE],
        &[EditJson(|object| field_managers::add_entry(object, "handover", "Apply", &json!({ "f:spec": { "f:replicas": {} } })))]),
    on("apply-ownership-scale-takes-replicas", "a scale is not recorded", &[Method("GET"), Object], &[EditJson(without_scales)]),
    on("apply-ownership-scale-shared", "a scale is never applied", &[APPLY, SCALE], &[Refuse(409, "Conflict", "another manager owns it")]),
    on("apply-ownership-scale-status-only", "every scale takes the replicas", &[MERGE, SCALE], &[SetInRequest("/spec/replicas", "42")]),
];

fn nulls_are_texts(patch: &mut Value) {
    match patch {
        Value::Null => *patch = "nothing".into(),
        Value::Object(fields) => fields.values_mut().for_each(nulls_are_texts),
        _ => {}
    }
}

fn of_nothing(object: &mut Value) {
    for entry in field_managers::entries(object).into_iter().flatten() {
        entry["fieldsV1"] = json!({});
    }
}

fn with_size(object: &mut Value) {
    field_managers::of_appliers(object, |fields| fields["f:spec"]["f:size"] = json!({}));
}

fn still_by_key(object: &mut Value) {
    field_managers::of_appliers(object, |fields| {
        if let Some(map) = fields.pointer_mut("/f:spec/f:map") {
            *map = json!({ "f:a": {} });
        }
    });
}

fn now_by_key(object: &mut Value) {
    field_managers::of_appliers(object, |fields| {
        let map = fields.pointer_mut("/f:spec/f:map");
        if let Some(map) = map.filter(|map| map["f:a"].is_null()) {
            *map = json!({ "f:a": {}, "f:b": {} });
        }
    });
}

/// The default, if the apply says no replicas, and then the apply.
fn reset_first(parts: &Parts, body: &Bytes) -> Vec<Sent> {
    let apply = rewrite::unchanged(parts, body);
    if !rewrite::read(body)["spec"]["replicas"].is_null() {
        return vec![apply];
    }
    let reset = json!({ "spec": { "replicas": 1 } });
    vec![rewrite::instead(parts, Verb::PATCH, parts.uri.path(), &reset), apply]
}

fn without_scales(object: &mut Value) {
    if let Some(entries) = field_managers::entries(object) {
        entries.retain(|entry| entry["subresource"] != "scale");
    }
}
