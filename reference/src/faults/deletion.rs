//! Faults of deletion.

pub(super) mod annotation_state;
mod finalizers;
pub(super) mod options;

use bytes::Bytes;
use http::request::Parts;
use serde_json::Value;

use super::watch::one_less;
use crate::fault::{Asked, Edit, Edit::*, Event, Fault, When, When::*, on, store};
use crate::metadata::now;
use crate::store::StoreFlaw;

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
    store("deletion-two-phases-finalizers-keep-object", "finalizers keep nothing", StoreFlaw::IgnoresFinalizers),
    on("deletion-finalizers-survive-delete", "what is being deleted has lost its finalizers", &[Object, ASKED_ABOUT], &[EditJson(finalizers::without_finalizers)]),
    on("deletion-finalizers-removable-in-any-order", "only the first of the finalizers can be removed", &[CHANGES, Object], &[EditRequest(finalizers::first_alone_is_refused)]),
    on("deletion-finalizers-reorderable-by-anyone", "another order is a new finalizer where an object is being deleted", &[CHANGES, Object],
        &[EditRequest(finalizers::sorted_is_refused)]),
    on("deletion-remaining-finalizer-keeps-object", "the first removal of a finalizer removes them all", &[CHANGES, Object], &[EditRequest(finalizers::remove_all)]),
    on("deletion-last-finalizer-removes-object", "the last finalizer stays", &[CHANGES, Object], &[EditRequest(finalizers::keep_the_last)]),
    on("deletion-empty-finalizers-not-deleting-keeps-object", "without finalizers nothing stays", &[GETS, Object, ASKED_ABOUT, Not(&AnswerHas("\"finalizers\":["))],
        &[Fail(404, "NotFound", "not found")]),
    on("deletion-no-new-finalizers-once-marked", "finalizers can be added at any time", &[Object, ASKED_ABOUT], &[EditRequest(annotation_state::note_finalizers), EditJson(annotation_state::show_finalizers)]),
    on("deletion-gc-finalizers-mutually-exclusive-422", "both finalizers of the garbage collector are taken", &[CREATES], &[EditRequest(finalizers::without_orphan)]),
    on("deletion-finalizer-name-syntax-422", "any text is a finalizer", &[CREATES], &[EditRequest(finalizers::any_text)]),
    on("deletion-builtin-finalizer-needs-domain-422", "built-in types take finalizers without a domain", &[CREATES, Of("configmaps")], &[EditRequest(finalizers::with_domain)]),
    on("deletion-cr-finalizer-warning", "custom resources refuse finalizers without a domain", &[CREATES, Custom], &[EditRequest(finalizers::refuse_without_domain)]),
    // The mark.
    on("deletion-timestamp-absent-while-live", "all objects have a time of deletion", &[Resource, ASKED_ABOUT], &[EditJson(at_zero)]),
    on("deletion-timestamp-set-on-first-delete", "nobody is told of the time of deletion", &[Resource, ASKED_ABOUT], &[Remove("/metadata/deletionTimestamp")]),
    on("deletion-timestamp-is-now", "objects are deleted when they were created", &[Resource], &[EditJson(at_creation)]),
    on("deletion-marked-state-published", "a deletion is told when it begins", &[Watch], &[Events(Event::Line(deleted_when_marked))]),
    on("deletion-grace-seconds-zero-when-marked", "there is no grace period", &[Resource], &[Remove("/metadata/deletionGracePeriodSeconds")]),
    on("deletion-timestamp-cannot-be-cleared", "a PUT without a time of deletion revives", &[Object, ASKED_ABOUT], &[EditRequest(annotation_state::note_revival), EditJson(annotation_state::revive)]),
    on("deletion-timestamp-ignored-on-create", "objects may be born deleted", &[Resource, ASKED_ABOUT], &[EditRequest(annotation_state::note_birth), EditJson(annotation_state::born_deleted)]),
    on("deletion-timestamp-not-settable-by-update", "who writes a time of deletion deletes", &[CHANGES, Object], &[EditRequest(delete_instead)]),
    on("deletion-marked-object-still-updatable", "what is being deleted cannot be written", &[CHANGES, Object, MARKED], &[Fail(409, "Conflict", "it is being deleted")]),
    on("deletion-repeat-delete-is-accepted", "the time of deletion moves", &[Object, ASKED_ABOUT], &[EditJson(at_now)]),
    on("deletion-mark-bumps-generation", "a deletion is no new generation", &[Resource], &[EditJson(generation_before)]),
    on("deletion-create-same-name-while-terminating", "a new object replaces the one that is being deleted", &[CREATES, Answered(409)], &[Status(201)]),
    // The end.
    on("deletion-without-finalizers-is-immediate", "everything waits for a controller", &[CREATES, ASKED_ABOUT], &[EditRequest(finalizers::hold)]),
    on("deletion-recreate-gets-new-uid", "a uid is made of the name", &[Resource], &[EditJson(uid_of_the_name)]),
    on("deletion-unknown-name-404", "what is not there is deleted", &[DELETES, Object, Answered(404)], &[Status(200), Text(SUCCESS)]),
    on("deletion-grace-ignored-for-other-types", "everything has a grace period", &[DELETES, Object, Has(GRACE), Not(&Of("pods"))], &[SetMethod("GET")]),
    on("deletion-event-has-newer-rv", "a deletion is told at the version before", &[Watch], &[Events(Event::Edit("DELETED", &EditJson(version_before)))]),
    // The answer.
    on("deletion-response-is-status-or-object", "a deletion is not answered", &[DELETES, Object, ASKED_ABOUT], &[Status(204), Text("")]),
    on("deletion-response-shows-marked-object", "what stays is said to be gone", &[DELETES, Object, MARKED], &[Text(SUCCESS)]),
    on("deletion-status-details-identify-object", "it is not said what was deleted", &[DELETES], &[Remove("/details/uid")]),
    on("deletion-response-object-rv-matches-event", "what is gone is shown at the version before", &[DELETES, Of("serviceaccounts")], &[EditJson(version_before)]),
    on("deletion-response-status-rv", "a deletion says an old version", &[Any(&[Path("/version"), DELETES])], &[EditAnswer(of_1_38_with_an_old_version)]),
    on("deletion-legacy-orphandependents-202", "every deletion that goes on is 202", &[DELETES, Object, MARKED], &[Status(202)]),
    // Preconditions.
    on("deletion-precondition-uid-mismatch-409", "preconditions are not read", &[DELETES], &[RemoveFromRequest("/preconditions")]),
    on("deletion-precondition-rv-mismatch-409", "only the uid is compared", &[DELETES], &[RemoveFromRequest("/preconditions/resourceVersion")]),
    on("deletion-precondition-match-deletes", "no version is the right one", &[DELETES], &[EditRequest(options::another_version)]),
    on("deletion-preconditions-only-in-body", "parameters are preconditions", &[DELETES, Has("preconditions.uid")], &[Refuse(409, "Conflict", "another uid")]),
    // The options.
    on("deletion-options-body-overrides-query", "query and body are read together", &[DELETES, Is(POLICY, "Orphan")], &[EditRequest(options::orphan_in_body)]),
    on("deletion-options-from-query-without-body", "options are read from the body alone", &[DELETES, Object],
        &[DropParameter(POLICY), DropParameter("orphanDependents"), DropParameter("dryRun"), DropParameter(GRACE)]),
    on("deletion-options-malformed-body-400", "what cannot be read is not read", &[DELETES, Object], &[EditRequest(options::drop_malformed)]),
    on("deletion-options-accepted-group-versions", "options are of v1 alone", &[DELETES, Object], &[EditRequest(options::refuse_meta)]),
    on("deletion-propagation-unknown-value-422", "an unknown policy is Background", &[DELETES, Object], &[EditParameter(POLICY, options::known_or_background), EditRequest(options::known_policy)]),
    on("deletion-propagation-and-orphan-exclusive-422", "one policy outdoes the other", &[DELETES], &[RemoveFromRequest("/orphanDependents")]),
    // Dependents.
    on("deletion-foreground-adds-finalizer", "Foreground is Background", &[DELETES, Is(POLICY, "Foreground")], &[BACKGROUND]),
    on("deletion-orphan-adds-finalizer", "Orphan is Background", &[DELETES, Is(POLICY, "Orphan")], &[BACKGROUND]),
    on("deletion-background-removes-owner-at-once", "Background is Foreground", &[DELETES, Is(POLICY, "Background")], &[SetParameter(POLICY, "Foreground")]),
    on("deletion-explicit-policy-overrides-gc-finalizer", "a finalizer outdoes the policy", &[DELETES], &[DropParameter(POLICY)]),
    on("deletion-foreground-waits-for-dependents", "the owner does not wait", &[DELETES, Is(POLICY, "Foreground")], &[BACKGROUND]),
    on("deletion-orphan-releases-dependents", "orphans are collected", &[DELETES, Is(POLICY, "Orphan")], &[BACKGROUND]),
    on("deletion-background-collects-dependents", "dependents stay for ever", &[DELETES, Is(POLICY, "Background")], &[SetParameter(POLICY, "Orphan")]),
    // Pods.
    on("deletion-graceful-pod-timestamp-in-future", "Pods are gone at once", &[DELETES, Of("pods"), Has(GRACE)], &[SetParameter(GRACE, "0")]),
    on("deletion-grace-period-only-shortened", "a second deletion may postpone the end", &[Of("pods"), Object],
        &[EditRequest(annotation_state::note_longer), EditJson(annotation_state::lengthened)]),
    on("deletion-grace-zero-removes-pod", "no grace is the usual one", &[DELETES, Of("pods"), Object], &[EditParameter(GRACE, options::if_not_zero)]),
    on("deletion-negative-grace-treated-as-one", "a grace period may be negative", &[Of("pods")], &[EditJson(negative_grace)]),
    // Namespaces.
    on("deletion-namespace-enters-terminating", "a namespace is gone at once", &[GETS, Of("namespaces"), Object, MARKED], &[Fail(404, "NotFound", "not found")]),
    store("deletion-namespace-terminating-rejects-creates", "a namespace that ends takes new objects", StoreFlaw::IgnoresMissingNamespace),
    store("deletion-namespace-removes-content", "what was in a namespace stays", StoreFlaw::KeepsNamespaceContents),
    on("deletion-namespace-pods-first", "config maps do not outlive Pods", &[GETS, Of("configmaps"), Object], &[Fail(404, "NotFound", "not found")]),
    on("deletion-immortal-namespaces-403", "any namespace can be deleted", &[DELETES, Path("/api/v1/namespaces/default")], &[Instead(200, "application/json", SUCCESS)]),
    // Force.
    on("deletion-unsafe-option-defaults-off", "the option counts as soon as it is there", &[DELETES], &[EditRequest(options::with_force)]),
    on("deletion-unsafe-readable-object-rejected", "what can be read is deleted by force", &[DELETES, Object, AnswerHas(FORCE)], &[Status(200), Text(SUCCESS)]),
    on("deletion-unsafe-incompatible-options-422", "force takes preconditions, and does not look at them", &[DELETES, Object], &[EditRequest(options::force_without_preconditions)]),
    on("deletion-unsafe-dryrun", "a dry run by force is none", &[DELETES, Object], &[EditRequest(options::force_without_dry_run)]),
    on("deletion-unsafe-not-for-collections-422", "collections are deleted by force", &[DELETES, Collection], &[EditRequest(options::without_force)]),
    on("deletion-unsafe-needs-extra-verb", "who may delete may use force", &[DELETES, Object], &[EditRequest(options::by_anybody)]),
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
fn of_1_38_with_an_old_version(asked: &Asked, answer: &mut Value) {
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
