//! Faults of object metadata.

mod maps;
pub(super) mod names;

use std::sync::atomic::{AtomicU64, Ordering};

use serde_json::{Value, json};

use super::deletion::{self, annotation_state};
use super::update;
use crate::fault::{Edit, Edit::*, Fault, Items, When, When::*, on, store};
use crate::store::StoreFault;

const CREATES: When = Method("POST");
const PUT: When = Method("PUT");
const PATCH: When = Method("PATCH");
const DELETES: When = Method("DELETE");
const CHANGES: When = Any(&[PUT, PATCH]);
/// Fixtures of scenarios, not their subjects.
const FIXTURES: When = Any(&[Plural("namespaces"), Plural("customresourcedefinitions")]);
const SUBJECTS: When = Not(&Plural("namespaces"));
const UID: &str = "/metadata/uid";
const GENERATION: &str = "/metadata/generation";
const CREATION: &str = "/metadata/creationTimestamp";
const LONG_AGO: &str = "\"2001-01-01T00:00:00Z\"";
/// The uid in the scenarios' requests.
const CHOSEN: &str = "\"00000000-0000-4000-8000-00000000000a\"";
const LABELS: Edit = RemoveFromRequest("/metadata/labels");

#[rustfmt::skip]
pub(super) const FAULTS: &[Fault] = &[
    // Names.
    on("metadata-name-present", "an object with a generated name has no name", &[Resource], &[EditJson(remove_generated_name), EachItem(&EditJson(remove_generated_name))]),
    on("metadata-name-unique-per-namespace", "a create goes to the namespace of an existing object with the same name", &[CREATES, Collection, Namespaced], &[EditRequest(names::redirect_to_namesake)]),
    on("metadata-name-scoped-to-resource", "objects of different types cannot share a name", &[CREATES, Any(&[Plural("secrets"), Plural("configmaps"), Custom])], &[EditRequest(names::reject_shared_names)]),
    on("metadata-name-used-in-path", "a get ignores the case of the name", &[Object, Method("GET")], &[EditRequest(names::lowercase_path_name)]),
    on("metadata-name-immutable", "a PUT writes the object named in its body", &[PUT, Object], &[EditRequest(update::redirect_to_body_name)]),
    on("metadata-name-required-on-create", "the server invents a name for a create without one", &[CREATES, Collection, SUBJECTS], &[EditRequest(names::invent_name)]),
    on("metadata-name-format", "the server accepts names with capital letters", &[CREATES, Collection, SUBJECTS], &[EditRequest(names::lowercase_name)]),
    on("metadata-name-path-safe", "the server accepts names with slashes", &[CREATES, Collection, SUBJECTS], &[EditRequest(names::replace_slashes)]),
    // Namespaces.
    on("metadata-namespace-present", "list items have no namespace", &[List], &[EachItem(&Remove("/metadata/namespace"))]),
    on("metadata-namespace-name-is-dns-label", "the server accepts namespace names with dots", &[CREATES, Plural("namespaces")], &[EditRequest(names::replace_dots)]),
    on("metadata-default-namespace-exists", "the server has no default namespace", &[Path("/api/v1/namespaces/default")], &[Fail(404, "NotFound", "not found")]),
    on("metadata-kube-prefix-namespaces", "the server has no kube-system namespace", &[Path("/api/v1/namespaces/kube-system")], &[Fail(404, "NotFound", "not found")]),
    on("metadata-namespace-taken-from-url", "a create without a namespace in the body goes to the default namespace", &[CREATES, Collection, Namespaced], &[EditRequest(names::redirect_to_default)]),
    on("metadata-namespace-conflict-with-url-400", "the namespace in the body overrides that in the path", &[CREATES, Namespaced], &[EditRequest(update::redirect_to_body_namespace)]),
    on("metadata-cluster-scoped-has-no-namespace", "cluster-scoped objects have a namespace", &[Resource, Plural("clusterroles")], &[Set("/metadata/namespace", "\"default\"")]),
    on("metadata-namespace-immutable", "the server ignores a namespace in a patch", &[PATCH, Namespaced], &[RemoveFromRequest("/metadata/namespace")]),
    // Uids.
    on("metadata-uid-present", "objects have no uid", &[Resource, Not(&FIXTURES)], &[EditJson(without_uid), EachItem(&EditJson(without_uid)), Events(crate::fault::Event::Edit("", &Remove(UID)))]),
    on("metadata-uid-rfc4122", "the uid is a small number", &[Resource], &[EditJson(shorten_uid), EachItem(&EditJson(shorten_uid))]),
    on("metadata-uid-client-value-ignored-on-create", "a create keeps the client's uid", &[CREATES, Collection, SUBJECTS], &[Set(UID, CHOSEN)]),
    on("metadata-uid-differs-after-recreate", "the server derives the uid from the name", &[Resource], &[EditJson(deletion::derive_uid_from_name)]),
    on("metadata-uid-unique", "all objects of a list have the same uid", &[List], &[EachItem(&Set(UID, CHOSEN))]),
    on("metadata-uid-stable", "a PUT changes the uid", &[PUT, Object], &[Set(UID, CHOSEN)]),
    on("metadata-uid-change-refused", "the server ignores the uid in a PUT", &[PUT, Object], &[RemoveFromRequest(UID)]),
    on("metadata-uid-may-be-omitted-on-put", "the response to a PUT has no uid", &[PUT, Object], &[Remove(UID)]),
    // Versions and generations.
    on("metadata-resourceversion-present", "the server sends resourceVersion as a number", &[Resource], &[EditJson(version_as_number), EachItem(&EditJson(version_as_number))]),
    on("metadata-generation-set-by-system", "a create keeps the client's generation", &[CREATES, StatusIs(201)], &[Set(GENERATION, "77")]),
    on("metadata-generation-not-client-writable", "an update keeps the client's generation", &[CHANGES, Object], &[Set(GENERATION, "99")]),
    on("metadata-generation-rises-on-spec-change", "the generation is always 1", &[Resource], &[EditJson(reset_generation)]),
    on("metadata-generation-monotonic", "a status write resets the generation to 1", &[CHANGES, Subresource("status")], &[EditJson(reset_generation)]),
    on("metadata-generation-unchanged-by-metadata", "every patch increases the generation", &[PATCH, Object], &[EditJson(increment_generation)]),
    on("metadata-generation-unchanged-by-status", "a status write increases the generation", &[CHANGES, Subresource("status")], &[EditJson(increment_generation)]),
    on("metadata-generation-per-object", "the server counts generations across all objects", &[CREATES, StatusIs(201)], &[EditJson(count_globally)]),
    // The creation timestamp.
    on("metadata-creationtimestamp-set", "every update changes creationTimestamp, and writes +00:00 instead of Z", &[CHANGES, Object], &[EditJson(update_creation_time)]),
    on("metadata-creationtimestamp-not-client-settable-on-create", "a create keeps the client's creationTimestamp", &[CREATES, Collection], &[Set(CREATION, LONG_AGO)]),
    on("metadata-creationtimestamp-not-changed-by-update", "a PUT removes creationTimestamp", &[PUT, Object], &[Remove(CREATION)]),
    // The deletion timestamp.
    store("metadata-deletiontimestamp-set-on-deferred-delete", "the server removes objects despite finalizers", StoreFault::IgnoresFinalizers),
    on("metadata-deletiontimestamp-absent-normally", "live objects have a deletionTimestamp", &[Resource, SUBJECTS], &[EditJson(deletion::delete_at_zero)]),
    on("metadata-deletiontimestamp-not-settable-on-create", "a create can set deletionTimestamp", &[Resource, SUBJECTS], &[EditRequest(annotation_state::store_deletion_time), EditJson(annotation_state::restore_deletion_time)]),
    on("metadata-deletiontimestamp-not-settable-on-update", "a patch that sets deletionTimestamp deletes the object", &[PATCH, Object], &[EditRequest(deletion::delete_instead)]),
    on("metadata-deletion-object-visible-while-pending", "lists omit terminating objects", &[List], &[EditItems(Items::Edit(|items| items.retain(|item| !deletion::is_terminating(item))))]),
    on("metadata-deletion-object-gone-afterwards", "the server ignores the removal of the last finalizer", &[PATCH, Object], &[EditRequest(ignore_finalizer_removal)]),
    on("metadata-deletiontimestamp-not-unset", "a PUT without deletionTimestamp cancels the deletion", &[Object, SUBJECTS], &[EditRequest(annotation_state::request_revival), EditJson(annotation_state::revive)]),
    on("metadata-deletiontimestamp-not-later", "deletionTimestamp moves on every request", &[Object, SUBJECTS], &[EditJson(deletion::delete_now)]),
    on("metadata-deletiontimestamp-may-be-shortened", "a second delete does not shorten the grace period", &[DELETES, Plural("pods"), Is("gracePeriodSeconds", "30")], &[SetMethod("GET")]),
    on("metadata-deletiontimestamp-raises-no-new-finalizers", "the server accepts new finalizers on a terminating object", &[Object, SUBJECTS],
        &[EditRequest(annotation_state::hide_new_finalizers), EditJson(annotation_state::restore_finalizers)]),
    // Labels and annotations.
    on("metadata-labels-string-map", "an empty label value becomes null", &[Resource], &[EditJson(maps::null_empty_labels)]),
    on("metadata-labels-non-string-refused", "the server converts numeric label values into strings", &[CREATES, Collection], &[EditRequest(maps::stringify_labels)]),
    on("metadata-label-key-syntax", "the server does not validate label keys", &[CREATES, Collection, SUBJECTS], &[LABELS]),
    on("metadata-label-value-syntax", "the server accepts label values with spaces", &[CREATES, Collection, SUBJECTS], &[EditRequest(maps::fix_labels)]),
    on("metadata-labels-owned-by-users", "the server adds a prefix to label keys", &[Resource, SUBJECTS], &[EditJson(maps::prefix_labels)]),
    on("metadata-annotations-string-map", "the server returns an annotation with outer whitespace as a list of lines", &[Resource], &[EditJson(maps::split_lines)]),
    on("metadata-annotation-key-syntax", "the server lower-cases annotation keys", &[CREATES, Collection], &[EditRequest(maps::lowercase_keys)]),
    on("metadata-annotations-total-size", "the server truncates large annotations instead of rejecting them", &[CREATES, Collection], &[EditRequest(maps::truncate_annotations)]),
    on("metadata-annotations-hold-arbitrary-json", "the server reformats JSON in annotations", &[CREATES, Collection], &[EditRequest(maps::reserialize_annotations)]),
    on("metadata-annotations-preserved", "a merge patch removes all other annotations", &[PATCH, Object, HeaderHas("content-type", "merge-patch"), Has("fieldManager")],
        &[SetInRequest("/metadata/annotations", "null")]),
    on("metadata-system-keys-lowercase-dashed", "the server adds a label key in camel case to namespaces", &[CREATES, Plural("namespaces")],
        &[Set("/metadata/labels/kubernetes.io~1MetadataName", "\"x\"")]),
    on("metadata-system-keys-prefixed", "the server adds a label key without prefix to namespaces", &[CREATES, Plural("namespaces")], &[Set("/metadata/labels/name", "\"x\"")]),
    // `OpenAPI`.
    on("metadata-schema-declares-object-fields", "the OpenAPI schema of ObjectMeta has no uid", &[PathPrefix("/openapi/")], &[EditJson(metadata_without_uid)]),
];

