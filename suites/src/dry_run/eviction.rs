//! Dry runs of evictions.

use super::dry;
use crate::pods;
use crate::prelude::*;

rows![dryrun_subresource_not_persisted.own_kinds()];

async fn dryrun_subresource_not_persisted(cx: Context) -> Checked {
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
