//! Validation on receipt, with all errors at once.

use crate::prelude::*;

rows![validation_on_receipt];

/// An object with a label that no label may be; not yet sent.
fn labelled_badly(collection: &Collection, name: &str) -> Value {
    let mut body = collection.body(name, "second");
    body["metadata"]["labels"]["assay"] = "with a space".into();
    body
}

/// A create, an update and a patch that are all invalid.
pub(super) fn invalid(stored: &StoredObject) -> [Request; 3] {
    let mut put = labelled_badly(&stored.collection, NAME);
    put["metadata"]["resourceVersion"] = stored.read.version().into();
    let patch = json!({ "metadata": { "labels": { "assay": "with a space" } } });
    [
        Request::post(stored.collection.path(), &labelled_badly(&stored.collection, "b")),
        Request::put(stored.path(), &put),
        Request::merge_patch(stored.path(), &patch),
    ]
}

async fn validation_on_receipt(cx: Context, stored: StoredObject) -> Checked {
    for request in invalid(&stored) {
        let refused = cx.send(request).await?;

        let code = refused.status();
        refused.expect((400..500).contains(&code), "a refusal with 4xx", refused.brief())?;
    }
    stored.collection.get("b").await?.expect_status(&[404])?;
    stored.expect_unchanged().await
}
