//! Faults of deletion.

pub(super) mod annotation_state;
mod finalizers;
pub(super) mod options;

use bytes::Bytes;
use http::request::Parts;
use serde_json::Value;

use super::watch::decrement;
use crate::fault::{Edit, Edit::*, Event, Fault, RequestFacts, When, When::*, on, store};
use crate::metadata::now;
use crate::store::StoreFault;

const DELETION: &str = "deletionTimestamp";
const POLICY: &str = "propagationPolicy";
const GRACE: &str = "gracePeriodSeconds";
const FORCE: &str = "ignoreStoreReadErrorWithClusterBreakingPotential";

const DELETES: When = Method("DELETE");
const CREATES: When = Method("POST");
const CHANGES: When = Any(&[Method("PATCH"), Method("PUT")]);
const GETS: When = Method("GET");
/// Responses with a terminating object.
const TERMINATING: When = ResponseHas("\"deletionTimestamp\":");
/// Fixtures of scenarios, not their subjects.
const FIXTURES: When = Any(&[Plural("namespaces"), Plural("customresourcedefinitions")]);
const SUBJECTS: When = Not(&FIXTURES);
const SUCCESS: &str = r#"{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Success"}"#;
const BACKGROUND: Edit = EditParameter(POLICY, |_| Some("Background".to_owned()));

