//! Writes to the main endpoint, which leave the status alone.

use super::{create_with_status, expect_status_value, expect_stored_status, with_status};
use crate::patch_types;
use crate::prelude::*;

rows![
    spec_status_main_endpoint_keeps_status.with_status(),
    spec_status_post_ignores_status.with_status(),
    spec_status_put_ignores_status.with_status(),
    spec_status_patch_ignores_status.with_status(),
];

async fn spec_status_main_endpoint_keeps_status(cx: Context) -> Checked {
    let stored = create_with_status(&cx, "kept").await?;
    let mut change = stored.collection.status_change("other")?;
    patch_types::merge_in(&mut change, &stored.collection.change("second"));

    let put = stored.put(&stored.read.with(&change)?).await?;

    put.expect_status(&[200])?;
    stored.expect_value("second").await?;
    expect_stored_status(&stored, Some("kept")).await
}

async fn spec_status_post_ignores_status(cx: Context, collection: Collection) -> Checked {
    let mut body = collection.body(NAME, "first");
    patch_types::merge_in(&mut body, &collection.status_change("given")?);

    let created = cx.send(Request::post(collection.path(), &body)).await?;

    created.expect_status(&[201])?;
    let stored = StoredObject::read(&cx, collection).await?;
    expect_status_value(&stored, &created, None)?;
    expect_stored_status(&stored, None).await
}

async fn spec_status_put_ignores_status(cx: Context) -> Checked {
    let stored = create_with_status(&cx, "kept").await?;

    stored.put(&stored.body("second")).await?.expect_status(&[200])?;
    expect_stored_status(&stored, Some("kept")).await?;
    let stored = stored.again().await?;
    stored.put(&with_status(&stored, "other")?).await?.expect_status(&[200])?;

    expect_stored_status(&stored, Some("kept")).await
}

async fn spec_status_patch_ignores_status(cx: Context) -> Checked {
    let stored = create_with_status(&cx, "kept").await?;
    let at = stored.collection.resource_under_test().status_at().unwrap_or_default();
    let replace: Value = json!([{ "op": "replace", "path": at, "value": "other" }]);

    let merged = cx.send(stored.patch(MERGE, &stored.collection.status_change("other")?)).await?;
    merged.expect_status(&[200])?;
    expect_stored_status(&stored, Some("kept")).await?;
    // 422 where the server removes the status before it applies the patch.
    let replaced = cx.send(stored.patch(JSON, &replace)).await?;
    replaced.expect_status(&[200, 422])?;

    expect_stored_status(&stored, Some("kept")).await
}
