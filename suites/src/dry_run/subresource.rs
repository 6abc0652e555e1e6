//! Dry runs of status and scale.

use super::dry;
use crate::prelude::*;

rows![dryrun_subresource_not_persisted.with_status()];

async fn dryrun_subresource_not_persisted(cx: Context, stored: StoredObject) -> Checked {
    let collection = &stored.collection;

    if let Ok(change) = collection.status_change("tried") {
        let tried = cx.send(dry(Request::merge_patch(collection.status_path_of(NAME), &change))).await?;
        expect_tried(&stored, &tried).await?;

        let body = stored.read.with(&change)?;
        let put = dry(Request::put(collection.status_path_of(NAME), &body));
        if let Some(tried) = cx.send_if_offered(put).await? {
            expect_tried(&stored, &tried).await?;
        }
    }
    if collection.has_scale() {
        let scaled = json!({ "spec": { "replicas": 1 } });
        let tried = cx.send(dry(Request::merge_patch(collection.scale_path_of(NAME), &scaled))).await?;

        let actual = tried.written()?.json()["spec"]["replicas"].clone();
        tried.expect(actual == 1, "spec.replicas 1", actual.to_string())?;
        stored.expect_unchanged().await?;
    }
    Ok(())
}

/// The response shows another status, and the stored object does not.
async fn expect_tried(stored: &StoredObject, tried: &Exchange) -> Checked {
    let actual = tried.written()?.json()["status"].clone();
    let changed = actual != stored.read.json()["status"];
    tried.expect(changed, "the changed status", actual.to_string())?;
    stored.expect_unchanged().await
}