#[rustfmt::skip]
pub(super) const FAULTS: &[Fault] = &[
    // Finalizers.
    store("deletion-two-phases-finalizers-keep-object", "the server removes objects despite finalizers", StoreFault::IgnoresFinalizers),
    on("deletion-finalizers-survive-delete", "a terminating object shows no finalizers", &[Object, SUBJECTS], &[EditJson(finalizers::without_finalizers)]),
    on("deletion-finalizers-removable-in-any-order", "the server rejects removal of any finalizer but the first", &[CHANGES, Object], &[EditRequest(finalizers::reject_first_alone)]),
    on("deletion-finalizers-reorderable-by-anyone", "the server rejects a new order of finalizers on a terminating object", &[CHANGES, Object],
        &[EditRequest(finalizers::reject_sorted)]),
    on("deletion-remaining-finalizer-keeps-object", "the removal of one finalizer removes all", &[CHANGES, Object], &[EditRequest(finalizers::remove_all)]),
    on("deletion-last-finalizer-removes-object", "the server ignores the removal of the last finalizer", &[CHANGES, Object], &[EditRequest(finalizers::keep_last)]),
    on("deletion-empty-finalizers-not-deleting-keeps-object", "the server removes live objects without finalizers", &[GETS, Object, SUBJECTS, Not(&ResponseHas("\"finalizers\":["))],
        &[Fail(404, "NotFound", "not found")]),
    on("deletion-no-new-finalizers-once-marked", "the server accepts new finalizers on a terminating object", &[Object, SUBJECTS], &[EditRequest(annotation_state::hide_new_finalizers), EditJson(annotation_state::restore_finalizers)]),
    on("deletion-gc-finalizers-mutually-exclusive-422", "the server accepts both garbage collector finalizers at once", &[CREATES], &[EditRequest(finalizers::without_orphan)]),
    on("deletion-finalizer-name-syntax-422", "the server accepts any string as a finalizer", &[CREATES], &[EditRequest(finalizers::fix_names)]),
    on("deletion-builtin-finalizer-needs-domain-422", "built-in types accept finalizers without a domain", &[CREATES, Plural("configmaps")], &[EditRequest(finalizers::add_domain)]),
    on("deletion-cr-finalizer-warning", "custom resources refuse finalizers without a domain", &[CREATES, Custom], &[EditRequest(finalizers::reject_without_domain)]),
    // The deletion timestamp.
    on("deletion-timestamp-absent-while-live", "live objects have a deletionTimestamp", &[Resource, SUBJECTS], &[EditJson(delete_at_zero)]),
    on("deletion-timestamp-set-on-first-delete", "the server never shows deletionTimestamp", &[Resource, SUBJECTS], &[Remove("/metadata/deletionTimestamp")]),
    on("deletion-timestamp-is-now", "deletionTimestamp equals creationTimestamp", &[Resource], &[EditJson(delete_at_creation)]),
    on("deletion-marked-state-published", "a watch sends DELETED when deletion starts", &[Watch], &[Events(Event::Line(send_deleted_early))]),
    on("deletion-grace-seconds-zero-when-marked", "terminating objects have no deletionGracePeriodSeconds", &[Resource], &[Remove("/metadata/deletionGracePeriodSeconds")]),
    on("deletion-timestamp-cannot-be-cleared", "a PUT without deletionTimestamp cancels the deletion", &[Object, SUBJECTS], &[EditRequest(annotation_state::request_revival), EditJson(annotation_state::revive)]),
    on("deletion-timestamp-ignored-on-create", "a create can set deletionTimestamp", &[Resource, SUBJECTS], &[EditRequest(annotation_state::store_deletion_time), EditJson(annotation_state::restore_deletion_time)]),
    on("deletion-timestamp-not-settable-by-update", "an update that sets deletionTimestamp deletes the object", &[CHANGES, Object], &[EditRequest(delete_instead)]),
    on("deletion-marked-object-still-updatable", "the server rejects updates of terminating objects", &[CHANGES, Object, TERMINATING], &[Fail(409, "Conflict", "it is being deleted")]),
    on("deletion-repeat-delete-is-accepted", "deletionTimestamp moves on every request", &[Object, SUBJECTS], &[EditJson(delete_now)]),
    on("deletion-mark-bumps-generation", "deletion does not increase the generation", &[Resource], &[EditJson(decrement_generation)]),
    on("deletion-create-same-name-while-terminating", "the server returns 201 for a create while the old object terminates", &[CREATES, StatusIs(409)], &[Status(201)]),
    // The removal.
    on("deletion-without-finalizers-is-immediate", "the server adds a finalizer to every object", &[CREATES, SUBJECTS], &[EditRequest(finalizers::add_finalizer)]),
    on("deletion-recreate-gets-new-uid", "the server derives the uid from the name", &[Resource], &[EditJson(derive_uid_from_name)]),
    on("deletion-unknown-name-404", "the server returns 200 for a delete of a missing object", &[DELETES, Object, StatusIs(404)], &[Status(200), Text(SUCCESS)]),
    on("deletion-grace-ignored-for-other-types", "a grace period keeps objects of every type", &[DELETES, Object, Has(GRACE), Not(&Plural("pods"))], &[SetMethod("GET")]),
    on("deletion-event-has-newer-rv", "the DELETED event has the resourceVersion before the deletion", &[Watch], &[Events(Event::Edit("DELETED", &EditJson(decrement_version)))]),
    // The response.
    on("deletion-response-is-status-or-object", "the server responds to a delete with 204 and no body", &[DELETES, Object, SUBJECTS], &[Status(204), Text("")]),
    on("deletion-response-shows-marked-object", "the server returns Success though the object is still terminating", &[DELETES, Object, TERMINATING], &[Text(SUCCESS)]),
    on("deletion-status-details-identify-object", "the Status of a delete has no uid", &[DELETES], &[Remove("/details/uid")]),
    on("deletion-response-object-rv-matches-event", "the deleted object in the response has an older resourceVersion", &[DELETES, Plural("serviceaccounts")], &[EditJson(decrement_version)]),
    on("deletion-response-status-rv", "the Status of a delete has an old resourceVersion", &[Any(&[Path("/version"), DELETES])], &[EditResponse(pretend_1_38_with_old_version)]),
    on("deletion-legacy-orphandependents-202", "the server returns 202 for every delete that is not complete", &[DELETES, Object, TERMINATING], &[Status(202)]),
    // Preconditions.
    on("deletion-precondition-uid-mismatch-409", "the server ignores the preconditions of a delete", &[DELETES], &[RemoveFromRequest("/preconditions")]),
    on("deletion-precondition-rv-mismatch-409", "the server ignores the resourceVersion precondition of a delete", &[DELETES], &[RemoveFromRequest("/preconditions/resourceVersion")]),
    on("deletion-precondition-match-deletes", "the server rejects a matching resourceVersion precondition", &[DELETES], &[EditRequest(options::outdate_precondition)]),
    on("deletion-preconditions-only-in-body", "the server reads preconditions from the query", &[DELETES, Has("preconditions.uid")], &[Reject(409, "Conflict", "another uid")]),
    // The options.
    on("deletion-options-body-overrides-query", "the server merges DeleteOptions from query and body", &[DELETES, Is(POLICY, "Orphan")], &[EditRequest(options::orphan_in_body)]),
    on("deletion-options-from-query-without-body", "the server ignores DeleteOptions in the query", &[DELETES, Object],
        &[DropParameter(POLICY), DropParameter("orphanDependents"), DropParameter("dryRun"), DropParameter(GRACE)]),
    on("deletion-options-malformed-body-400", "the server ignores malformed DeleteOptions", &[DELETES, Object], &[EditRequest(options::drop_malformed)]),
    on("deletion-options-accepted-group-versions", "the server accepts DeleteOptions of v1 only", &[DELETES, Object], &[EditRequest(options::reject_meta_options)]),
    on("deletion-propagation-unknown-value-422", "the server reads an unknown propagationPolicy as Background", &[DELETES, Object], &[EditParameter(POLICY, options::known_or_background), EditRequest(options::known_policy)]),
    on("deletion-propagation-and-orphan-exclusive-422", "the server ignores orphanDependents next to propagationPolicy", &[DELETES], &[RemoveFromRequest("/orphanDependents")]),
    // Dependents.
    on("deletion-foreground-adds-finalizer", "the server reads Foreground as Background", &[DELETES, Is(POLICY, "Foreground")], &[BACKGROUND]),
    on("deletion-orphan-adds-finalizer", "the server reads Orphan as Background", &[DELETES, Is(POLICY, "Orphan")], &[BACKGROUND]),
    on("deletion-background-removes-owner-at-once", "the server reads Background as Foreground", &[DELETES, Is(POLICY, "Background")], &[SetParameter(POLICY, "Foreground")]),
    on("deletion-explicit-policy-overrides-gc-finalizer", "the server ignores propagationPolicy in the query", &[DELETES], &[DropParameter(POLICY)]),
    on("deletion-foreground-waits-for-dependents", "a foreground delete removes the owner before its dependents", &[DELETES, Is(POLICY, "Foreground")], &[BACKGROUND]),
    on("deletion-orphan-releases-dependents", "the garbage collector deletes orphaned dependents", &[DELETES, Is(POLICY, "Orphan")], &[BACKGROUND]),
    on("deletion-background-collects-dependents", "a background delete never deletes the dependents", &[DELETES, Is(POLICY, "Background")], &[SetParameter(POLICY, "Orphan")]),
    // Pods.
    on("deletion-graceful-pod-timestamp-in-future", "the server ignores the grace period of Pods", &[DELETES, Plural("pods"), Has(GRACE)], &[SetParameter(GRACE, "0")]),
    on("deletion-grace-period-only-shortened", "a second delete extends the grace period", &[Plural("pods"), Object],
        &[EditRequest(annotation_state::store_longer_grace), EditJson(annotation_state::restore_longer_grace)]),
    on("deletion-grace-zero-removes-pod", "the server reads grace period 0 as the default", &[DELETES, Plural("pods"), Object], &[EditParameter(GRACE, options::drop_zero)]),
    on("deletion-negative-grace-treated-as-one", "the server shows a negative grace period", &[Plural("pods")], &[EditJson(negative_grace)]),
    // Namespaces.
    on("deletion-namespace-enters-terminating", "the server hides a terminating namespace", &[GETS, Plural("namespaces"), Object, TERMINATING], &[Fail(404, "NotFound", "not found")]),
    store("deletion-namespace-terminating-rejects-creates", "a terminating namespace accepts new objects", StoreFault::IgnoresMissingNamespace),
    store("deletion-namespace-removes-content", "the deletion of a namespace keeps its content", StoreFault::KeepsNamespaceContents),
    on("deletion-namespace-pods-first", "a namespace deletion removes ConfigMaps before Pods", &[GETS, Plural("configmaps"), Object], &[Fail(404, "NotFound", "not found")]),
    on("deletion-immortal-namespaces-403", "the server returns Success for a delete of the default namespace", &[DELETES, Path("/api/v1/namespaces/default")], &[Respond(200, "application/json", SUCCESS)]),
    // Force.
    on("deletion-unsafe-option-defaults-off", "the server reads the unsafe delete option as set whatever its value", &[DELETES], &[EditRequest(options::with_force)]),
    on("deletion-unsafe-readable-object-rejected", "an unsafe delete removes a readable object", &[DELETES, Object, ResponseHas(FORCE)], &[Status(200), Text(SUCCESS)]),
    on("deletion-unsafe-incompatible-options-422", "an unsafe delete ignores preconditions", &[DELETES, Object], &[EditRequest(options::force_without_preconditions)]),
    on("deletion-unsafe-dryrun", "an unsafe delete ignores dryRun", &[DELETES, Object], &[EditRequest(options::force_without_dry_run)]),
    on("deletion-unsafe-not-for-collections-422", "the server accepts unsafe deletecollection", &[DELETES, Collection], &[EditRequest(options::without_force)]),
    on("deletion-unsafe-needs-extra-verb", "the server allows unsafe delete without the extra permission", &[DELETES, Object], &[EditRequest(options::act_as_administrator)]),
];

