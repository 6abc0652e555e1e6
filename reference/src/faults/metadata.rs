//! Faults of object metadata.

mod maps;
mod names;

use std::sync::atomic::{AtomicU64, Ordering};

use serde_json::{Value, json};

use super::deletion::{self, annotation_state};
use super::update;
use crate::fault::{Edit, Edit::*, Fault, Items, When, When::*, on, store};
use crate::store::StoreFlaw;

const CREATES: When = Method("POST");
const PUT: When = Method("PUT");
const PATCH: When = Method("PATCH");
const DELETES: When = Method("DELETE");
const CHANGES: When = Any(&[PUT, PATCH]);
/// Namespaces are created for a scenario, and not what it asks about.
const ARRANGED: When = Any(&[Of("namespaces"), Of("customresourcedefinitions")]);
const ASKED_ABOUT: When = Not(&Of("namespaces"));
const UID: &str = "/metadata/uid";
const GENERATION: &str = "/metadata/generation";
const CREATION: &str = "/metadata/creationTimestamp";
const LONG_AGO: &str = "\"2001-01-01T00:00:00Z\"";
/// The uid that scenarios ask for.
const CHOSEN: &str = "\"00000000-0000-4000-8000-00000000000a\"";
const LABELS: Edit = RemoveFromRequest("/metadata/labels");

