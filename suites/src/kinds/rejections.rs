//! Bodies with a missing or wrong `apiVersion` or kind that must be rejected.

use crate::fields::remove;
use crate::object_fixture::post_with;
use crate::prelude::*;
use crate::rejections::{self, Of, Rejection, rejected_create};

pub(super) fn rows() -> Vec<Row> {
    rejections::rows(REJECTED)
}

const REJECTED: &[Rejection] = &[
    rejected_create("kinds-mismatching-apiversion-refused", &[400], "BadRequest", |collection| {
        let version = collection.resource().another_api_version();
        vec![post_with(collection, NAME, |body| body["apiVersion"] = version.into())]
    }),
    rejected_create("kinds-custom-resource-identity-required", &[400], "BadRequest", |collection| {
        ["kind", "apiVersion"].map(|field| post_with(collection, NAME, |body| remove(body, field))).into()
    })
    .only(Of::CustomResources),
];
