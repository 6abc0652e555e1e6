//! Bodies with a missing or wrong `apiVersion` or kind that must be rejected.

use crate::fields::remove;
use crate::prelude::*;
use crate::rejections::rejected;

pub(super) fn rows() -> Vec<Row> {
    vec![
        rejected("kinds-mismatching-apiversion-refused", &[400], |collection: &Collection| {
            let version = collection.resource().another_api_version();
            vec![post_with(collection, NAME, |body| body["apiVersion"] = version.into())]
        })
        .reason("BadRequest")
        .row(),
        rejected("kinds-custom-resource-identity-required", &[400], |collection: &CustomResources| {
            ["kind", "apiVersion"].map(|field| post_with(collection, NAME, |body| remove(body, field)))
        })
        .reason("BadRequest")
        .row()
        .own_kinds(),
    ]
}
