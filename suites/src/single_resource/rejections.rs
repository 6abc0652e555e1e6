//! Creates that must be rejected, because their URL is that of an object.

use crate::prelude::*;
use crate::rejections::{self, Of, Rejection, refused};

pub(super) fn rows() -> Vec<Row> {
    rejections::rows(REJECTED)
}

const REJECTED: &[Rejection] = &[refused("single-create-not-on-item", &[405], |a| {
    ["a", "b"]
        .map(|name| Request::post(a.collection.path_of(name), &a.collection.body(name, "second")))
        .into()
})
.only(Of::ConfigMaps)
.none_called(&["b"])];
