//! Deletion: the ways in which it can be wrong.
//!
//! What a server would have to remember stands in an annotation, which is hidden again on the way out.

use bytes::Bytes;
use http::Method as Verb;
use http::request::Parts;
use serde_json::{Value, json};

use super::watch::one_less;
use crate::fault::{Asked, Edit, Edit::*, Event, Fault, When, When::*, json_body, on, store};
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
    on("deletion-finalizers-survive-delete", "what is being deleted has lost its finalizers", &[Object, ASKED_ABOUT], &[EditJson(without_finalizers)]),
    on("deletion-finalizers-removable-in-any-order", "only the first of the finalizers can be removed", &[CHANGES, Object], &[EditRequest(first_alone_is_refused)]),
    on("deletion-finalizers-reorderable-by-anyone", "another order is a new finalizer where an object is being deleted", &[CHANGES, Object],
        &[EditRequest(sorted_is_refused)]),
    on("deletion-remaining-finalizer-keeps-object", "the first removal of a finalizer removes them all", &[CHANGES, Object], &[EditRequest(remove_all)]),
    on("deletion-last-finalizer-removes-object", "the last finalizer stays", &[CHANGES, Object], &[EditRequest(keep_the_last)]),
    on("deletion-empty-finalizers-not-deleting-keeps-object", "without finalizers nothing stays", &[GETS, Object, ASKED_ABOUT, Not(&AnswerHas("\"finalizers\":["))],
        &[Fail(404, "NotFound", "not found")]),
    on("deletion-no-new-finalizers-once-marked", "finalizers can be added at any time", &[Object, ASKED_ABOUT], &[EditRequest(note_finalizers), EditJson(show_finalizers)]),
    on("deletion-gc-finalizers-mutually-exclusive-422", "both finalizers of the garbage collector are taken", &[CREATES], &[EditRequest(without_orphan)]),
    on("deletion-finalizer-name-syntax-422", "any text is a finalizer", &[CREATES], &[EditRequest(any_text)]),
    on("deletion-builtin-finalizer-needs-domain-422", "built-in types take finalizers without a domain", &[CREATES, Of("configmaps")], &[EditRequest(with_domain)]),
    on("deletion-cr-finalizer-warning", "custom resources refuse finalizers without a domain", &[CREATES, Custom], &[EditRequest(refuse_without_domain)]),
    // The mark.
    on("deletion-timestamp-absent-while-live", "all objects have a time of deletion", &[Resource, ASKED_ABOUT], &[EditJson(at_zero)]),
    on("deletion-timestamp-set-on-first-delete", "nobody is told of the time of deletion", &[Resource, ASKED_ABOUT], &[Remove("/metadata/deletionTimestamp")]),
    on("deletion-timestamp-is-now", "objects are deleted when they were created", &[Resource], &[EditJson(at_creation)]),
    on("deletion-marked-state-published", "a deletion is told when it begins", &[Watch], &[Events(Event::Line(deleted_when_marked))]),
    on("deletion-grace-seconds-zero-when-marked", "there is no grace period", &[Resource], &[Remove("/metadata/deletionGracePeriodSeconds")]),
    on("deletion-timestamp-cannot-be-cleared", "a PUT without a time of deletion revives", &[Object, ASKED_ABOUT], &[EditRequest(note_revival), EditJson(revive)]),
    on("deletion-timestamp-ignored-on-create", "objects may be born deleted", &[Resource, ASKED_ABOUT], &[EditRequest(note_birth), EditJson(born_deleted)]),
    on("deletion-timestamp-not-settable-by-update", "who writes a time of deletion deletes", &[CHANGES, Object], &[EditRequest(delete_instead)]),
    on("deletion-marked-object-still-updatable", "what is being deleted cannot be written", &[CHANGES, Object, MARKED], &[Fail(409, "Conflict", "it is being deleted")]),
    on("deletion-repeat-delete-is-accepted", "the time of deletion moves", &[Object, ASKED_ABOUT], &[EditJson(at_now)]),
    on("deletion-mark-bumps-generation", "a deletion is no new generation", &[Resource], &[EditJson(generation_before)]),
    on("deletion-create-same-name-while-terminating", "a new object replaces the one that is being deleted", &[CREATES, Answered(409)], &[Status(201)]),
    // The end.
    on("deletion-without-finalizers-is-immediate", "everything waits for a controller", &[CREATES, ASKED_ABOUT], &[EditRequest(hold)]),
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
    on("deletion-precondition-match-deletes", "no version is the right one", &[DELETES], &[EditRequest(another_version)]),
    on("deletion-preconditions-only-in-body", "parameters are preconditions", &[DELETES, Has("preconditions.uid")], &[Refuse(409, "Conflict", "another uid")]),
    // The options.
    on("deletion-options-body-overrides-query", "query and body are read together", &[DELETES, Is(POLICY, "Orphan")], &[EditRequest(orphan_in_body)]),
    on("deletion-options-from-query-without-body", "options are read from the body alone", &[DELETES, Object],
        &[DropParameter(POLICY), DropParameter("orphanDependents"), DropParameter("dryRun"), DropParameter(GRACE)]),
    on("deletion-options-malformed-body-400", "what cannot be read is not read", &[DELETES, Object], &[EditRequest(drop_malformed)]),
    on("deletion-options-accepted-group-versions", "options are of v1 alone", &[DELETES, Object], &[EditRequest(refuse_meta)]),
    on("deletion-propagation-unknown-value-422", "an unknown policy is Background", &[DELETES, Object], &[EditParameter(POLICY, known_or_background), EditRequest(known_policy)]),
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
    store("deletion-grace-period-only-shortened", "a second deletion may postpone the end", StoreFlaw::LengthensGrace),
    on("deletion-grace-zero-removes-pod", "no grace is the usual one", &[DELETES, Of("pods"), Object], &[EditParameter(GRACE, if_not_zero)]),
    on("deletion-negative-grace-treated-as-one", "a grace period may be negative", &[Of("pods")], &[EditJson(negative_grace)]),
    // Namespaces.
    on("deletion-namespace-enters-terminating", "a namespace is gone at once", &[GETS, Of("namespaces"), Object, MARKED], &[Fail(404, "NotFound", "not found")]),
    store("deletion-namespace-terminating-rejects-creates", "a namespace that ends takes new objects", StoreFlaw::IgnoresMissingNamespace),
    store("deletion-namespace-removes-content", "what was in a namespace stays", StoreFlaw::KeepsNamespaceContents),
    store("deletion-namespace-pods-first", "what is in a namespace goes in any order", StoreFlaw::DeletesPodsLast),
    on("deletion-immortal-namespaces-403", "any namespace can be deleted", &[DELETES, Path("/api/v1/namespaces/default")], &[Instead(200, "application/json", SUCCESS)]),
    // Force.
    on("deletion-unsafe-option-defaults-off", "the option counts as soon as it is there", &[DELETES], &[EditRequest(with_force)]),
    on("deletion-unsafe-readable-object-rejected", "what can be read is deleted by force", &[DELETES, Object, AnswerHas(FORCE)], &[Status(200), Text(SUCCESS)]),
    on("deletion-unsafe-incompatible-options-422", "force takes preconditions, and does not look at them", &[DELETES, Object], &[EditRequest(force_without_preconditions)]),
    on("deletion-unsafe-dryrun", "a dry run by force is none", &[DELETES, Object], &[EditRequest(force_without_dry_run)]),
    on("deletion-unsafe-not-for-collections-422", "collections are deleted by force", &[DELETES, Collection], &[EditRequest(without_force)]),
    on("deletion-unsafe-needs-extra-verb", "who may delete may use force", &[DELETES, Object], &[EditRequest(by_anybody)]),
];

