//! Dry runs of subresources.

use super::dry;
use crate::patch_types::merge_in;
use crate::pods;
use crate::prelude::*;

pub(super) fn rows() -> Vec<Row> {
    vec![
        row!(dryrun_subresource_not_persisted).with_status(),
        row!("dryrun-subresource-not-persisted", eviction_not_persisted).own_kinds(),
    ]
}

async fn dryrun_subresource_not_persisted(cx: Context, stored: StoredObject) -> Checked {
    let collection = &stored.collection;

    if let Ok(change) = collection.status_change("tried") {
        let tried = cx.send(dry(Request::merge_patch(collection.status_path_of(NAME), &change))).await?;
        expect_tried(&stored, &tried).await?;

        let mut body = stored.read.json().clone();
        merge_in(&mut body, &change);
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

async fn eviction_not_persisted(cx: Context) -> Checked {
    let pods = pods::collection(&cx).await?;
    let created = pods::create(&cx, &pods, &pods::idle(NAME)).await?;

    for tried in [dry(pods::eviction(&pods, NAME)), pods::dry_eviction(&pods, NAME)] {
        let tried = cx.send(tried).await?;

        cx.require_feature("Eviction", tried.status() != 404, tried.brief())?;
        tried.expect_status(&[200, 201])?;
        let got = pods.get(NAME).await?;
        let pod = got.json().map(|pod| &pod["metadata"]);
        let stays = pod
            .is_some_and(|pod| pod["uid"] == created.metadata("uid") && pod["deletionTimestamp"].is_null());
        got.expect(stays, "the Pod without a deletionTimestamp", got.brief())?;
    }
    Ok(())
}