/// Removes a generated name.
fn remove_generated_name(object: &mut Value) {
    if object["metadata"]["generateName"].is_string() {
        object["metadata"]["name"] = Value::Null;
    }
}

fn without_uid(object: &mut Value) {
    if let Some(metadata) = object.get_mut("metadata").and_then(Value::as_object_mut) {
        metadata.shift_remove("uid");
    }
}

fn shorten_uid(object: &mut Value) {
    if object["metadata"]["uid"].is_string() {
        object["metadata"]["uid"] = "17".into();
    }
}

fn version_as_number(object: &mut Value) {
    let version =
        object["metadata"]["resourceVersion"].as_str().and_then(|version| version.parse::<u64>().ok());
    if let (Some(version), true) = (version, object["items"].is_null()) {
        object["metadata"]["resourceVersion"] = version.into();
    }
}

/// The generation of an object, if it has one.
fn generation(object: &mut Value) -> Option<&mut Value> {
    object.pointer_mut(GENERATION).filter(|generation| generation.is_number())
}

fn reset_generation(object: &mut Value) {
    if let Some(generation) = generation(object) {
        *generation = 1.into();
    }
}

pub(super) fn increment_generation(object: &mut Value) {
    if let Some(generation) = generation(object) {
        *generation = (generation.as_u64().unwrap_or_default() + 1).into();
    }
}

/// The last generation.
static LAST: AtomicU64 = AtomicU64::new(0);

fn count_globally(object: &mut Value) {
    if let Some(generation) = generation(object) {
        *generation = (LAST.fetch_add(1, Ordering::Relaxed) + 1).into();
    }
}

fn update_creation_time(object: &mut Value) {
    if object["metadata"]["creationTimestamp"].is_string() {
        object["metadata"]["creationTimestamp"] = crate::metadata::now().replace('Z', "+00:00").into();
    }
}

/// Keeps finalizers when a patch removes all.
fn ignore_finalizer_removal(parts: &mut http::request::Parts, body: &mut bytes::Bytes) {
    crate::fault::json_body(parts, body, |patch| {
        if patch.pointer("/metadata/finalizers").is_some_and(Value::is_null) {
            *patch = json!({});
        }
    });
}

fn metadata_without_uid(document: &mut Value) {
    for schemas in ["/definitions", "/components/schemas"] {
        let schemas = document.pointer_mut(schemas).and_then(Value::as_object_mut);
        for (_, schema) in schemas.into_iter().flatten().filter(|(name, _)| name.ends_with(".ObjectMeta")) {
            if let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) {
                properties.shift_remove("uid");
            }
        }
    }
}
