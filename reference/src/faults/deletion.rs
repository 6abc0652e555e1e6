//! Faults of deletion.

pub(super) mod annotation_state;
mod finalizers;
pub(super) mod options;

use bytes::Bytes;
use http::request::Parts;
use serde_json::Value;

use super::watch::one_less;
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
/// What shows an object that is being deleted.
const MARKED: When = AnswerHas("\"deletionTimestamp\":");
/// Namespaces and definitions are created for a scenario, and not what it asks about.
const ARRANGED: When = Any(&[Of("namespaces"), Of("customresourcedefinitions")]);
const ASKED_ABOUT: When = Not(&ARRANGED);
const SUCCESS: &str = r#"{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Success"}"#;
const BACKGROUND: Edit = EditParameter(POLICY, |_| Some("Background".to_owned()));

#[rustfmt::skip]
pub(super) const FAULTS: &[Fault] = &[
    // Finalizers.
    store("deletion-two-phases-finalizers-keep-object", "the server removes objects despite finalizers", StoreFault::IgnoresFinalizers),
    on("deletion-finalizers-survive-delete", "a terminating object shows no finalizers", &[Object, ASKED_ABOUT], &[EditJson(finalizers::without_finalizers)]),
    on("deletion-finalizers-removable-in-any-order", "the server rejects removal of any finalizer but the first", &[CHANGES, Object], &[EditRequest(finalizers::first_alone_is_refused)]),
    on("deletion-finalizers-reorderable-by-anyone", "the server rejects a new order of finalizers on a terminating object", &[CHANGES, Object],
        &[EditRequest(finalizers::sorted_is_refused)]),
    on("deletion-remaining-finalizer-keeps-object", "the removal of one finalizer removes all", &[CHANGES, Object], &[EditRequest(finalizers::remove_all)]),
    on("deletion-last-finalizer-removes-object", "the server ignores the removal of the last finalizer", &[CHANGES, Object], &[EditRequest(finalizers::keep_the_last)]),
    on("deletion-empty-finalizers-not-deleting-keeps-object", "the server removes live objects without finalizers", &[GETS, Object, ASKED_ABOUT, Not(&AnswerHas("\"finalizers\":["))],
        &[Fail(404, "NotFound", "not found")]),
    on("deletion-no-new-finalizers-once-marked", "the server accepts new finalizers on a terminating object", &[Object, ASKED_ABOUT], &[EditRequest(annotation_state::note_finalizers), EditJson(annotation_state::show_finalizers)]),
    on("deletion-gc-finalizers-mutually-exclusive-422", "the server accepts both garbage collector finalizers at once", &[CREATES], &[EditRequest(finalizers::without_orphan)]),
    on("deletion-finalizer-name-syntax-422", "the server accepts any string as a finalizer", &[CREATES], &[EditRequest(finalizers::any_text)]),
    on("deletion-builtin-finalizer-needs-domain-422", "built-in types accept finalizers without a domain", &[CREATES, Of("configmaps")], &[EditRequest(finalizers::with_domain)]),
    on("deletion-cr-finalizer-warning", "custom resources refuse finalizers without a domain", &[CREATES, Custom], &[EditRequest(finalizers::refuse_without_domain)]),
    // The mark.
    on("deletion-timestamp-absent-while-live", "live objects have a deletionTimestamp", &[Resource, ASKED_ABOUT], &[EditJson(at_zero)]),
    on("deletion-timestamp-set-on-first-delete", "the server never shows deletionTimestamp", &[Resource, ASKED_ABOUT], &[Remove("/metadata/deletionTimestamp")]),
    on("deletion-timestamp-is-now", "deletionTimestamp equals creationTimestamp", &[Resource], &[EditJson(at_creation)]),
    on("deletion-marked-state-published", "a watch sends DELETED when deletion starts", &[Watch], &[Events(Event::Line(deleted_when_marked))]),
    on("deletion-grace-seconds-zero-when-marked", "terminating objects have no deletionGracePeriodSeconds", &[Resource], &[Remove("/metadata/deletionGracePeriodSeconds")]),
    on("deletion-timestamp-cannot-be-cleared", "a PUT without deletionTimestamp cancels the deletion", &[Object, ASKED_ABOUT], &[EditRequest(annotation_state::note_revival), EditJson(annotation_state::revive)]),
    on("deletion-timestamp-ignored-on-create", "a create can set deletionTimestamp", &[Resource, ASKED_ABOUT], &[EditRequest(annotation_state::note_birth), EditJson(annotation_state::born_deleted)]),
    on("deletion-timestamp-not-settable-by-update", "an update that sets deletionTimestamp deletes the object", &[CHANGES, Object], &[EditRequest(delete_instead)]),
    on("deletion-marked-object-still-updatable", "the server rejects updates of terminating objects", &[CHANGES, Object, MARKED], &[Fail(409, "Conflict", "it is being deleted")]),
    on("deletion-repeat-delete-is-accepted", "deletionTimestamp moves on every request", &[Object, ASKED_ABOUT], &[EditJson(at_now)]),
    on("deletion-mark-bumps-generation", "deletion does not increase the generation", &[Resource], &[EditJson(generation_before)]),
    on("deletion-create-same-name-while-terminating", "the server answers 201 to a create while the old object terminates", &[CREATES, Answered(409)], &[Status(201)]),
    // The end.
    on("deletion-without-finalizers-is-immediate", "the server adds a finalizer to every object", &[CREATES, ASKED_ABOUT], &[EditRequest(finalizers::hold)]),
    on("deletion-recreate-gets-new-uid", "the server derives the uid from the name", &[Resource], &[EditJson(uid_of_the_name)]),
    on("deletion-unknown-name-404", "the server answers 200 to a delete of a missing object", &[DELETES, Object, Answered(404)], &[Status(200), Text(SUCCESS)]),
    on("deletion-grace-ignored-for-other-types", "a grace period keeps objects of every type", &[DELETES, Object, Has(GRACE), Not(&Of("pods"))], &[SetMethod("GET")]),
    on("deletion-event-has-newer-rv", "the DELETED event has the resourceVersion before the deletion", &[Watch], &[Events(Event::Edit("DELETED", &EditJson(version_before)))]),
    // The response.
    on("deletion-response-is-status-or-object", "the server answers a delete with 204 and no body", &[DELETES, Object, ASKED_ABOUT], &[Status(204), Text("")]),
    on("deletion-response-shows-marked-object", "the server answers Success though the object is still terminating", &[DELETES, Object, MARKED], &[Text(SUCCESS)]),
    on("deletion-status-details-identify-object", "the Status of a delete has no uid", &[DELETES], &[Remove("/details/uid")]),
    on("deletion-response-object-rv-matches-event", "the deleted object in the response has an older resourceVersion", &[DELETES, Of("serviceaccounts")], &[EditJson(version_before)]),
    on("deletion-response-status-rv", "the Status of a delete has an old resourceVersion", &[Any(&[Path("/version"), DELETES])], &[EditAnswer(of_1_38_with_an_old_version)]),
    on("deletion-legacy-orphandependents-202", "the server answers 202 to every delete that is not complete", &[DELETES, Object, MARKED], &[Status(202)]),
    // Preconditions.
    on("deletion-precondition-uid-mismatch-409", "the server ignores the preconditions of a delete", &[DELETES], &[RemoveFromRequest("/preconditions")]),
    on("deletion-precondition-rv-mismatch-409", "the server ignores the resourceVersion precondition of a delete", &[DELETES], &[RemoveFromRequest("/preconditions/resourceVersion")]),
    on("deletion-precondition-match-deletes", "the server rejects a matching resourceVersion precondition", &[DELETES], &[EditRequest(options::another_version)]),
    on("deletion-preconditions-only-in-body", "the server reads preconditions from the query", &[DELETES, Has("preconditions.uid")], &[Refuse(409, "Conflict", "another uid")]),
    // The options.
    on("deletion-options-body-overrides-query", "the server merges DeleteOptions from query and body", &[DELETES, Is(POLICY, "Orphan")], &[EditRequest(options::orphan_in_body)]),
    on("deletion-options-from-query-without-body", "the server ignores DeleteOptions in the query", &[DELETES, Object],
        &[DropParameter(POLICY), DropParameter("orphanDependents"), DropParameter("dryRun"), DropParameter(GRACE)]),
    on("deletion-options-malformed-body-400", "the server ignores malformed DeleteOptions", &[DELETES, Object], &[EditRequest(options::drop_malformed)]),
    on("deletion-options-accepted-group-versions", "the server accepts DeleteOptions of v1 only", &[DELETES, Object], &[EditRequest(options::refuse_meta)]),
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
    on("deletion-graceful-pod-timestamp-in-future", "the server ignores the grace period of Pods", &[DELETES, Of("pods"), Has(GRACE)], &[SetParameter(GRACE, "0")]),
    on("deletion-grace-period-only-shortened", "a second delete extends the grace period", &[Of("pods"), Object],
        &[EditRequest(annotation_state::note_longer), EditJson(annotation_state::lengthened)]),
    on("deletion-grace-zero-removes-pod", "the server reads grace period 0 as the default", &[DELETES, Of("pods"), Object], &[EditParameter(GRACE, options::if_not_zero)]),
    on("deletion-negative-grace-treated-as-one", "the server shows a negative grace period", &[Of("pods")], &[EditJson(negative_grace)]),
    // Namespaces.
    on("deletion-namespace-enters-terminating", "the server hides a terminating namespace", &[GETS, Of("namespaces"), Object, MARKED], &[Fail(404, "NotFound", "not found")]),
    store("deletion-namespace-terminating-rejects-creates", "a terminating namespace accepts new objects", StoreFault::IgnoresMissingNamespace),
    store("deletion-namespace-removes-content", "the deletion of a namespace keeps its content", StoreFault::KeepsNamespaceContents),
    on("deletion-namespace-pods-first", "a namespace deletion removes ConfigMaps before Pods", &[GETS, Of("configmaps"), Object], &[Fail(404, "NotFound", "not found")]),
    on("deletion-immortal-namespaces-403", "the server answers Success to a delete of the default namespace", &[DELETES, Path("/api/v1/namespaces/default")], &[Instead(200, "application/json", SUCCESS)]),
    // Force.
    on("deletion-unsafe-option-defaults-off", "the server reads the unsafe delete option as set whatever its value", &[DELETES], &[EditRequest(options::with_force)]),
    on("deletion-unsafe-readable-object-rejected", "an unsafe delete removes a readable object", &[DELETES, Object, AnswerHas(FORCE)], &[Status(200), Text(SUCCESS)]),
    on("deletion-unsafe-incompatible-options-422", "an unsafe delete ignores preconditions", &[DELETES, Object], &[EditRequest(options::force_without_preconditions)]),
    on("deletion-unsafe-dryrun", "an unsafe delete ignores dryRun", &[DELETES, Object], &[EditRequest(options::force_without_dry_run)]),
    on("deletion-unsafe-not-for-collections-422", "the server accepts unsafe deletecollection", &[DELETES, Collection], &[EditRequest(options::without_force)]),
    on("deletion-unsafe-needs-extra-verb", "the server allows unsafe delete without the extra permission", &[DELETES, Object], &[EditRequest(options::by_anybody)]),
];

