//! Deletions with preconditions.

use crate::prelude::*;

rows![concurrency_delete_precondition_resourceversion, concurrency_delete_precondition_uid];

async fn concurrency_delete_precondition_resourceversion(cx: Context, stored: StoredObject) -> Checked {
    stored.write("second").await?;
    let changed = stored.again().await?;
    let at = |stored: &StoredObject| {
        stored.delete(&json!({ "preconditions": { "resourceVersion": stored.read.version() } }))
    };

    cx.send(at(&stored)).await?.expect_error(&[409], &["Conflict"])?;
    changed.expect_unchanged().await?;

    cx.send(at(&changed)).await?.expect_status(&[200, 202])?;
    changed.expect_gone().await
}

async fn concurrency_delete_precondition_uid(cx: Context, earlier: StoredObject) -> Checked {
    earlier.collection.delete(NAME).await?;
    let namesake = StoredObject::create_among(&cx, earlier.collection.clone()).await?;

    let precondition = json!({ "preconditions": { "uid": earlier.read.metadata("uid") } });
    cx.send(namesake.delete(&precondition)).await?.expect_error(&[409], &["Conflict"])?;

    namesake.expect_unchanged().await
}