/// The finalizers in an object or a merge patch, if there is a list of them.
fn finalizers(json: &mut Value) -> Option<&mut Vec<Value>> {
    json.get_mut("metadata")?.get_mut("finalizers")?.as_array_mut()
}

fn edit_finalizers(parts: &mut Parts, body: &mut Bytes, edit: fn(&mut Vec<Value>)) {
    json_body(parts, body, |json| finalizers(json).into_iter().for_each(edit));
}

/// A finalizer that every server refuses.
fn refused() -> Value {
    json!("not a name!")
}

fn is_marked(object: &Value) -> bool {
    object["metadata"][DELETION].is_string()
}

fn without_finalizers(object: &mut Value) {
    if let (true, Some(finalizers)) = (is_marked(object), finalizers(object)) {
        finalizers.clear();
    }
}

/// What is left is the first of them.
fn first_alone_is_refused(parts: &mut Parts, body: &mut Bytes) {
    edit_finalizers(parts, body, |finalizers| {
        let first = |name: &Value| name.as_str().is_some_and(|name| name.ends_with("/first"));
        if finalizers.len() == 1 && finalizers.iter().all(first) {
            finalizers.push(refused());
        }
    });
}

/// During a deletion only the order that was made before is taken, which is not that of the alphabet.
fn sorted_is_refused(parts: &mut Parts, body: &mut Bytes) {
    json_body(parts, body, |json| {
        let marked = is_marked(json);
        if let Some(finalizers) = finalizers(json)
            && marked
            && finalizers.is_sorted_by_key(|name| name.as_str().map(str::to_owned))
        {
            finalizers.push(refused());
        }
    });
}