/// The finalizers in an object or a merge patch, if there is a list of them.
fn finalizers_in(json: &mut Value) -> Option<&mut Vec<Value>> {
    json.get_mut("metadata")?.get_mut("finalizers")?.as_array_mut()
}

pub(super) fn is_marked(object: &Value) -> bool {
    object["metadata"][DELETION].is_string()
}

pub(super) fn delete_instead(parts: &mut Parts, body: &mut Bytes) {
    if serde_json::from_slice::<Value>(body).is_ok_and(|json| is_marked(&json)) {
        parts.method = http::Method::DELETE;
        *body = Bytes::new();
    }
}

pub(super) fn at_zero(object: &mut Value) {
    if !is_marked(object) && object["metadata"]["uid"].is_string() {
        object["metadata"][DELETION] = "0001-01-01T00:00:00Z".into();
    }
}

fn at_creation(object: &mut Value) {
    if is_marked(object) {
        object["metadata"][DELETION] = object["metadata"]["creationTimestamp"].clone();
    }
}

pub(super) fn at_now(object: &mut Value) {
    if is_marked(object) {
        object["metadata"][DELETION] = now().into();
    }
}

fn generation_before(object: &mut Value) {
    let generation = object["metadata"]["generation"].as_u64();
    if let (true, Some(generation)) = (is_marked(object), generation) {
        object["metadata"]["generation"] = (generation - 1).into();
    }
}