#[rustfmt::skip]
pub(super) const FAULTS: &[Fault] = &[
    // Names.
    on("metadata-name-present", "who was given a prefix has no name", &[Resource], &[EditJson(nameless), OfItems(&EditJson(nameless))]),
    on("metadata-name-unique-per-namespace", "a name is one object in all namespaces", &[CREATES, Collection, Namespaced], &[EditRequest(names::to_the_namesake)]),
    on("metadata-name-scoped-to-resource", "no object has the name of one of another type", &[CREATES, Any(&[Of("secrets"), Of("configmaps"), Custom])], &[EditRequest(names::once_in_a_namespace)]),
    on("metadata-name-used-in-path", "capitals are small letters", &[Object, Method("GET")], &[EditRequest(names::in_small_letters)]),
    on("metadata-name-immutable", "a PUT goes to the name in its body", &[PUT, Object], &[EditRequest(update::to_the_name)]),
    on("metadata-name-required-on-create", "who has no name is given one", &[CREATES, Collection, ASKED_ABOUT], &[EditRequest(names::invent_a_name)]),
    on("metadata-name-format", "names may be written in capitals", &[CREATES, Collection, ASKED_ABOUT], &[EditRequest(names::named_in_small_letters)]),
    on("metadata-name-path-safe", "names may have slashes", &[CREATES, Collection, ASKED_ABOUT], &[EditRequest(names::named_without_slashes)]),
    // Namespaces.
    on("metadata-namespace-present", "items of lists do not say in which namespace they are", &[Listing], &[OfItems(&Remove("/metadata/namespace"))]),
    on("metadata-namespace-name-is-dns-label", "namespaces may have dots", &[CREATES, Of("namespaces")], &[EditRequest(names::named_without_dots)]),
    on("metadata-default-namespace-exists", "there is no default namespace", &[Path("/api/v1/namespaces/default")], &[Fail(404, "NotFound", "not found")]),
    on("metadata-kube-prefix-namespaces", "there is no namespace of the system", &[Path("/api/v1/namespaces/kube-system")], &[Fail(404, "NotFound", "not found")]),
    on("metadata-namespace-taken-from-url", "who names no namespace is put into the default one", &[CREATES, Collection, Namespaced], &[EditRequest(names::to_the_default)]),
    on("metadata-namespace-conflict-with-url-400", "the namespace of the body outdoes that of the path", &[CREATES, Namespaced], &[EditRequest(update::to_the_namespace)]),
    on("metadata-cluster-scoped-has-no-namespace", "objects are in a namespace where there are none", &[Resource, Of("clusterroles")], &[Set("/metadata/namespace", "\"default\"")]),
    on("metadata-namespace-immutable", "a patch of the namespace is accepted", &[PATCH, Namespaced], &[RemoveFromRequest("/metadata/namespace")]),
    // Uids.
    on("metadata-uid-present", "objects have no uid", &[Resource, Not(&ARRANGED)], &[EditJson(without_uid), OfItems(&EditJson(without_uid)), Events(crate::fault::Event::Edit("", &Remove(UID)))]),
    on("metadata-uid-rfc4122", "a uid is a number that counts", &[Resource], &[EditJson(counted_uid), OfItems(&EditJson(counted_uid))]),
    on("metadata-uid-client-value-ignored-on-create", "who asks for a uid gets it", &[CREATES, Collection, ASKED_ABOUT], &[Set(UID, CHOSEN)]),
    on("metadata-uid-differs-after-recreate", "a uid is made of the name", &[Resource], &[EditJson(deletion::uid_of_the_name)]),
    on("metadata-uid-unique", "all of a type have one uid", &[Listing], &[OfItems(&Set(UID, CHOSEN))]),
    on("metadata-uid-stable", "what was put is somebody else", &[PUT, Object], &[Set(UID, CHOSEN)]),
    on("metadata-uid-change-refused", "the identity of what is put is not looked at", &[PUT, Object], &[RemoveFromRequest(UID)]),
    on("metadata-uid-may-be-omitted-on-put", "who is put without a uid has none", &[PUT, Object], &[Remove(UID)]),
    // Versions and generations.
    on("metadata-resourceversion-present", "versions are numbers", &[Resource], &[EditJson(numbered), OfItems(&EditJson(numbered))]),
    on("metadata-generation-set-by-system", "the generation is the client's", &[CREATES, Answered(201)], &[Set(GENERATION, "77")]),
    on("metadata-generation-not-client-writable", "the generation is the client's", &[CHANGES, Object], &[Set(GENERATION, "99")]),
    on("metadata-generation-rises-on-spec-change", "there is one generation", &[Resource], &[EditJson(the_first)]),
    on("metadata-generation-monotonic", "a status brings the first generation back", &[CHANGES, Subresource("status")], &[EditJson(the_first)]),
    on("metadata-generation-unchanged-by-metadata", "every change is a generation", &[PATCH, Object], &[EditJson(one_more)]),
    on("metadata-generation-unchanged-by-status", "a status is a generation", &[CHANGES, Subresource("status")], &[EditJson(one_more)]),
    on("metadata-generation-per-object", "generations are counted for all", &[CREATES, Answered(201)], &[EditJson(counted_for_all)]),
    // The time of creation.
    on("metadata-creationtimestamp-set", "an object is created by each change, and at a time with an offset", &[CHANGES, Object], &[EditJson(created_now)]),
    on("metadata-creationtimestamp-not-client-settable-on-create", "the time of creation is the client's", &[CREATES, Collection], &[Set(CREATION, LONG_AGO)]),
    on("metadata-creationtimestamp-not-changed-by-update", "a PUT forgets the time of creation", &[PUT, Object], &[Remove(CREATION)]),
    // The time of deletion.
    store("metadata-deletiontimestamp-set-on-deferred-delete", "finalizers keep nothing", StoreFlaw::IgnoresFinalizers),
    on("metadata-deletiontimestamp-absent-normally", "who is not deleted is deleted at the beginning of time", &[Resource, ASKED_ABOUT], &[EditJson(deletion::at_zero)]),
    on("metadata-deletiontimestamp-not-settable-on-create", "objects may be born deleted", &[Resource, ASKED_ABOUT], &[EditRequest(annotation_state::note_birth), EditJson(annotation_state::born_deleted)]),
    on("metadata-deletiontimestamp-not-settable-on-update", "who patches a time of deletion deletes", &[PATCH, Object], &[EditRequest(deletion::delete_instead)]),
    on("metadata-deletion-object-visible-while-pending", "who is being deleted is in no list", &[Listing], &[List(Items::Edit(|items| items.retain(|item| !deletion::is_marked(item))))]),
    on("metadata-deletion-object-gone-afterwards", "the last finalizer stays", &[PATCH, Object], &[EditRequest(without_release)]),
    on("metadata-deletiontimestamp-not-unset", "a PUT without a time of deletion revives", &[Object, ASKED_ABOUT], &[EditRequest(annotation_state::note_revival), EditJson(annotation_state::revive)]),
    on("metadata-deletiontimestamp-not-later", "a second deletion begins anew", &[Object, ASKED_ABOUT], &[EditJson(deletion::at_now)]),
    on("metadata-deletiontimestamp-may-be-shortened", "who is deleted stays for as long as was said first", &[DELETES, Of("pods"), Is("gracePeriodSeconds", "30")], &[SetMethod("GET")]),
    on("metadata-deletiontimestamp-raises-no-new-finalizers", "finalizers can be added at any time", &[Object, ASKED_ABOUT],
        &[EditRequest(annotation_state::note_finalizers), EditJson(annotation_state::show_finalizers)]),
    // Labels and annotations.
    on("metadata-labels-string-map", "an empty label is null", &[Resource], &[EditJson(maps::empty_labels_are_null)]),
    on("metadata-labels-non-string-refused", "a number is a label", &[CREATES, Collection], &[EditRequest(maps::labels_as_text)]),
    on("metadata-label-key-syntax", "the keys of labels are not looked at", &[CREATES, Collection, ASKED_ABOUT], &[LABELS]),
    on("metadata-label-value-syntax", "labels may have blanks", &[CREATES, Collection, ASKED_ABOUT], &[EditRequest(maps::labels_without_blanks)]),
    on("metadata-labels-owned-by-users", "labels without a prefix get one", &[Resource, ASKED_ABOUT], &[EditJson(maps::with_prefix)]),
    on("metadata-annotations-string-map", "an annotation with blanks around is a list of lines", &[Resource], &[EditJson(maps::lists_of_lines)]),
    on("metadata-annotation-key-syntax", "the keys of annotations are written in small letters", &[CREATES, Collection], &[EditRequest(maps::in_small_letters)]),
    on("metadata-annotations-total-size", "annotations of any length are taken", &[CREATES, Collection], &[EditRequest(maps::shortened)]),
    on("metadata-annotations-hold-arbitrary-json", "JSON in annotations is written anew", &[CREATES, Collection], &[EditRequest(maps::written_anew)]),
    on("metadata-annotations-preserved", "a patch drops what it does not name", &[PATCH, Object, HeaderHas("content-type", "merge-patch"), Has("fieldManager")],
        &[SetInRequest("/metadata/annotations", "null")]),
    on("metadata-system-keys-lowercase-dashed", "the system writes its keys in capitals", &[CREATES, Of("namespaces")],
        &[Set("/metadata/labels/kubernetes.io~1MetadataName", "\"x\"")]),
    on("metadata-system-keys-prefixed", "the system does not say which keys are its own", &[CREATES, Of("namespaces")], &[Set("/metadata/labels/name", "\"x\"")]),
    // What is published.
    on("metadata-schema-declares-object-fields", "the schema of metadata has no uid", &[Below("/openapi/")], &[EditJson(metadata_without_uid)]),
];