fn remove_all(parts: &mut Parts, body: &mut Bytes) {
    edit_finalizers(parts, body, Vec::clear);
}

fn keep_the_last(parts: &mut Parts, body: &mut Bytes) {
    json_body(parts, body, |json| {
        if finalizers(json).is_some_and(|finalizers| finalizers.is_empty()) {
            *json = json!({});
        }
    });
}

fn without_orphan(parts: &mut Parts, body: &mut Bytes) {
    edit_finalizers(parts, body, |finalizers| finalizers.retain(|name| name != "orphan"));
}

fn any_text(parts: &mut Parts, body: &mut Bytes) {
    edit_finalizers(parts, body, |finalizers| finalizers.iter_mut().for_each(|name| *name = json!("kube-assay.dev/any")));
}

fn with_domain(parts: &mut Parts, body: &mut Bytes) {
    edit_finalizers(parts, body, |finalizers| {
        finalizers.iter_mut().filter(|name| is_plain(name)).for_each(|name| *name = json!("kube-assay.dev/any"));
    });
}

fn refuse_without_domain(parts: &mut Parts, body: &mut Bytes) {
    edit_finalizers(parts, body, |finalizers| {
        finalizers.iter_mut().filter(|name| is_plain(name)).for_each(|name| *name = refused());
    });
}

fn is_plain(name: &Value) -> bool {
    name.as_str().is_some_and(|name| !name.contains('/'))
}

fn hold(parts: &mut Parts, body: &mut Bytes) {
    json_body(parts, body, |json| json["metadata"]["finalizers"] = json!(["kube-assay.dev/controller"]));
}

/// What is remembered of an object.
const NOTE: &str = "kube-assay.dev/note";

fn note(json: &mut Value, text: String) {
    json["metadata"]["annotations"][NOTE] = text.into();
}

/// What was remembered of an object, if anything; it is not shown.
fn noted(object: &mut Value) -> Option<String> {
    let annotations = object.get_mut("metadata")?.get_mut("annotations")?.as_object_mut()?;
    annotations.shift_remove(NOTE)?.as_str().map(str::to_owned)
}

/// All but the first of the finalizers that a patch sets are remembered only.
fn note_finalizers(parts: &mut Parts, body: &mut Bytes) {
    if parts.method != Verb::PATCH {
        return;
    }
    json_body(parts, body, |json| {
        let more = finalizers(json).filter(|all| all.len() > 1).map(|all| all.split_off(1));
        if let Some(more) = more {
            note(json, Value::from(more).to_string());
        }
    });
}

fn show_finalizers(object: &mut Value) {
    let more = noted(object).and_then(|more| serde_json::from_str::<Vec<Value>>(&more).ok());
    if let (Some(more), Some(all)) = (more, finalizers(object)) {
        all.extend(more);
    }
}

fn note_revival(parts: &mut Parts, body: &mut Bytes) {
    if parts.method == Verb::PUT {
        json_body(parts, body, |json| {
            if !is_marked(json) {
                note(json, "alive".to_owned());
            }
        });
    }
}

fn revive(object: &mut Value) {
    if let (Some(_), Some(metadata)) = (noted(object), object["metadata"].as_object_mut()) {
        metadata.shift_remove(DELETION);
        metadata.shift_remove("deletionGracePeriodSeconds");
    }
}

fn note_birth(parts: &mut Parts, body: &mut Bytes) {
    if parts.method == Verb::POST {
        json_body(parts, body, |json| {
            if let Some(time) = json["metadata"][DELETION].as_str().map(str::to_owned) {
                note(json, time);
            }
        });
    }
}