/// The finalizers in an object or a merge patch, if it has a list of them.
fn finalizers_in(json: &mut Value) -> Option<&mut Vec<Value>> {
    json.get_mut("metadata")?.get_mut("finalizers")?.as_array_mut()
}

pub(super) fn is_terminating(object: &Value) -> bool {
    object["metadata"][DELETION].is_string()
}

pub(super) fn delete_instead(parts: &mut Parts, body: &mut Bytes) {
    if serde_json::from_slice::<Value>(body).is_ok_and(|json| is_terminating(&json)) {
        parts.method = http::Method::DELETE;
        *body = Bytes::new();
    }
}

pub(super) fn delete_at_zero(object: &mut Value) {
    if !is_terminating(object) && object["metadata"]["uid"].is_string() {
        object["metadata"][DELETION] = "0001-01-01T00:00:00Z".into();
    }
}

fn delete_at_creation(object: &mut Value) {
    if is_terminating(object) {
        object["metadata"][DELETION] = object["metadata"]["creationTimestamp"].clone();
    }
}

pub(super) fn delete_now(object: &mut Value) {
    if is_terminating(object) {
        object["metadata"][DELETION] = now().into();
    }
}

fn decrement_generation(object: &mut Value) {
    let generation = object["metadata"]["generation"].as_u64();
    if let (true, Some(generation)) = (is_terminating(object), generation) {
        object["metadata"]["generation"] = (generation - 1).into();
    }
}

