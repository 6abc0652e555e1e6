//! Patches that must be rejected and change nothing.

use super::json_values::failing_by_type;
use crate::object_fixture::NO_UID;
use crate::patch_types::{self, every_field, patch, raw_patch};
use crate::prelude::*;
use crate::rejections::{OF_CLIENTS, StringMap, StringMapIn, rejected};
use crate::string_map;

pub(super) fn rows() -> Vec<Row> {
    vec![
        rejected("patch-json-absent-404", &[404], |collection: &Collection| {
            patch(collection, "a", JSON, &every_field(&collection.body("a", "first")))
        })
        .reason("NotFound")
        .row(),
        rejected("patch-merge-absent-404", &[404], |collection: &Collection| {
            patch(collection, "a", MERGE, &collection.body("a", "first"))
        })
        .reason("NotFound")
        .row(),
        rejected("patch-strategic-absent-404", &[404], |collection: &Collection| {
            patch(collection, "a", STRATEGIC, &collection.body("a", "first"))
        })
        .reason("NotFound")
        .row()
        .own_kinds(),
        rejected("patch-unsupported-content-type-415", &[415], |a: &StringMap| {
            let of_type = |media_type| a.patch(media_type, &string_map::set(&a.collection, "k", "w"));
            let mut untyped = of_type("");
            untyped.headers.retain(|(name, _)| name != "content-type");
            [of_type("application/json"), of_type("application/yaml"), of_type("text/plain"), untyped]
        })
        .reason("UnsupportedMediaType")
        .row()
        .also("verbs-patch-unknown-content-type"),
        rejected("patch-type-strategic-custom-415", &[415], |a: &StringMapIn<CustomResources>| {
            a.patch(STRATEGIC, &string_map::set(&a.collection, "k", "w"))
        })
        .reason("UnsupportedMediaType")
        .row()
        .own_kinds()
        .also("verbs-strategic-merge-not-for-custom-resources"),
        rejected("patch-merge-malformed-400", &[400], |a: &StringMap| {
            ["{", "[]", "\"x\""].map(|body| raw_patch(&a.collection, "a", MERGE, body))
        })
        .row()
        .also("verbs-merge-patch-malformed"),
        rejected("patch-strategic-bad-format-400", &[400], |a: &StringMapIn<ConfigMaps>| {
            ["[]", "{"].map(|body| raw_patch(&a.collection, "a", STRATEGIC, body))
        })
        .row()
        .own_kinds(),
        rejected("patch-json-test-failure-rejected", OF_CLIENTS, |a: &StringMap| failing_by_type(a))
            .response_only()
            .row()
            .also("verbs-json-patch-test-failure"),
        rejected("patch-name-change-400", OF_CLIENTS, |a: &StringMap| set(a, "name", "other")).row(),
        rejected("patch-uid-change-rejected", OF_CLIENTS, |a: &StringMap| set(a, "uid", NO_UID)).row(),
        rejected("patch-invalid-result-422", &[422], |a: &StringMap| {
            a.patch(MERGE, &json!({ "metadata": { "labels": { "bad key!": "v" } } }))
        })
        .reason("Invalid")
        .row(),
        rejected("patch-force-only-for-apply", &[422], |a: &StringMap| {
            let merge = a.patch(MERGE, &string_map::set(&a.collection, "k", "w"));
            ["true", "false"].map(|force| merge.clone().query("force", force))
        })
        .reason("Invalid")
        .row(),
        rejected("patch-apply-requires-fieldmanager", &[422], |collection: &Collection| {
            let without = patch(collection, "a", APPLY, &applied(collection));
            [without.clone(), without.query("fieldManager", "")]
        })
        .reason("Invalid")
        .row(),
        rejected("patch-apply-wrong-version-400", &[400], |collection: &Collection| {
            let mut body = applied(collection);
            body["apiVersion"] = "v999".into();
            patch_types::apply(collection, "a", "kube-assay-a", &body)
        })
        .row(),
    ]
}

/// A JSON patch whose second operation fails.
pub(super) fn failing(a: &StoredObject) -> Request {
    const OPERATIONS: &str =
        r#"[{"op":"replace","path":"@/a","value":"2"},{"op":"test","path":"@/k","value":"wrong"}]"#;
    raw_patch(&a.collection, "a", JSON, &string_map::operations(&a.collection, OPERATIONS))
}

/// A merge patch of one field of the metadata.
fn set(a: &StoredObject, field: &str, value: &str) -> Request {
    a.patch(MERGE, &json!({ "metadata": { field: value } }))
}

fn applied(collection: &Collection) -> Value {
    string_map::body(collection, "a", &[("k", "v")])
}