fn born_deleted(object: &mut Value) {
    if let Some(time) = noted(object) {
        object["metadata"][DELETION] = time.into();
    }
}

fn delete_instead(parts: &mut Parts, body: &mut Bytes) {
    if serde_json::from_slice(body).is_ok_and(|json| is_marked(&json)) {
        parts.method = Verb::DELETE;
        *body = Bytes::new();
    }
}

fn at_zero(object: &mut Value) {
    if !is_marked(object) && object["metadata"]["uid"].is_string() {
        object["metadata"][DELETION] = "0001-01-01T00:00:00Z".into();
    }
}

fn at_creation(object: &mut Value) {
    if is_marked(object) {
        object["metadata"][DELETION] = object["metadata"]["creationTimestamp"].clone();
    }
}

fn at_now(object: &mut Value) {
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

fn uid_of_the_name(object: &mut Value) {
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

fn another_version(parts: &mut Parts, body: &mut Bytes) {
    json_body(parts, body, |json| {
        if let Some(version) = json.pointer_mut("/preconditions/resourceVersion") {
            *version = "1".into();
        }
    });
}

fn orphan_in_body(parts: &mut Parts, body: &mut Bytes) {
    json_body(parts, body, |options| options[POLICY] = "Orphan".into());
}

fn drop_malformed(_: &mut Parts, body: &mut Bytes) {
    let options = serde_json::from_slice::<Value>(body).ok().filter(Value::is_object);
    let right = options.is_some_and(|options| {
        [Value::Null, json!("DeleteOptions")].contains(&options["kind"]) && !options[GRACE].is_string()
    });
    if !right {
        *body = Bytes::new();
    }
}

fn refuse_meta(_: &mut Parts, body: &mut Bytes) {
    let options = serde_json::from_slice::<Value>(body).unwrap_or_default();
    if options["apiVersion"] == "meta.k8s.io/v1" {
        *body = Bytes::from_static(b"{");
    }
}

#[allow(clippy::unnecessary_wraps, reason = "an edit of a parameter may also drop it")]
fn known_or_background(policy: &str) -> Option<String> {
    let known = ["Background", "Foreground", "Orphan"].contains(&policy);
    Some(if known { policy } else { "Background" }.to_owned())
}

fn known_policy(parts: &mut Parts, body: &mut Bytes) {
    json_body(parts, body, |options| {
        if let Some(policy) = options[POLICY].as_str().and_then(known_or_background) {
            options[POLICY] = policy.into();
        }
    });
}

fn if_not_zero(grace: &str) -> Option<String> {
    (grace != "0").then(|| grace.to_owned())
}

fn negative_grace(pod: &mut Value) {
    let grace = &mut pod["metadata"]["deletionGracePeriodSeconds"];
    if *grace == 1 {
        *grace = (-5).into();
    }
}

/// Changes the options of a deletion by force.
fn edit_force(parts: &mut Parts, body: &mut Bytes, edit: fn(&mut Value)) {
    json_body(parts, body, |options| {
        if options[FORCE] == true {
            edit(options);
        }
    });
}

fn drop_options(options: &mut Value, names: &[&str]) {
    if let Some(options) = options.as_object_mut() {
        options.retain(|name, _| !names.contains(&name.as_str()));
    }
}

fn with_force(parts: &mut Parts, body: &mut Bytes) {
    json_body(parts, body, |options| {
        if let Some(force) = options.get_mut(FORCE) {
            *force = true.into();
        }
    });
}

fn force_without_preconditions(parts: &mut Parts, body: &mut Bytes) {
    edit_force(parts, body, |options| {
        if options["preconditions"].is_object() {
            drop_options(options, &[FORCE, "preconditions"]);
        }
    });
}

fn force_without_dry_run(parts: &mut Parts, body: &mut Bytes) {
    edit_force(parts, body, |options| {
        if options["dryRun"].is_array() {
            drop_options(options, &[FORCE, "dryRun"]);
        }
    });
}

fn without_force(parts: &mut Parts, body: &mut Bytes) {
    edit_force(parts, body, |options| drop_options(options, &[FORCE]));
}

fn by_anybody(parts: &mut Parts, body: &mut Bytes) {
    let forced = serde_json::from_slice::<Value>(body).is_ok_and(|options| options[FORCE] == true);
    if forced {
        parts.headers.remove("impersonate-user");
    }
}
