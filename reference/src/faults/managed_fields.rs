//! Faults of managedFields: content, order and limits of its entries.

use bytes::Bytes;
use http::Method as Verb;
use http::request::Parts;
use serde_json::{Value, json};

use super::field_managers::APPLY;
use super::managed_entries::{self, MANAGED};
use super::patch::{MERGE, PATCH};
use super::rewrite::{self, Sent};
use crate::fault::{Edit::*, Fault, When, When::*, on};

const GET: When = Method("GET");
const POST: When = Method("POST");
const PUT: When = Method("PUT");
const CREATED: When = StatusIs(201);
const CHANGED: When = StatusIs(200);
const STATUS: When = Subresource("status");
const BY_M2: When = Is("fieldManager", "m2");
const LATE: When = Is("fieldManager", "late");
/// As a JSON pointer.
const LAST_APPLIED: &str = "/metadata/annotations/kubectl.kubernetes.io~1last-applied-configuration";
const OTHER_FIELDS: &str = "request to convert to an invalid version";

#[rustfmt::skip]
pub(super) const FAULTS: &[Fault] = &[
    // Presence of entries.
    on("managed-fields-tracked-on-post", "a created object has no managedFields", &[POST], &[Remove(MANAGED)]),
    on("managed-fields-tracked-on-apply-create", "an apply that creates is recorded with operation Update", &[APPLY, CREATED],
        &[EditJson(|object| managed_entries::set(object, "operation", &json!("Update")))]),
    on("managed-fields-stored-in-metadata", "a get returns no managedFields", &[GET, Object], &[Remove(MANAGED)]),
    on("managed-fields-in-metadata-only-reads", "PartialObjectMetadata has no managedFields", &[GET, HeaderHas("accept", "PartialObjectMetadata")], &[Remove(MANAGED)]),
    on("managed-fields-no-last-applied-annotation", "an apply writes the last-applied annotation", &[APPLY], &[Set(LAST_APPLIED, "\"{}\"")]),
    on("managed-fields-tracked-since-118", "only ConfigMaps have managedFields", &[POST, Not(&Plural("configmaps"))], &[Remove(MANAGED)]),
    on("managed-fields-accept-drop", "a get with drop=managedFields clears the stored managedFields", &[GET, HeaderHas("accept", "drop=")], &[Several(clear_first)]),
    on("managed-fields-deleted-object-recreated", "a recreated object has managedFields entries of its predecessor", &[APPLY, CREATED],
        &[EditJson(|object| managed_entries::add(object, "m2", "Apply", &json!({ "f:data": { "f:b": {} } })))]),
    // Fields of an entry.
    on("managed-fields-entry-manager", "managedFields entries have no manager", &[APPLY], &[EditJson(|object| managed_entries::set(object, "manager", &json!("")))]),
    on("managed-fields-entry-operation-apply", "the operation of an entry is in lower case", &[APPLY], &[EditJson(|object| managed_entries::set(object, "operation", &json!("apply")))]),
    on("managed-fields-entry-operation-update", "a create is recorded with operation Create", &[POST], &[EditJson(|object| managed_entries::set(object, "operation", &json!("Create")))]),
    on("managed-fields-entry-operation-follows-last-change", "a merge patch is recorded with operation Apply", &[MERGE],
        &[EditJson(|object| managed_entries::set(object, "operation", &json!("Apply")))]),
    on("managed-fields-entry-api-version", "managedFields entries have no apiVersion", &[PATCH], &[EditJson(|object| managed_entries::set(object, "apiVersion", &Value::Null))]),
    on("managed-fields-entry-api-version-not-converted-on-read", "managedFields entries have the apiVersion of the read", &[GET, Object], &[EditJson(set_shown_version)]),
    on("managed-fields-entry-time", "an apply entry has no time", &[APPLY], &[EditJson(|object| managed_entries::set(object, "time", &Value::Null))]),
    on("managed-fields-entry-fields-type", "managedFields entries have no fieldsType", &[PATCH], &[EditJson(|object| managed_entries::set(object, "fieldsType", &Value::Null))]),
    on("managed-fields-entry-fields-v1", "fieldsV1 is a list of paths", &[APPLY], &[EditJson(|object| managed_entries::set(object, "fieldsV1", &json!(["data.a"])))]),
    // Notation of fields.
    on("managed-fields-fields-v1-field-key", "fieldsV1 escapes keys like a JSON pointer", &[APPLY], &[ReplaceText("f:example.com/a.b", "f:example.com~1a.b")]),
    on("managed-fields-fields-v1-leaf-empty-object", "fieldsV1 leaves are true instead of an empty object", &[PATCH], &[EditJson(|object| managed_entries::branches(object, |below| {
        below.values_mut().filter(|end| **end == json!({})).for_each(|end| *end = true.into());
    }))]),
    on("managed-fields-fields-v1-list-map-key", "fieldsV1 names list map items by index", &[APPLY], &[EditJson(|object| managed_entries::branches(object, |below| {
        managed_entries::rename(below, |step| if step.starts_with("k:") { "i:0".to_owned() } else { step.to_owned() });
    }))]),
    on("managed-fields-fields-v1-list-map-item-dot", "fieldsV1 lacks the dot of list map items", &[APPLY],
        &[EditJson(|object| managed_entries::branches(object, |below| drop(below.shift_remove("."))))]),
    on("managed-fields-fields-v1-set-value", "fieldsV1 has set values without quotes", &[APPLY], &[EditJson(|object| managed_entries::branches(object, |below| {
        managed_entries::rename(below, |step| if step.starts_with("v:") { step.replace('"', "") } else { step.to_owned() });
    }))]),
    on("managed-fields-fields-v1-atomic-is-leaf", "fieldsV1 lists the items of atomic lists", &[APPLY],
        &[EditJson(|object| managed_entries::graft(object, "/f:spec/f:args", &json!({ "i:0": {}, "i:1": {} })))]),
    on("managed-fields-fields-v1-dot-on-created-parent", "a create records only the map, not its keys", &[POST],
        &[EditJson(|object| managed_entries::graft(object, "/f:data", &json!({ ".": {} })))]),
    on("managed-fields-unowned-metadata-paths", "a PUT records ownership of metadata.name", &[PUT, Object],
        &[EditJson(|object| managed_entries::each(object, |entry| entry["fieldsV1"]["f:metadata"]["f:name"] = json!({})))]),
    // Merging and order of entries.
    on("managed-fields-no-empty-entry", "an empty apply adds an empty entry", &[APPLY], &[EditJson(|object| managed_entries::add(object, "m1", "Apply", &json!({})))]),
    on("managed-fields-empty-object-stays-untracked", "an apply removes managedFields", &[APPLY], &[Remove(MANAGED)]),
    on("managed-fields-one-entry-per-applier", "each apply adds an entry", &[APPLY, CHANGED], &[EditJson(|object| managed_entries::repeat(object, "m1"))]),
    on("managed-fields-sorted", "the order of managedFields entries varies", &[GET, Object, Every(2)], &[EditJson(|object| {
        if let Some(entries) = managed_entries::list(object) { entries.reverse() }
    })]),
    on("managed-fields-updates-of-one-manager-grouped", "each update adds an entry", &[MERGE], &[EditJson(|object| managed_entries::repeat(object, "u"))]),
    on("managed-fields-update-entries-per-version", "updates in several API versions share one entry", &[MERGE], &[EditJson(set_shown_version)]),
    on("managed-fields-time-unchanged-when-taken-over", "a write updates the time of all entries", &[APPLY, Has("force")], &[EditJson(set_latest_time)]),
    on("managed-fields-time-moves-on-change", "the time of an entry never changes", &[APPLY], &[EditJson(set_creation_time)]),
    on("managed-fields-put-noop-same-resource-version", "a PUT without changes adds an entry", &[PUT, Object],
        &[EditJson(|object| managed_entries::add(object, "u", "Update", &json!({ "f:data": { "f:a": {} } })))]),
    // Updates of entries by writes.
    on("managed-fields-put-updates", "a PUT adds no entry", &[PUT, Object], &[EditJson(|object| managed_entries::forget(object, "u"))]),
    on("managed-fields-apply-updates", "an apply entry keeps fields of earlier applies", &[APPLY, CHANGED], &[EditJson(|object| managed_entries::claim(object, "m1", "a"))]),
    on("managed-fields-patch-updates", "a merge patch adds no entry", &[MERGE], &[EditJson(|object| managed_entries::forget(object, "u"))]),
    on("managed-fields-removed-field-leaves-all-entries", "a removed field stays in managedFields", &[MERGE], &[EditJson(|object| managed_entries::claim(object, "m1", "a"))]),
    on("managed-fields-ownership-only-change-bumps-resource-version", "an apply that changes only ownership is not stored", &[APPLY, BY_M2], &[SetParameter("dryRun", "All")]),
    on("managed-fields-ownership-only-change-keeps-generation", "an apply that changes only ownership changes the generation", &[APPLY, BY_M2], &[Set("/metadata/generation", "999")]),
    // Removed versions.
    on("managed-fields-obsolete-version-dropped", "patches fail once an entry names a removed API version", &[PATCH, LATE], &[Reject(500, "InternalError", OTHER_FIELDS)]),
    on("managed-fields-update-error-keeps-entries", "a merge patch fails when an entry cannot be decoded", &[MERGE, LATE], &[Reject(500, "InternalError", OTHER_FIELDS)]),
    // Subresources.
    on("managed-fields-entry-subresource", "a status entry has no subresource", &[STATUS], &[EditJson(|object| managed_entries::set(object, "subresource", &Value::Null))]),
    on("managed-fields-subresource-distinguishes-manager", "an apply removes status fields of the same manager", &[APPLY, Object], &[Remove("/status")]),
    on("managed-fields-subresource-api-version-is-main", "a scale entry has apiVersion autoscaling/v1", &[GET, Object], &[EditJson(|object| {
        managed_entries::each(object, |entry| if entry["subresource"] == "scale" { entry["apiVersion"] = json!("autoscaling/v1") });
    })]),
    on("managed-fields-not-changeable-via-subresource", "a status write clears managedFields", &[STATUS], &[Remove(MANAGED)]),
    // Limits.
    on("managed-fields-update-entries-capped", "the number of update entries has no limit", &[MERGE], &[EditJson(|object| {
        (0..11).for_each(|number| managed_entries::add(object, &format!("more-{number}"), "Update", &json!({})));
    })]),
    on("managed-fields-apply-entries-not-capped", "the server shows only ten entries", &[GET, Object], &[EditJson(|object| {
        if let Some(entries) = managed_entries::list(object) { entries.truncate(10) }
    })]),
    on("managed-fields-duplicate-list-items", "the server returns 500 for an apply of an object with duplicate list items", &[APPLY, Plural("deployments")],
        &[Reject(500, "InternalError", "failed to create typed live object: duplicate entries for key")]),
];

/// The removal of all entries, then the request.
fn clear_first(parts: &Parts, body: &Bytes) -> Vec<Sent> {
    let clearing = json!({ "metadata": { "managedFields": [{}] } });
    vec![
        rewrite::json_request(parts, Verb::PATCH, parts.uri.path(), &clearing),
        rewrite::unchanged(parts, body),
    ]
}

fn set_shown_version(object: &mut Value) {
    let version = object["apiVersion"].clone();
    managed_entries::set(object, "apiVersion", &version);
}

fn set_creation_time(object: &mut Value) {
    let time = object["metadata"]["creationTimestamp"].clone();
    managed_entries::set(object, "time", &time);
}

fn set_latest_time(object: &mut Value) {
    let times =
        managed_entries::list(object).into_iter().flatten().filter_map(|entry| entry["time"].as_str());
    if let Some(latest) = times.max().map(|time| json!(time)) {
        managed_entries::set(object, "time", &latest);
    }
}
