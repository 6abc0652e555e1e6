//! PUT requests that must be rejected and change nothing.

use crate::fields::remove;
use crate::object_fixture::NO_UID;
use crate::prelude::*;
use crate::rejections::{self, Of, Rejection, refused, rejected};

pub(super) fn rows() -> Vec<Row> {
    rejections::rows(REJECTED)
}

/// What the rules about concurrency ask for in the same words.
pub(crate) fn concurrency_rows() -> Vec<Row> {
    rejections::rows(const { &[stale("concurrency-put-stale-resourceversion-409")] })
}

const REJECTED: &[Rejection] = &[
    stale("update-put-stale-rv-409"),
    rejected("update-put-uid-mismatch-409", &[409], "Conflict", |a| {
        vec![a.put_with(|body| body["metadata"]["uid"] = NO_UID.into())]
    }),
    refused("update-put-name-mismatch-400", &[400], |a| {
        vec![a.put_with(|body| body["metadata"]["name"] = a.collection.name_of("b").into())]
    })
    .none_called(&["b"])
    .also("verbs-put-name-must-match-url"),
    refused("update-put-name-missing-400", &[400], |a| {
        vec![a.put_with(|body| remove(&mut body["metadata"], "name"))]
    }),
    refused("update-put-kind-mismatch-400", &[400], |a| {
        vec![a.put_with(|body| body["kind"] = a.collection.resource().another_kind().into())]
    })
    .or_of_custom_types(&[422]),
    refused("update-put-apiversion-mismatch-400", &[400], |a| {
        vec![a.put_with(|body| body["apiVersion"] = a.collection.resource().another_api_version().into())]
    }),
    rejected("update-put-invalid-422-no-effect", &[422], "Invalid", |a| {
        let invalid = |field: &str, value: Value| a.put_with(|body| body["metadata"][field] = value);
        vec![
            invalid("labels", json!({ "assay": "with a space" })),
            invalid("annotations", json!({ "with a space": "assay" })),
        ]
    }),
    rejected("update-put-missing-rv-custom-422", &[422], "Invalid", |a| {
        let at = |version: Value| a.put_with(|body| body["metadata"]["resourceVersion"] = version);
        vec![at(Value::Null), at("".into())]
    })
    .only(Of::CustomResources),
];

/// An update of what has been written since it was read.
const fn stale(clause: &'static str) -> Rejection {
    rejected(clause, &[409], "Conflict", |a| vec![a.put_with(|_| ())]).outdated().response_only()
}
