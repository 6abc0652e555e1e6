//! PUT requests that must be rejected and change nothing.

use crate::fields::remove;
use crate::object_fixture::NO_UID;
use crate::prelude::*;
use crate::rejections::{StoredIn, rejected};

pub(super) fn rows() -> Vec<Row> {
    vec![
        stale("update-put-stale-rv-409"),
        rejected("update-put-uid-mismatch-409", &[409], |a: &StoredObject| {
            a.put_with(|body| body["metadata"]["uid"] = NO_UID.into())
        })
        .reason("Conflict")
        .row(),
        rejected("update-put-name-mismatch-400", &[400], |a: &StoredObject| {
            a.put_with(|body| body["metadata"]["name"] = a.collection.name_of("b").into())
        })
        .none_called(&["b"])
        .row()
        .also("verbs-put-name-must-match-url"),
        rejected("update-put-name-missing-400", &[400], |a: &StoredObject| {
            a.put_with(|body| remove(&mut body["metadata"], "name"))
        })
        .row(),
        rejected("update-put-kind-mismatch-400", &[400], |a: &StoredObject| {
            a.put_with(|body| body["kind"] = a.collection.resource().another_kind().into())
        })
        .or_of_custom_types(&[422])
        .row(),
        rejected("update-put-apiversion-mismatch-400", &[400], |a: &StoredObject| {
            a.put_with(|body| body["apiVersion"] = a.collection.resource().another_api_version().into())
        })
        .row(),
        rejected("update-put-invalid-422-no-effect", &[422], |a: &StoredObject| {
            let invalid = |field: &str, value: Value| a.put_with(|body| body["metadata"][field] = value);
            [
                invalid("labels", json!({ "assay": "with a space" })),
                invalid("annotations", json!({ "with a space": "assay" })),
            ]
        })
        .reason("Invalid")
        .row(),
        rejected("update-put-missing-rv-custom-422", &[422], |a: &StoredIn<CustomResources>| {
            let at = |version: Value| a.put_with(|body| body["metadata"]["resourceVersion"] = version);
            [at(Value::Null), at("".into())]
        })
        .reason("Invalid")
        .row()
        .own_kinds(),
    ]
}

/// The rows of area `concurrency` with the same scenario.
pub(crate) fn concurrency_rows() -> Vec<Row> {
    vec![stale("concurrency-put-stale-resourceversion-409")]
}

/// A PUT with an outdated resourceVersion.
fn stale(clause: &'static str) -> Row {
    rejected(clause, &[409], |Outdated(a, _): &Outdated| a.put_with(|_| ()))
        .reason("Conflict")
        .response_only()
        .row()
}
