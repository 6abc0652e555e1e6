//! Faults of server-side apply conflicts: detection, `Status` causes and force.

use bytes::Bytes;
use http::request::Parts;
use serde_json::Value;

use super::apply_ownership::OF_ANOTHER_VERSION;
use super::field_managers::{self, APPLY, FORCE, FORCED, MANAGER, MANAGER_PER_CONFIGURATION};
use super::patch::MERGE;
use super::rewrite::{self, Sent};
use crate::fault::{Edit, Edit::*, Fault, RequestFacts, When, When::*, json_body, on};

const REFUSED: When = StatusIs(409);
const WITH_FORCE: When = Is(FORCE, "true");
const BY_THE_SECOND: When = Is(MANAGER, "m2");
const BY_KUBECTL: When = Is(MANAGER, "kubectl");
const CONFLICT: Edit = Reject(409, "Conflict", "another manager owns it");

#[rustfmt::skip]
pub(super) const FAULTS: &[Fault] = &[
    // Detection.
    on("apply-conflicts-value-owned-by-other", "the server forces every apply, so the last apply wins", &[APPLY], &[FORCED]),
    on("apply-conflicts-shared-field-change", "an apply changes a shared field without a conflict", &[APPLY], &[FORCED]),
    on("apply-conflicts-with-update-owner", "an apply takes fields of update managers without a conflict", &[APPLY], &[FORCED]),
    on("apply-conflicts-same-name-other-operation", "an apply takes fields from the update entry of the same manager name without a conflict", &[APPLY], &[FORCED]),
    on("apply-conflicts-nothing-written", "an apply with a conflict still writes its other fields", &[APPLY, BY_THE_SECOND], &[Several(apply_others_first)]),
    on("apply-conflicts-after-update-moved-owner", "an apply overwrites a field that an update took, without a conflict", &[APPLY], &[FORCED]),
    on("apply-conflicts-stale-local-config-detected", "an apply with an old value overwrites the new value without a conflict", &[APPLY], &[FORCED]),
    on("apply-conflicts-transfer-private-manager-late", "a late apply overwrites the controller's value without a conflict", &[APPLY], &[FORCED]),
    on("apply-conflicts-dry-run", "the server forces dry-run applies, so they report no conflict", &[APPLY, Is("dryRun", "All")], &[FORCED]),
    // The failure.
    on("apply-conflicts-status-object", "the server responds to an apply conflict with 422 Invalid", &[APPLY, REFUSED], &[Fail(422, "Invalid", "another manager owns it")]),
    on("apply-conflicts-cause-reason", "the Status of an apply conflict has no causes", &[APPLY, REFUSED], &[Remove("/details/causes")]),
    on("apply-conflicts-cause-field", "the causes of an apply conflict have an empty field", &[APPLY, REFUSED], &[EditJson(|status| edit_causes(status, |cause| cause["field"] = "".into()))]),
    on("apply-conflicts-cause-field-list-item", "the causes of an apply conflict name list items by index instead of key", &[APPLY, REFUSED], &[EditJson(|status| edit_causes(status, by_index))]),
    on("apply-conflicts-cause-message-manager", "the causes of an apply conflict name the requesting manager", &[APPLY, REFUSED], &[EditResponse(with_requesting_manager)]),
    on("apply-conflicts-message-names-managers", "the message of an apply conflict names only the first owner", &[APPLY, REFUSED], &[EditJson(message_of_first_cause)]),
    on("apply-conflicts-one-cause-per-manager-and-field", "the Status of an apply conflict has only one cause", &[APPLY, REFUSED], &[EditJson(keep_first_cause)]),
    on("apply-conflicts-update-owner-version-in-message", "the conflict message names a wrong API version of the owner", &[APPLY, REFUSED], &[ReplaceText("using ", "using x")]),
    // Fields without a conflict.
    on("apply-conflicts-defaulted-field-is-free", "the server adds the default of size to an apply, so its applier owns it", &[APPLY, Custom],
        &[EditRequest(|parts, body| json_body(parts, body, with_size))]),
    on("apply-conflicts-none-for-own-field", "the server counts each changed apply as another manager, so it conflicts with itself", &[APPLY], &[MANAGER_PER_CONFIGURATION]),
    on("apply-conflicts-none-for-equal-value", "the server returns 409 for an apply of a value that another manager owns", &[APPLY, Is(MANAGER, "m1")], &[CONFLICT]),
    on("apply-conflicts-none-for-unowned-field", "the server returns 409 for an apply of a field without an owner", &[APPLY, BY_THE_SECOND], &[CONFLICT]),
    on("apply-conflicts-none-for-dropping", "the server returns 409 for an apply that omits a field of another owner", &[APPLY],
        &[EditRequest(|parts, body| json_body(parts, body, outdate_without_a))]),
    on("apply-conflicts-update-never-conflicts", "the server returns 409 for a PUT that changes fields of another owner", &[Method("PUT"), Object, Has(MANAGER)], &[CONFLICT]),
    // Force.
    on("apply-conflicts-force-overrides", "the server ignores force", &[APPLY], &[DropParameter(FORCE)]),
    on("apply-conflicts-force-transfers-ownership", "a forced apply leaves the field with its former owners, too", &[APPLY, WITH_FORCE], &[EditJson(field_managers::share_with_appliers)]),
    on("apply-conflicts-force-keeps-other-fields", "a forced apply removes all entries of other appliers", &[APPLY, WITH_FORCE], &[EditResponse(remove_other_appliers)]),
    on("apply-conflicts-force-removes-emptied-entry", "a forced apply keeps an empty entry of the former owner", &[APPLY, WITH_FORCE],
        &[EditJson(|object| field_managers::add_entry(object, "m1", "Apply", &serde_json::json!({})))]),
    on("apply-conflicts-force-without-conflict", "the server returns 404 for a forced apply of a missing object", &[APPLY, WITH_FORCE, StatusIs(201)], &[Fail(404, "NotFound", "not found")]),
    on("apply-conflicts-force-does-not-steal-equal-values", "a forced apply records no ownership for its manager", &[APPLY, WITH_FORCE],
        &[EditResponse(field_managers::remove_requesting_manager)]),
    on("apply-conflicts-force-false", "the server forces an apply with any value of force, even false", &[APPLY, Present(FORCE)], &[FORCED]),
    on("apply-conflicts-force-loose-values", "the server treats an apply with force=1 as a dry run", &[APPLY, Is(FORCE, "1")], &[SetParameter("dryRun", "All")]),
    on("apply-conflicts-force-on-non-apply-rejected", "the server ignores force on a merge patch", &[MERGE], &[DropParameter(FORCE)]),
    // Resolutions.
    on("apply-conflicts-resolve-give-up", "an apply removes fields that no applier owns", &[APPLY, StatusIs(200)], &[EditJson(field_managers::remove_unapplied_fields)]),
    on("apply-conflicts-resolve-share", "an apply removes the entries of update managers", &[APPLY, StatusIs(200)], &[EditJson(remove_updaters)]),
    // Other topologies and versions.
    on("apply-conflicts-topology-to-atomic", "an apply overwrites an atomic field of another owner without a conflict", &[APPLY, BY_THE_SECOND], &[FORCED]),
    on("apply-conflicts-topology-to-granular-none", "the server returns 409 though the field became granular", &[APPLY, BY_THE_SECOND], &[CONFLICT]),
    on("apply-conflicts-across-versions", "an apply in another API version overwrites fields without a conflict", &[APPLY, OF_ANOTHER_VERSION], &[FORCED]),
    // kubectl.
    on("apply-conflicts-migration-kubectl-absorbed", "the server treats kubectl's applies as those of another manager, without migration", &[APPLY, BY_KUBECTL], &[SetParameter(MANAGER, "another")]),
    on("apply-conflicts-migration-other-manager-not-absorbed", "the server migrates client-side apply for every manager, not only kubectl", &[APPLY], &[SetParameter(MANAGER, "kubectl")]),
    on("apply-conflicts-migration-changed-field", "the server forces kubectl's applies, so they overwrite changed fields", &[APPLY, BY_KUBECTL], &[FORCED]),
    // Subresources.
    on("apply-conflicts-status", "the server forces applies to the status, so the last one wins", &[APPLY, Subresource("status")], &[FORCED]),
    on("apply-conflicts-scale-then-main", "an apply to the object overwrites scaled replicas without a conflict", &[APPLY, Object], &[FORCED]),
    on("apply-conflicts-scale-apply", "the server forces applies to the scale, so the last one wins", &[APPLY, Subresource("scale")], &[FORCED]),
    // Many conflicts.
    on("apply-conflicts-ancient-changes-still-owned", "an apply takes fields of ancient-changes without a conflict", &[APPLY], &[FORCED]),
];

