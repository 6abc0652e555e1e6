//! Creates that must be rejected, because their URL is that of an object.

use crate::prelude::*;
use crate::rejections::{StoredIn, rejected};

pub(super) fn rows() -> Vec<Row> {
    vec![
        rejected("single-create-not-on-item", &[405], |a: &StoredIn<ConfigMaps>| {
            ["a", "b"]
                .map(|name| Request::post(a.collection.path_of(name), &a.collection.body(name, "second")))
        })
        .none_called(&["b"])
        .row()
        .own_kinds(),
    ]
}
