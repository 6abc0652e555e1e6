//! Patches that must be rejected and change nothing.

use crate::object_fixture::NO_UID;
use crate::patch_types::{self, every_field, patch, raw_patch};
use crate::prelude::*;
use crate::rejections::{
    self, OF_CLIENTS, Of, Rejection, refused, refused_create, rejected, rejected_create,
};
use crate::string_map;

pub(super) fn rows() -> Vec<Row> {
    rejections::rows(REJECTED)
}

const REJECTED: &[Rejection] = &[
    rejected_create("patch-json-absent-404", &[404], "NotFound", |collection| {
        vec![patch(collection, "a", JSON, &every_field(&collection.body("a", "first")))]
    }),
    rejected_create("patch-merge-absent-404", &[404], "NotFound", |collection| {
        vec![patch(collection, "a", MERGE, &collection.body("a", "first"))]
    }),
    rejected_create("patch-strategic-absent-404", &[404], "NotFound", |collection| {
        vec![patch(collection, "a", STRATEGIC, &collection.body("a", "first"))]
    })
    .only(Of::Subject),
    rejected("patch-unsupported-content-type-415", &[415], "UnsupportedMediaType", |a| {
        let sent_as =
            |media_type| patch(&a.collection, "a", media_type, &string_map::set(&a.collection, "k", "w"));
        let mut untyped = sent_as("");
        untyped.headers.retain(|(name, _)| name != "content-type");
        vec![sent_as("application/json"), sent_as("application/yaml"), sent_as("text/plain"), untyped]
    })
    .with_texts()
    .also("verbs-patch-unknown-content-type"),
    rejected("patch-type-strategic-custom-415", &[415], "UnsupportedMediaType", |a| {
        vec![patch(&a.collection, "a", STRATEGIC, &string_map::set(&a.collection, "k", "w"))]
    })
    .only(Of::CustomResources)
    .with_texts()
    .also("verbs-strategic-merge-not-for-custom-resources"),
    refused("patch-merge-malformed-400", &[400], |a| {
        ["{", "[]", "\"x\""].map(|body| raw_patch(&a.collection, "a", MERGE, body)).into()
    })
    .with_texts()
    .also("verbs-merge-patch-malformed"),
    refused("patch-strategic-bad-format-400", &[400], |a| {
        ["[]", "{"].map(|body| raw_patch(&a.collection, "a", STRATEGIC, body)).into()
    })
    .only(Of::ConfigMaps)
    .with_texts(),
    refused("patch-json-test-failure-rejected", OF_CLIENTS, |a| vec![failing(a)])
        .with_texts()
        .response_only()
        .also("verbs-json-patch-test-failure"),
    refused("patch-name-change-400", OF_CLIENTS, |a| vec![identified(a, "name", "other")]).with_texts(),
    refused("patch-uid-change-rejected", OF_CLIENTS, |a| vec![identified(a, "uid", NO_UID)]).with_texts(),
    rejected("patch-invalid-result-422", &[422], "Invalid", |a| {
        vec![a.patch(MERGE, &json!({ "metadata": { "labels": { "bad key!": "v" } } }))]
    })
    .with_texts(),
    rejected("patch-force-only-for-apply", &[422], "Invalid", |a| {
        let merge = a.patch(MERGE, &string_map::set(&a.collection, "k", "w"));
        ["true", "false"].map(|force| merge.clone().query("force", force)).into()
    })
    .with_texts(),
    rejected_create("patch-apply-requires-fieldmanager", &[422], "Invalid", |collection| {
        let nameless = patch(collection, "a", APPLY, &applied(collection));
        vec![nameless.clone(), nameless.query("fieldManager", "")]
    }),
    refused_create("patch-apply-wrong-version-400", &[400], |collection| {
        let mut body = applied(collection);
        body["apiVersion"] = "v999".into();
        vec![patch_types::apply(collection, "a", "kube-assay-a", &body)]
    }),
];

/// The second operation fails.
pub(super) fn failing(a: &StoredObject) -> Request {
    const OPERATIONS: &str =
        r#"[{"op":"replace","path":"@/a","value":"2"},{"op":"test","path":"@/k","value":"wrong"}]"#;
    raw_patch(&a.collection, "a", JSON, &string_map::operations(&a.collection, OPERATIONS))
}

/// A patch that gives the object something else to be known by.
fn identified(a: &StoredObject, field: &str, value: &str) -> Request {
    a.patch(MERGE, &json!({ "metadata": { field: value } }))
}

fn applied(collection: &Collection) -> Value {
    string_map::body(collection, "a", &[("k", "v")])
}
