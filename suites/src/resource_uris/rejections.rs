//! Methods that a path does not support.

use crate::prelude::*;
use crate::rejections::{StoredIn, rejected};

pub(super) fn rows() -> Vec<Row> {
    vec![
        rejected("resource-uris-unsupported-method-405", &[405], |a: &StoredIn<ConfigMaps>| {
            let (collection, body) = (a.collection.path(), a.body("second"));
            let patch = a.collection.change("second");
            [
                Request::post(a.path(), &body),
                Request::put(&collection, &body),
                Request::merge_patch(&collection, &patch),
            ]
        })
        .reason("MethodNotAllowed")
        .row()
        .own_kinds(),
    ]
}
