//! Writes that must be rejected for their metadata.

use crate::object_fixture::NO_UID;
use crate::prelude::*;
use crate::rejections::rejected;

pub(super) fn rows() -> Vec<Row> {
    vec![
        rejected("metadata-labels-non-string-refused", &[400, 422], |collection: &Collection| {
            post_with(collection, NAME, |body| body["metadata"]["labels"]["a"] = 1.into())
        })
        .row(),
        rejected("metadata-uid-change-refused", &[409, 422], |stored: &StoredObject| {
            let patch = json!({ "metadata": { "uid": NO_UID } });
            [stored.put_with(|body| body["metadata"]["uid"] = NO_UID.into()), stored.patch(MERGE, &patch)]
        })
        .row(),
    ]
}
