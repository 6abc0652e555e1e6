//! Validation on receipt, with all errors at once.

use crate::prelude::*;

rows![validation_on_receipt];

/// A create, a PUT and a patch with an invalid label.
pub(super) fn invalid(stored: &StoredObject) -> [Request; 3] {
    let label = |body: &mut Value| body["metadata"]["labels"]["assay"] = "with a space".into();
    let patch = json!({ "metadata": { "labels": { "assay": "with a space" } } });
    [post_with(&stored.collection, "b", label), stored.put_with(label), stored.patch(MERGE, &patch)]
}

async fn validation_on_receipt(cx: Context, stored: StoredObject) -> Checked {
    for request in invalid(&stored) {
        let response = cx.send(request).await?;

        let rejected = (400..500).contains(&response.status());
        response.expect(rejected, "a rejection with 4xx", response.brief())?;
    }
    expect_absent(&stored.collection, "b").await?;
    stored.expect_unchanged().await
}
