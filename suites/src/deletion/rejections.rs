//! Deletions that must be rejected, of objects that stay.

use super::options::expect_bad_options;
use crate::object_fixture::NO_UID;
use crate::prelude::*;
use crate::rejections::rejected;

pub(super) fn rows() -> Vec<Row> {
    vec![
        rejected("deletion-precondition-uid-mismatch-409", &[409], |a: &StoredObject| {
            a.delete(&json!({ "preconditions": { "uid": NO_UID } }))
        })
        .reason("Conflict")
        .alive()
        .row(),
        rejected("deletion-precondition-rv-mismatch-409", &[409], |Outdated(a, _): &Outdated| {
            let old = json!({ "uid": a.read.metadata("uid"), "resourceVersion": a.read.version() });
            vec![a.delete(&json!({ "preconditions": old }))]
        })
        .reason("Conflict")
        .alive()
        .row(),
        rejected("deletion-propagation-unknown-value-422", &[422], |a: &StoredObject| {
            let query = Request::delete(a.path()).query("propagationPolicy", "Cascade");
            vec![query, a.delete(&json!({ "propagationPolicy": "Cascade" }))]
        })
        .reason("Invalid")
        .and(expect_bad_options)
        .alive()
        .row(),
        rejected("deletion-propagation-and-orphan-exclusive-422", &[422], |a: &StoredObject| {
            a.delete(&json!({ "orphanDependents": true, "propagationPolicy": "Background" }))
        })
        .reason("Invalid")
        .and(expect_bad_options)
        .alive()
        .row(),
    ]
}
