//! DELETE of one object.

use crate::prelude::*;

rows![verbs_delete_element, verbs_delete_accepts_grace_period];

/// Who deletes what begins with a name deletes this, too.
const NAMESAKE: &str = "ab";

async fn verbs_delete_element(cx: Context, stored: StoredObject) -> Checked {
    let other = stored.collection.create(NAMESAKE).await?;
    let mut watch = stored.watch().await?;

    let deleted = cx.send(Request::delete(stored.path())).await?;

    expect_deleted(&stored, &deleted).await?;
    stored.collection.get(NAMESAKE).await?.expect_status(&[200])?;
    watch.expect("DELETED", stored.read.name()).await?;
    // It is told once: next comes what happens next.
    stored.collection.create(NAME).await?;
    watch.expect("ADDED", stored.read.name()).await?;
    let still = stored.collection.get(NAMESAKE).await?;
    let uid = still.object()?.metadata("uid").to_owned();
    still.expect(uid == other.metadata("uid"), format!("{} as before", other.name()), uid)
}

async fn expect_deleted(stored: &StoredObject, deleted: &Arc<Exchange>) -> Checked {
    deleted.expect_status(&[200, 202])?;
    stored.expect_gone().await
}

async fn verbs_delete_accepts_grace_period(cx: Context, stored: StoredObject) -> Checked {
    let deleted = cx.send(stored.delete(&json!({ "gracePeriodSeconds": 0 }))).await?;
    expect_deleted(&stored, &deleted).await?;

    let stored = StoredObject::create_among(&cx, stored.collection).await?;
    let deleted = cx.send(Request::delete(stored.path()).query("gracePeriodSeconds", 0)).await?;
    expect_deleted(&stored, &deleted).await
}
