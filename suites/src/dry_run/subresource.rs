//! Dry runs of subresources.

use super::dry;
use crate::prelude::*;

rows![dryrun_subresource_not_persisted.with_status()];

async fn dryrun_subresource_not_persisted(cx: Context, stored: StoredObject) -> Checked {
    let collection = &stored.collection;

    if let Ok(change) = collection.status_change("tried") {
        let tried = cx.send(dry(Request::merge_patch(collection.status_path_of(NAME), &change))).await?;

        let actual = tried.written()?.json()["status"].clone();
        let changed = actual != stored.read.json()["status"];
        tried.expect(changed, "the changed status", actual.to_string())?;
        stored.expect_unchanged().await?;
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