#[allow(clippy::unnecessary_wraps, reason = "a change of a line may also drop it")]
fn send_deleted_early(mut event: Value) -> Option<Value> {
    if event["type"] == "MODIFIED" && is_terminating(&event["object"]) {
        event["type"] = "DELETED".into();
    }
    Some(event)
}

pub(super) fn derive_uid_from_name(object: &mut Value) {
    let metadata = &mut object["metadata"];
    if metadata["uid"].is_string() {
        let name = format!("{}/{}", metadata["namespace"], metadata["name"]);
        let sum = name.bytes().fold(0_u64, |sum, byte| (sum * 31 + u64::from(byte)) % (1 << 48));
        metadata["uid"] = format!("00000000-0000-4000-8000-{sum:012x}").into();
    }
}

fn decrement_version(object: &mut Value) {
    if let Some(version) = object["metadata"]["resourceVersion"].as_str().and_then(decrement) {
        object["metadata"]["resourceVersion"] = version.into();
    }
}

/// From this release on, a `Status` of a deletion may have a version.
fn pretend_1_38_with_old_version(request: &RequestFacts, response: &mut Value) {
    if request.path == "/version" {
        response["minor"] = "38".into();
        response["emulationMinor"] = "38".into();
    } else if response["kind"] == "Status" {
        response["metadata"]["resourceVersion"] = "1".into();
    }
}

fn negative_grace(pod: &mut Value) {
    if let Some(grace) = pod.pointer_mut("/metadata/deletionGracePeriodSeconds").filter(|grace| **grace == 1)
    {
        *grace = (-5).into();
    }
}
