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
const CREATED: When = Answered(201);
const CHANGED: When = Answered(200);
const STATUS: When = Subresource("status");
const BY_M2: When = Is("fieldManager", "m2");
const LATE: When = Is("fieldManager", "late");
/// As JSON pointers have it.
const LAST_APPLIED: &str = "/metadata/annotations/kubectl.kubernetes.io~1last-applied-configuration";
const OTHER_FIELDS: &str = "request to convert to an invalid version";

#[rustfmt::skip]
pub(super) const FAULTS: &[Fault] = &[
    // That records are kept.
    on("managed-fields-tracked-on-post", "a new object has no records", &[POST], &[Remove(MANAGED)]),
    on("managed-fields-tracked-on-apply-create", "an apply that creates is recorded as an update", &[APPLY, CREATED],
        &[EditJson(|object| managed_entries::set(object, "operation", &json!("Update")))]),
    on("managed-fields-stored-in-metadata", "reads show no records", &[GET, Object], &[Remove(MANAGED)]),
    on("managed-fields-in-metadata-only-reads", "reads of metadata show no records", &[GET, HeaderHas("accept", "PartialObjectMetadata")], &[Remove(MANAGED)]),
    on("managed-fields-no-last-applied-annotation", "an apply writes an annotation", &[APPLY], &[Set(LAST_APPLIED, "\"{}\"")]),
    on("managed-fields-tracked-since-118", "only config maps have records", &[POST, Not(&Of("configmaps"))], &[Remove(MANAGED)]),
    on("managed-fields-accept-drop", "who asks for no records takes them away", &[GET, HeaderHas("accept", "drop=")], &[Several(clear)]),
    on("managed-fields-deleted-object-recreated", "records are kept by name", &[APPLY, CREATED],
        &[EditJson(|object| managed_entries::add(object, "m2", "Apply", &json!({ "f:data": { "f:b": {} } })))]),
    // What an entry says.
    on("managed-fields-entry-manager", "an entry names no manager", &[APPLY], &[EditJson(|object| managed_entries::set(object, "manager", &json!("")))]),
    on("managed-fields-entry-operation-apply", "operations are in small letters", &[APPLY], &[EditJson(|object| managed_entries::set(object, "operation", &json!("apply")))]),
    on("managed-fields-entry-operation-update", "a create is of operation Create", &[POST], &[EditJson(|object| managed_entries::set(object, "operation", &json!("Create")))]),
    on("managed-fields-entry-operation-follows-last-change", "entries go by the name of the manager alone", &[MERGE],
        &[EditJson(|object| managed_entries::set(object, "operation", &json!("Apply")))]),
    on("managed-fields-entry-api-version", "an entry names no version", &[PATCH], &[EditJson(|object| managed_entries::set(object, "apiVersion", &Value::Null))]),
    on("managed-fields-entry-api-version-not-converted-on-read", "entries are of the version of who reads", &[GET, Object], &[EditJson(of_the_shown_version)]),
    on("managed-fields-entry-time", "an apply has no time", &[APPLY], &[EditJson(|object| managed_entries::set(object, "time", &Value::Null))]),
    on("managed-fields-entry-fields-type", "an entry does not name the form of its fields", &[PATCH], &[EditJson(|object| managed_entries::set(object, "fieldsType", &Value::Null))]),
    on("managed-fields-entry-fields-v1", "fields are a list of paths", &[APPLY], &[EditJson(|object| managed_entries::set(object, "fieldsV1", &json!(["data.a"])))]),
    // How fields are written.
    on("managed-fields-fields-v1-field-key", "names are written as in JSON pointers", &[APPLY], &[ReplaceText("f:example.com/a.b", "f:example.com~1a.b")]),
    on("managed-fields-fields-v1-leaf-empty-object", "ends are true", &[PATCH], &[EditJson(|object| managed_entries::branches(object, |below| {
        below.values_mut().filter(|end| **end == json!({})).for_each(|end| *end = true.into());
    }))]),
    on("managed-fields-fields-v1-list-map-key", "items are written as their positions", &[APPLY], &[EditJson(|object| managed_entries::branches(object, |below| {
        managed_entries::rename(below, |step| if step.starts_with("k:") { "i:0".to_owned() } else { step.to_owned() });
    }))]),
    on("managed-fields-fields-v1-list-map-item-dot", "an item is not owned itself", &[APPLY],
        &[EditJson(|object| managed_entries::branches(object, |below| drop(below.shift_remove("."))))]),
    on("managed-fields-fields-v1-set-value", "values of sets are written without quotes", &[APPLY], &[EditJson(|object| managed_entries::branches(object, |below| {
        managed_entries::rename(below, |step| if step.starts_with("v:") { step.replace('"', "") } else { step.to_owned() });
    }))]),
    on("managed-fields-fields-v1-atomic-is-leaf", "items of atomic lists are owned one by one", &[APPLY],
        &[EditJson(|object| managed_entries::graft(object, "/f:spec/f:args", &json!({ "i:0": {}, "i:1": {} })))]),
    on("managed-fields-fields-v1-dot-on-created-parent", "a create owns the map alone", &[POST],
        &[EditJson(|object| managed_entries::graft(object, "/f:data", &json!({ ".": {} })))]),
    on("managed-fields-unowned-metadata-paths", "who writes an object owns its name", &[PUT, Object],
        &[EditJson(|object| managed_entries::each(object, |entry| entry["fieldsV1"]["f:metadata"]["f:name"] = json!({})))]),
    // How entries come together.
    on("managed-fields-no-empty-entry", "who applies nothing has an entry", &[APPLY], &[EditJson(|object| managed_entries::add(object, "m1", "Apply", &json!({})))]),
    on("managed-fields-empty-object-stays-untracked", "an apply does not begin to track", &[APPLY], &[Remove(MANAGED)]),
    on("managed-fields-one-entry-per-applier", "each apply is an entry", &[APPLY, CHANGED], &[EditJson(|object| managed_entries::repeat(object, "m1"))]),
    on("managed-fields-sorted", "entries come in any order", &[GET, Object, Every(2)], &[EditJson(|object| {
        if let Some(entries) = managed_entries::list(object) { entries.reverse() }
    })]),
    on("managed-fields-updates-of-one-manager-grouped", "each update is an entry", &[MERGE], &[EditJson(|object| managed_entries::repeat(object, "u"))]),
    on("managed-fields-update-entries-per-version", "updates through all versions are one", &[MERGE], &[EditJson(of_the_shown_version)]),
    on("managed-fields-time-unchanged-when-taken-over", "all entries have the time of the last write", &[APPLY, Has("force")], &[EditJson(of_the_latest_time)]),
    on("managed-fields-time-moves-on-change", "an entry has the time of the object", &[APPLY], &[EditJson(of_the_first_time)]),
    on("managed-fields-put-noop-same-resource-version", "a PUT that changes nothing is recorded", &[PUT, Object],
        &[EditJson(|object| managed_entries::add(object, "u", "Update", &json!({ "f:data": { "f:a": {} } })))]),
    // How writes bring them up to date.
    on("managed-fields-put-updates", "a PUT is not recorded", &[PUT, Object], &[EditJson(|object| managed_entries::forget(object, "u"))]),
    on("managed-fields-apply-updates", "an entry has all that was ever applied", &[APPLY, CHANGED], &[EditJson(|object| managed_entries::claim(object, "m1", "a"))]),
    on("managed-fields-patch-updates", "a patch is not recorded", &[MERGE], &[EditJson(|object| managed_entries::forget(object, "u"))]),
    on("managed-fields-removed-field-leaves-all-entries", "what was removed is still owned", &[MERGE], &[EditJson(|object| managed_entries::claim(object, "m1", "a"))]),
    on("managed-fields-ownership-only-change-bumps-resource-version", "who applies what is there is not recorded", &[APPLY, BY_M2], &[SetParameter("dryRun", "All")]),
    on("managed-fields-ownership-only-change-keeps-generation", "an owner more is a generation more", &[APPLY, BY_M2], &[Set("/metadata/generation", "999")]),
    // Versions that are gone.
    on("managed-fields-obsolete-version-dropped", "an object does not outlive a version of its entries", &[PATCH, LATE], &[Refuse(500, "InternalError", OTHER_FIELDS)]),
    on("managed-fields-update-error-keeps-entries", "an update fails when its entries cannot be read", &[MERGE, LATE], &[Refuse(500, "InternalError", OTHER_FIELDS)]),
    // Subresources.
    on("managed-fields-entry-subresource", "a write of the status is not told from others", &[STATUS], &[EditJson(|object| managed_entries::set(object, "subresource", &Value::Null))]),
    on("managed-fields-subresource-distinguishes-manager", "an apply drops what its manager has applied to the status", &[APPLY, Object], &[Remove("/status")]),
    on("managed-fields-subresource-api-version-is-main", "a write of the scale is of the version of scales", &[GET, Object], &[EditJson(|object| {
        managed_entries::each(object, |entry| if entry["subresource"] == "scale" { entry["apiVersion"] = json!("autoscaling/v1") });
    })]),
    on("managed-fields-not-changeable-via-subresource", "who writes a status takes all records away", &[STATUS], &[Remove(MANAGED)]),
    // Many of them.
    on("managed-fields-update-entries-capped", "there are as many entries as managers", &[MERGE], &[EditJson(|object| {
        (0..11).for_each(|number| managed_entries::add(object, &format!("more-{number}"), "Update", &json!({})));
    })]),
    on("managed-fields-apply-entries-not-capped", "of applies only ten are recorded", &[GET, Object], &[EditJson(|object| {
        if let Some(entries) = managed_entries::list(object) { entries.truncate(10) }
    })]),
    on("managed-fields-duplicate-list-items", "an object with duplicate items cannot be applied to", &[APPLY, Of("deployments")],
        &[Refuse(500, "InternalError", "failed to create typed live object: duplicate entries for key")]),
];

/// All records are taken away, and then the request is carried out.
fn clear(parts: &Parts, body: &Bytes) -> Vec<Sent> {
    let clearing = json!({ "metadata": { "managedFields": [{}] } });
    vec![rewrite::instead(parts, Verb::PATCH, parts.uri.path(), &clearing), rewrite::unchanged(parts, body)]
}

fn of_the_shown_version(object: &mut Value) {
    let version = object["apiVersion"].clone();
    managed_entries::set(object, "apiVersion", &version);
}

fn of_the_first_time(object: &mut Value) {
    let time = object["metadata"]["creationTimestamp"].clone();
    managed_entries::set(object, "time", &time);
}

fn of_the_latest_time(object: &mut Value) {
    let times =
        managed_entries::list(object).into_iter().flatten().filter_map(|entry| entry["time"].as_str());
    if let Some(latest) = times.max().map(|time| json!(time)) {
        managed_entries::set(object, "time", &latest);
    }
}
