//! The paths of subresources.

use super::expect_same;
use crate::pods;
use crate::prelude::*;

rows![
    resource_uris_namespace_subresource.with_status(),
    resource_uris_no_cross_resource_subresource.with_status(),
    resource_uris_eviction.own_kinds(),
];

async fn resource_uris_namespace_subresource(cx: Context, stored: StoredObject) -> Checked {
    let nowhere = stored.collection.within(&cx.own_name("nowhere"));

    expect_same(&*cx.send(Request::get(stored.collection.status_path_of(NAME))).await?, &stored.read)?;
    cx.send(Request::get(nowhere.status_path_of(NAME))).await?.expect_status(&[404])
}

/// The path is that of an object named `status`.
async fn resource_uris_no_cross_resource_subresource(cx: Context, stored: StoredObject) -> Checked {
    let path = format!("{}/status", stored.collection.path());

    let got = cx.send(Request::get(path)).await?;

    let named = got.json().is_some_and(|object| object["metadata"]["name"] == "status");
    got.expect(got.status() == 404 || named, "HTTP 404, or the object named status", got.brief())
}

async fn resource_uris_eviction(cx: Context) -> Checked {
    let pods = pods::collection(&cx).await?;
    let created = pods::create(&cx, &pods, &pods::idle(NAME)).await?;

    let evicted = cx.send(pods::eviction(&pods, NAME)).await?;

    cx.require_feature("Eviction", evicted.status() != 404, evicted.brief())?;
    evicted.expect_status(&[200, 201])?;
    let got = pods.get(NAME).await?;
    let same = got.json().is_some_and(|pod| pod["metadata"]["uid"] == created.metadata("uid"));
    let ends = got.json().is_some_and(|pod| pod["metadata"]["deletionTimestamp"].is_string());
    got.expect(!same || ends, "no Pod, or its deletionTimestamp", got.brief())
}