/// An apply without the text `a`, then the apply.
fn apply_others_first(parts: &Parts, body: &Bytes) -> Vec<Sent> {
    let mut others = rewrite::read(body);
    for texts in ["/data", "/metadata/annotations"] {
        let texts = others.pointer_mut(texts).and_then(Value::as_object_mut);
        texts.and_then(|texts| texts.shift_remove("a"));
    }
    vec![rewrite::with_body(parts, &others), rewrite::unchanged(parts, body)]
}

/// Outdates the version of an apply without the text `a`.
fn outdate_without_a(object: &mut Value) {
    let texts = ["/data/a", "/metadata/annotations/a"];
    if texts.iter().all(|text| object.pointer(text).is_none()) {
        object["metadata"]["resourceVersion"] = "1".into();
    }
}

fn with_size(object: &mut Value) {
    if object["spec"]["size"].is_null() {
        object["spec"]["size"] = 1.into();
    }
}

fn causes(status: &mut Value) -> Option<&mut Vec<Value>> {
    status.pointer_mut("/details/causes").and_then(Value::as_array_mut)
}

fn edit_causes(status: &mut Value, edit: impl Fn(&mut Value)) {
    causes(status).into_iter().flatten().for_each(edit);
}

fn by_index(cause: &mut Value) {
    let field = cause["field"].as_str().unwrap_or_default();
    if let (Some((list, _)), Some((_, rest))) = (field.split_once('['), field.split_once(']')) {
        cause["field"] = format!("{list}[0]{rest}").into();
    }
}

fn with_requesting_manager(request: &RequestFacts, status: &mut Value) {
    let message = format!("conflict with {:?}", request.parameter(MANAGER));
    edit_causes(status, |cause| cause["message"] = message.as_str().into());
}

fn message_of_first_cause(status: &mut Value) {
    let first = status["details"]["causes"][0]["message"].clone();
    status["message"] = first;
}

pub(super) fn keep_first_cause(status: &mut Value) {
    if let Some(causes) = causes(status) {
        causes.truncate(1);
    }
}

fn remove_other_appliers(request: &RequestFacts, object: &mut Value) {
    if let Some(entries) = field_managers::entries(object) {
        entries.retain(|entry| {
            !field_managers::applies(entry) || entry["manager"] == request.parameter(MANAGER)
        });
    }
}

fn remove_updaters(object: &mut Value) {
    if let Some(entries) = field_managers::entries(object) {
        entries.retain(field_managers::applies);
    }
}
