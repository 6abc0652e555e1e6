//! Faults of server-side apply merges: lists, maps, sets and null values.

use bytes::Bytes;
use http::request::Parts;
use serde_json::{Map, Value, json};

use super::field_managers::{APPLY, FORCED};
use super::managed_entries;
use crate::fault::{Edit, Edit::*, Fault, When, When::*, json_body, on};

const CHANGED: When = Answered(200);
const BY_M1: When = Is("fieldManager", "m1");
const BY_M2: When = Is("fieldManager", "m2");
const DEFINED: &[When] = &[Method("POST"), Of("customresourcedefinitions")];
const AS_MERGE: &[Edit] = &[SetRequestHeader("content-type", "application/merge-patch+json")];
const LIST_TYPE: &str = "x-kubernetes-list-type";
const MAP_TYPE: &str = "x-kubernetes-map-type";
const KEYS: &str = "x-kubernetes-list-map-keys";

#[rustfmt::skip]
pub(super) const FAULTS: &[Fault] = &[
    // What was applied, and what is there.
    on("apply-merge-combines-with-live", "what is not applied is removed", &[APPLY], &[Remove("/data/kept"), Remove("/metadata/annotations/kept")]),
    on("apply-merge-request-wins", "what is there stays", &[APPLY], &[EditJson(|object| of_texts(object, |texts| drop(texts.insert("a".to_owned(), "1".into()))))]),
    on("apply-merge-missing-items-removed", "an apply is a merge patch", &[APPLY], AS_MERGE),
    on("apply-merge-superset-removes-nothing", "each apply begins with nothing", &[APPLY, CHANGED], &[Remove("/data/a"), Remove("/metadata/annotations/a")]),
    on("apply-merge-removal-is-per-manager", "what was applied last is kept for all managers together", &[APPLY], &[SetParameter("fieldManager", "m1")]),
    on("apply-merge-never-applied-items-kept", "an empty apply empties the object", &[APPLY], &[Remove("/data"), Remove("/metadata/annotations")]),
    on("apply-merge-dropped-item-with-foreign-subfields-removed", "of an item that was dropped a fragment stays", &[APPLY],
        &[EditJson(|object| push(object, "/spec/rules", &json!({ "name": "a", "note": "x" })))]),
    // What is atomic.
    on("apply-merge-list-atomic-replaced", "atomic lists are united", &[APPLY], &[Set("/spec/args", r#"["a","b","c"]"#)]),
    on("apply-merge-list-atomic-single-owner", "an atomic list is anybody's", &[APPLY, BY_M2], &[FORCED]),
    on("apply-merge-list-atomic-any-items", "only lists of scalars may be atomic", DEFINED, &[Refuse(422, "Invalid", "must be an array of scalars")]),
    on("apply-merge-map-atomic", "an atomic map is anybody's", &[APPLY, BY_M2], &[FORCED]),
    on("apply-merge-struct-atomic", "structures are merged", &[APPLY], &[Set("/spec/atomicStruct/y", "1")]),
    on("apply-merge-atomic-recursive", "what is in an atomic list is anybody's", &[APPLY, BY_M2], &[FORCED]),
    // Sets.
    on("apply-merge-list-set-items-owned-separately", "a set is replaced", &[APPLY, BY_M2], &[Set("/spec/tags", r#"["b"]"#)]),
    on("apply-merge-list-set-same-item-shared", "what two apply is there twice", &[APPLY, BY_M2], &[Set("/spec/tags", r#"["a","a"]"#)]),
    on("apply-merge-list-set-duplicates-rejected", "duplicates in a set are left out", &[APPLY],
        &[EditRequest(|parts, body| items(parts, body, "/spec/tags", Vec::dedup))]),
    on("apply-merge-list-set-finalizers", "an apply replaces all finalizers", &[APPLY], &[Set("/metadata/finalizers", r#"["kube-assay.dev/hold"]"#)]),
    on("apply-merge-list-order", "sets are sorted", &[APPLY], &[Set("/spec/tags", r#"["a","b","c"]"#)]),
    // Lists with keys.
    on("apply-merge-list-map-merged-by-key", "an item that is there is added again", &[APPLY, BY_M2],
        &[EditJson(|object| push(object, "/spec/rules", &json!({ "name": "a", "note": "x" })))]),
    on("apply-merge-list-map-items-owned-separately", "a list with keys has one owner", &[APPLY, BY_M2],
        &[Refuse(409, "Conflict", "Apply failed with 1 conflict: conflict with \"m1\": .spec.rules")]),
    on("apply-merge-list-map-duplicate-keys-rejected", "of items with one key the last is taken", &[APPLY],
        &[EditRequest(|parts, body| items(parts, body, "/spec/rules", |rules| drop(rules.drain(..rules.len() - 1))))]),
    on("apply-merge-list-map-composite-key", "only the first key counts", &[APPLY, BY_M2], &[Remove("/spec/ports/0")]),
    on("apply-merge-list-map-key-default", "an item without a key is another than that with its default", &[APPLY, BY_M2],
        &[EditRequest(|parts, body| items(parts, body, "/spec/ports", |ports| ports[0]["protocol"] = "SCTP".into()))]),
    on("apply-merge-list-map-missing-keys-rejected", "a key left out is empty", &[APPLY], &[EditRequest(|parts, body| items(parts, body, "/spec/rules", |rules| {
        rules.iter_mut().filter(|rule| rule["name"].is_null()).for_each(|rule| rule["name"] = "".into());
    }))]),
    // Maps and structures.
    on("apply-merge-map-granular", "a map is replaced", &[APPLY, BY_M2], &[Set("/spec/settings", r#"{"b":"2"}"#)]),
    on("apply-merge-struct-granular", "a structure is replaced", &[APPLY, BY_M2], &[Set("/spec/granularStruct", r#"{"y":"2"}"#)]),
    // What schemas may say.
    on("apply-merge-list-set-scalars-only", "a set of objects is none", DEFINED, &[EditRequest(|parts, body| marked(parts, body, |list| {
        if list["items"]["type"] == "object" && list[LIST_TYPE] == "set" { unmark(list, &[LIST_TYPE]) }
    }))]),
    on("apply-merge-list-map-nested-types-only", "scalars need no keys", DEFINED, &[EditRequest(|parts, body| marked(parts, body, |list| {
        if list["items"]["type"] == "string" { unmark(list, &[LIST_TYPE, KEYS]) }
    }))]),
    on("apply-merge-list-map-keys-required", "items are known by name", DEFINED, &[EditRequest(|parts, body| marked(parts, body, |list| {
        if list[LIST_TYPE] == "map" { list[KEYS] = json!(["name"]) }
    }))]),
    on("apply-merge-list-map-keys-only-with-map", "keys that nobody needs are ignored", DEFINED, &[EditRequest(|parts, body| marked(parts, body, |list| {
        if list[LIST_TYPE] != "map" { unmark(list, &[KEYS]) }
    }))]),
    on("apply-merge-list-map-keys-scalar", "a key is a text", DEFINED, &[EditRequest(|parts, body| marked(parts, body, |list| {
        if list["items"]["type"] == "object" { list["items"]["properties"]["name"] = json!({ "type": "string" }) }
    }))]),
    on("apply-merge-list-type-values", "unknown types of lists are ignored", DEFINED, &[EditRequest(|parts, body| marked(parts, body, |list| {
        if !["atomic", "set", "map"].iter().any(|known| list[LIST_TYPE] == *known) { unmark(list, &[LIST_TYPE]) }
    }))]),
    on("apply-merge-map-type-values", "unknown types of maps are ignored", DEFINED, &[EditRequest(|parts, body| marked(parts, body, |map| {
        if !["atomic", "granular"].iter().any(|known| map[MAP_TYPE] == *known) { unmark(map, &[MAP_TYPE]) }
    }))]),
    // Built-in types.
    on("apply-merge-builtin-patch-strategy", "containers are replaced", &[APPLY, BY_M2], &[Remove("/spec/template/spec/containers/0")]),
    on("apply-merge-builtin-configmap-data", "data are replaced", &[APPLY, BY_M2], &[Remove("/data/a")]),
    on("apply-merge-builtin-labels-annotations", "labels are replaced", &[APPLY, BY_M2], &[Remove("/metadata/labels/x")]),
    on("apply-merge-builtin-service-ports", "ports are known by their numbers", &[APPLY, BY_M2], &[Remove("/spec/ports/0")]),
    on("apply-merge-builtin-service-selector", "a selector is anybody's", &[APPLY, BY_M2], &[FORCED]),
    on("apply-merge-builtin-container-args", "arguments are merged", &[APPLY, BY_M1], &[Set("/spec/template/spec/containers/0/args", r#"["a","b"]"#)]),
    on("apply-merge-builtin-owner-references", "references to owners are replaced", &[APPLY, BY_M2], &[Remove("/metadata/ownerReferences/0")]),
    on("apply-merge-builtin-label-selector", "labels in selectors are owned one by one", &[APPLY],
        &[EditJson(|object| managed_entries::graft(object, "/f:spec/f:selector", &json!({ "f:matchLabels": { "f:app": {} } })))]),
    // Custom types.
    on("apply-merge-cr-default-keys-granular", "a spec is owned as a whole", &[APPLY], &[EditJson(|object| managed_entries::graft(object, "/f:spec", &json!({})))]),
    on("apply-merge-cr-default-lists-atomic", "an unmarked list is anybody's", &[APPLY, BY_M2], &[FORCED]),
    on("apply-merge-cr-schema-markers-used", "schemas are not read", &[APPLY, BY_M2], &[Set("/spec/marked", r#"["b"]"#)]),
    on("apply-merge-cr-across-versions", "what other versions own is not seen", &[APPLY, BY_M2], &[Set("/spec/tags", r#"["b"]"#)]),
    on("apply-merge-cr-preserve-unknown-unmarked", "an apply drops what is unknown", &[APPLY], &[RemoveFromRequest("/spec/freeform/list")]),
    on("apply-merge-null-value", "null removes what others own", &[APPLY, BY_M2], AS_MERGE),
    on("apply-merge-topology-new-list-key", "with a new key all items are new", &[APPLY],
        &[EditJson(|object| push(object, "/spec/rules", &json!({ "name": "a", "value": "1" })))]),
];

/// One item more in a list that is there.
fn push(object: &mut Value, list: &str, item: &Value) {
    if let Some(list) = object.pointer_mut(list).and_then(Value::as_array_mut) {
        list.push(item.clone());
    }
}

/// The texts that scenarios apply: the data of a config map, the annotations of anything else.
fn of_texts(object: &mut Value, edit: fn(&mut Map<String, Value>)) {
    for texts in ["/data", "/metadata/annotations"] {
        object.pointer_mut(texts).and_then(Value::as_object_mut).into_iter().for_each(edit);
    }
}

/// Changes a list that is sent with some items.
fn items(parts: &mut Parts, body: &mut Bytes, list: &str, edit: fn(&mut Vec<Value>)) {
    json_body(parts, body, |object| {
        let list = object.pointer_mut(list).and_then(Value::as_array_mut);
        list.into_iter().filter(|list| !list.is_empty()).for_each(edit);
    });
}

/// Changes the schema of the field that scenarios define.
fn marked(parts: &mut Parts, body: &mut Bytes, edit: fn(&mut Value)) {
    let field = "/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/x";
    json_body(parts, body, |definition| definition.pointer_mut(field).into_iter().for_each(edit));
}

fn unmark(schema: &mut Value, markers: &[&str]) {
    if let Some(schema) = schema.as_object_mut() {
        schema.retain(|name, _| !markers.contains(&name.as_str()));
    }
}
