//! Faults of server-side apply merges: lists, maps, sets and null values.

use bytes::Bytes;
use http::request::Parts;
use serde_json::{Map, Value, json};

use super::field_managers::{APPLY, FORCED};
use super::managed_entries;
use crate::fault::{Edit, Edit::*, Fault, When, When::*, json_body, on};

const CHANGED: When = StatusIs(200);
const BY_M1: When = Is("fieldManager", "m1");
const BY_M2: When = Is("fieldManager", "m2");
const DEFINED: &[When] = &[Method("POST"), Plural("customresourcedefinitions")];
const AS_MERGE: &[Edit] = &[SetRequestHeader("content-type", "application/merge-patch+json")];
const LIST_TYPE: &str = "x-kubernetes-list-type";
const MAP_TYPE: &str = "x-kubernetes-map-type";
const KEYS: &str = "x-kubernetes-list-map-keys";

#[rustfmt::skip]
pub(super) const FAULTS: &[Fault] = &[
    // Applied and live fields.
    on("apply-merge-combines-with-live", "an apply removes live fields that it does not contain", &[APPLY], &[Remove("/data/kept"), Remove("/metadata/annotations/kept")]),
    on("apply-merge-request-wins", "an apply keeps the live value instead of the applied one", &[APPLY], &[EditJson(|object| of_texts(object, |texts| drop(texts.insert("a".to_owned(), "1".into()))))]),
    on("apply-merge-missing-items-removed", "the server treats an apply as a merge patch", &[APPLY], AS_MERGE),
    on("apply-merge-superset-removes-nothing", "an apply removes fields of the previous apply that it still contains", &[APPLY, CHANGED], &[Remove("/data/a"), Remove("/metadata/annotations/a")]),
    on("apply-merge-removal-is-per-manager", "the server records the applies of all managers under one name", &[APPLY], &[SetParameter("fieldManager", "m1")]),
    on("apply-merge-never-applied-items-kept", "an empty apply removes all data", &[APPLY], &[Remove("/data"), Remove("/metadata/annotations")]),
    on("apply-merge-dropped-item-with-foreign-subfields-removed", "an apply keeps a fragment of a list item that it drops", &[APPLY],
        &[EditJson(|object| push(object, "/spec/rules", &json!({ "name": "a", "note": "x" })))]),
    // Atomic values.
    on("apply-merge-list-atomic-replaced", "an apply merges atomic lists", &[APPLY], &[Set("/spec/args", r#"["a","b","c"]"#)]),
    on("apply-merge-list-atomic-single-owner", "an apply overwrites an atomic list of another owner without a conflict", &[APPLY, BY_M2], &[FORCED]),
    on("apply-merge-list-atomic-any-items", "the server rejects atomic lists of objects in a CRD", DEFINED, &[Reject(422, "Invalid", "must be an array of scalars")]),
    on("apply-merge-map-atomic", "an apply overwrites an atomic map of another owner without a conflict", &[APPLY, BY_M2], &[FORCED]),
    on("apply-merge-struct-atomic", "an apply merges atomic structs", &[APPLY], &[Set("/spec/atomicStruct/y", "1")]),
    on("apply-merge-atomic-recursive", "an apply overwrites fields inside an atomic list without a conflict", &[APPLY, BY_M2], &[FORCED]),
    // Sets.
    on("apply-merge-list-set-items-owned-separately", "an apply replaces a set instead of merging it", &[APPLY, BY_M2], &[Set("/spec/tags", r#"["b"]"#)]),
    on("apply-merge-list-set-same-item-shared", "an apply duplicates a set item that two managers apply", &[APPLY, BY_M2], &[Set("/spec/tags", r#"["a","a"]"#)]),
    on("apply-merge-list-set-duplicates-rejected", "the server drops duplicate set items instead of rejecting the apply", &[APPLY],
        &[EditRequest(|parts, body| items(parts, body, "/spec/tags", Vec::dedup))]),
    on("apply-merge-list-set-finalizers", "an apply replaces all finalizers", &[APPLY], &[Set("/metadata/finalizers", r#"["kube-assay.dev/hold"]"#)]),
    on("apply-merge-list-order", "an apply sorts the items of a set", &[APPLY], &[Set("/spec/tags", r#"["a","b","c"]"#)]),
    // Lists with keys.
    on("apply-merge-list-map-merged-by-key", "an apply adds an item whose key already exists", &[APPLY, BY_M2],
        &[EditJson(|object| push(object, "/spec/rules", &json!({ "name": "a", "note": "x" })))]),
    on("apply-merge-list-map-items-owned-separately", "the server returns 409 though the managers apply different list items", &[APPLY, BY_M2],
        &[Reject(409, "Conflict", "Apply failed with 1 conflict: conflict with \"m1\": .spec.rules")]),
    on("apply-merge-list-map-duplicate-keys-rejected", "the server keeps the last of several items with one key", &[APPLY],
        &[EditRequest(|parts, body| items(parts, body, "/spec/rules", |rules| drop(rules.drain(..rules.len() - 1))))]),
    on("apply-merge-list-map-composite-key", "an apply matches list items by their first key only", &[APPLY, BY_M2], &[Remove("/spec/ports/0")]),
    on("apply-merge-list-map-key-default", "an apply ignores the default of a list item's key", &[APPLY, BY_M2],
        &[EditRequest(|parts, body| items(parts, body, "/spec/ports", |ports| ports[0]["protocol"] = "SCTP".into()))]),
    on("apply-merge-list-map-missing-keys-rejected", "the server fills a missing list key with an empty string", &[APPLY], &[EditRequest(|parts, body| items(parts, body, "/spec/rules", |rules| {
        rules.iter_mut().filter(|rule| rule["name"].is_null()).for_each(|rule| rule["name"] = "".into());
    }))]),
    // Maps and structures.
    on("apply-merge-map-granular", "an apply replaces a granular map", &[APPLY, BY_M2], &[Set("/spec/settings", r#"{"b":"2"}"#)]),
    on("apply-merge-struct-granular", "an apply replaces a granular struct", &[APPLY, BY_M2], &[Set("/spec/granularStruct", r#"{"y":"2"}"#)]),
    // Schemas.
    on("apply-merge-list-set-scalars-only", "the server ignores list-type set on lists of objects", DEFINED, &[EditRequest(|parts, body| marked(parts, body, |list| {
        if list["items"]["type"] == "object" && list[LIST_TYPE] == "set" { unmark(list, &[LIST_TYPE]) }
    }))]),
    on("apply-merge-list-map-nested-types-only", "the server ignores list-map-keys on lists of strings", DEFINED, &[EditRequest(|parts, body| marked(parts, body, |list| {
        if list["items"]["type"] == "string" { unmark(list, &[LIST_TYPE, KEYS]) }
    }))]),
    on("apply-merge-list-map-keys-required", "the server keys every list of type map by name", DEFINED, &[EditRequest(|parts, body| marked(parts, body, |list| {
        if list[LIST_TYPE] == "map" { list[KEYS] = json!(["name"]) }
    }))]),
    on("apply-merge-list-map-keys-only-with-map", "the server ignores list-map-keys on lists that are not of type map", DEFINED, &[EditRequest(|parts, body| marked(parts, body, |list| {
        if list[LIST_TYPE] != "map" { unmark(list, &[KEYS]) }
    }))]),
    on("apply-merge-list-map-keys-scalar", "the server treats every list map key as a string", DEFINED, &[EditRequest(|parts, body| marked(parts, body, |list| {
        if list["items"]["type"] == "object" { list["items"]["properties"]["name"] = json!({ "type": "string" }) }
    }))]),
    on("apply-merge-list-type-values", "the server ignores unknown values of x-kubernetes-list-type", DEFINED, &[EditRequest(|parts, body| marked(parts, body, |list| {
        if !["atomic", "set", "map"].iter().any(|known| list[LIST_TYPE] == *known) { unmark(list, &[LIST_TYPE]) }
    }))]),
    on("apply-merge-map-type-values", "the server ignores unknown values of x-kubernetes-map-type", DEFINED, &[EditRequest(|parts, body| marked(parts, body, |map| {
        if !["atomic", "granular"].iter().any(|known| map[MAP_TYPE] == *known) { unmark(map, &[MAP_TYPE]) }
    }))]),
    // Built-in types.
    on("apply-merge-builtin-patch-strategy", "an apply replaces the containers of a pod template", &[APPLY, BY_M2], &[Remove("/spec/template/spec/containers/0")]),
    on("apply-merge-builtin-configmap-data", "an apply replaces the data of a ConfigMap", &[APPLY, BY_M2], &[Remove("/data/a")]),
    on("apply-merge-builtin-labels-annotations", "an apply replaces all labels", &[APPLY, BY_M2], &[Remove("/metadata/labels/x")]),
    on("apply-merge-builtin-service-ports", "an apply replaces a service port with the same port number and another protocol", &[APPLY, BY_M2], &[Remove("/spec/ports/0")]),
    on("apply-merge-builtin-service-selector", "an apply overwrites the selector of a Service without a conflict", &[APPLY, BY_M2], &[FORCED]),
    on("apply-merge-builtin-container-args", "an apply merges container args", &[APPLY, BY_M1], &[Set("/spec/template/spec/containers/0/args", r#"["a","b"]"#)]),
    on("apply-merge-builtin-owner-references", "an apply replaces ownerReferences", &[APPLY, BY_M2], &[Remove("/metadata/ownerReferences/0")]),
    on("apply-merge-builtin-label-selector", "the server records ownership of each label in a LabelSelector", &[APPLY],
        &[EditJson(|object| managed_entries::graft(object, "/f:spec/f:selector", &json!({ "f:matchLabels": { "f:app": {} } })))]),
    // Custom types.
    on("apply-merge-cr-default-keys-granular", "the server records ownership of the spec as a whole", &[APPLY], &[EditJson(|object| managed_entries::graft(object, "/f:spec", &json!({})))]),
    on("apply-merge-cr-default-lists-atomic", "an apply overwrites a list without list-type without a conflict", &[APPLY, BY_M2], &[FORCED]),
    on("apply-merge-cr-schema-markers-used", "the server ignores list-type in CRD schemas", &[APPLY, BY_M2], &[Set("/spec/marked", r#"["b"]"#)]),
    on("apply-merge-cr-across-versions", "an apply ignores ownership recorded in another API version", &[APPLY, BY_M2], &[Set("/spec/tags", r#"["b"]"#)]),
    on("apply-merge-cr-preserve-unknown-unmarked", "an apply drops unknown fields below preserve-unknown-fields", &[APPLY], &[RemoveFromRequest("/spec/freeform/list")]),
    on("apply-merge-null-value", "an apply with null removes fields of other owners", &[APPLY, BY_M2], AS_MERGE),
    on("apply-merge-topology-new-list-key", "after a list key change, an apply adds the existing items again", &[APPLY],
        &[EditJson(|object| push(object, "/spec/rules", &json!({ "name": "a", "value": "1" })))]),
];

/// Adds an item to an existing list.
fn push(object: &mut Value, list: &str, item: &Value) {
    if let Some(list) = object.pointer_mut(list).and_then(Value::as_array_mut) {
        list.push(item.clone());
    }
}

/// Edits the texts of scenarios: the data of a config map, the annotations of other kinds.
fn of_texts(object: &mut Value, edit: fn(&mut Map<String, Value>)) {
    for texts in ["/data", "/metadata/annotations"] {
        object.pointer_mut(texts).and_then(Value::as_object_mut).into_iter().for_each(edit);
    }
}

/// Edits a list with items in the request.
fn items(parts: &mut Parts, body: &mut Bytes, list: &str, edit: fn(&mut Vec<Value>)) {
    json_body(parts, body, |object| {
        let list = object.pointer_mut(list).and_then(Value::as_array_mut);
        list.into_iter().filter(|list| !list.is_empty()).for_each(edit);
    });
}

/// Edits the schema of the scenarios' field.
fn marked(parts: &mut Parts, body: &mut Bytes, edit: fn(&mut Value)) {
    let field = "/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/x";
    json_body(parts, body, |definition| definition.pointer_mut(field).into_iter().for_each(edit));
}

fn unmark(schema: &mut Value, markers: &[&str]) {
    if let Some(schema) = schema.as_object_mut() {
        schema.retain(|name, _| !markers.contains(&name.as_str()));
    }
}
