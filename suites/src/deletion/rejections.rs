//! Deletions that must be rejected, of objects that stay.

use super::options::expect_bad_options;
use crate::object_fixture::NO_UID;
use crate::prelude::*;
use crate::rejections::{self, Rejection, rejected};

pub(super) fn rows() -> Vec<Row> {
    rejections::rows(REJECTED)
}

const REJECTED: &[Rejection] = &[
    rejected("deletion-precondition-uid-mismatch-409", &[409], "Conflict", |a| {
        vec![a.delete(&json!({ "preconditions": { "uid": NO_UID } }))]
    })
    .alive(),
    rejected("deletion-precondition-rv-mismatch-409", &[409], "Conflict", |a| {
        let old = json!({ "uid": a.read.metadata("uid"), "resourceVersion": a.read.version() });
        vec![a.delete(&json!({ "preconditions": old }))]
    })
    .outdated()
    .alive(),
    rejected("deletion-propagation-unknown-value-422", &[422], "Invalid", |a| {
        let query = Request::delete(a.path()).query("propagationPolicy", "Cascade");
        vec![query, a.delete(&json!({ "propagationPolicy": "Cascade" }))]
    })
    .and(expect_bad_options)
    .alive(),
    rejected("deletion-propagation-and-orphan-exclusive-422", &[422], "Invalid", |a| {
        vec![a.delete(&json!({ "orphanDependents": true, "propagationPolicy": "Background" }))]
    })
    .and(expect_bad_options)
    .alive(),
];