#[allow(clippy::unnecessary_wraps, reason = "a change of a line may also drop it")]
fn deleted_when_marked(mut event: Value) -> Option<Value> {
    if event["type"] == "MODIFIED" && is_marked(&event["object"]) {
        event["type"] = "DELETED".into();
    }
    Some(event)
}

pub(super) fn uid_of_the_name(object: &mut Value) {
    let metadata = &mut object["metadata"];
    if metadata["uid"].is_string() {
        let name = format!("{}/{}", metadata["namespace"], metadata["name"]);
        let sum = name.bytes().fold(0_u64, |sum, byte| (sum * 31 + u64::from(byte)) % (1 << 48));
        metadata["uid"] = format!("00000000-0000-4000-8000-{sum:012x}").into();
    }
}

fn version_before(object: &mut Value) {
    if let Some(version) = object["metadata"]["resourceVersion"].as_str().and_then(one_less) {
        object["metadata"]["resourceVersion"] = version.into();
    }
}

/// From this release on a deletion may say a version.
fn of_1_38_with_an_old_version(asked: &RequestFacts, answer: &mut Value) {
    if asked.path == "/version" {
        answer["minor"] = "38".into();
    } else if answer["kind"] == "Status" {
        answer["metadata"]["resourceVersion"] = "1".into();
    }
}

fn negative_grace(pod: &mut Value) {
    if let Some(grace) = pod.pointer_mut("/metadata/deletionGracePeriodSeconds").filter(|grace| **grace == 1)
    {
        *grace = (-5).into();
    }
}