/// What was given a prefix to make a name of loses the name.
fn nameless(object: &mut Value) {
    if object["metadata"]["generateName"].is_string() {
        object["metadata"]["name"] = Value::Null;
    }
}

fn without_uid(object: &mut Value) {
    if let Some(metadata) = object.get_mut("metadata").and_then(Value::as_object_mut) {
        metadata.shift_remove("uid");
    }
}

fn counted_uid(object: &mut Value) {
    if object["metadata"]["uid"].is_string() {
        object["metadata"]["uid"] = "17".into();
    }
}

fn numbered(object: &mut Value) {
    let version =
        object["metadata"]["resourceVersion"].as_str().and_then(|version| version.parse::<u64>().ok());
    if let (Some(version), true) = (version, object["items"].is_null()) {
        object["metadata"]["resourceVersion"] = version.into();
    }
}

/// The generation of an object that has one.
fn generation(object: &mut Value) -> Option<&mut Value> {
    object.pointer_mut(GENERATION).filter(|generation| generation.is_number())
}

fn the_first(object: &mut Value) {
    if let Some(generation) = generation(object) {
        *generation = 1.into();
    }
}

pub(super) fn one_more(object: &mut Value) {
    if let Some(generation) = generation(object) {
        *generation = (generation.as_u64().unwrap_or_default() + 1).into();
    }
}

/// The generation that was given last.
static LAST: AtomicU64 = AtomicU64::new(0);

fn counted_for_all(object: &mut Value) {
    if let Some(generation) = generation(object) {
        *generation = (LAST.fetch_add(1, Ordering::Relaxed) + 1).into();
    }
}

fn created_now(object: &mut Value) {
    if object["metadata"]["creationTimestamp"].is_string() {
        object["metadata"]["creationTimestamp"] = crate::metadata::now().replace('Z', "+00:00").into();
    }
}

/// Who releases an object keeps it.
fn without_release(parts: &mut http::request::Parts, body: &mut bytes::Bytes) {
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
