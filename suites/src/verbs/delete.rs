//! DELETE of one object.

use crate::prelude::*;

rows![verbs_delete_element, verbs_delete_accepts_grace_period];

/// The name of the object as prefix: a server that deletes by prefix deletes this object, too.
const LONGER: &str = "ab";

async fn verbs_delete_element(cx: Context, stored: StoredObject) -> Checked {
    let other = stored.collection.create(LONGER).await?;
    let mut watch = stored.watch().await?;

    expect_deleted(&cx, &stored, Request::delete(stored.path())).await?;
    stored.collection.get(LONGER).await?.expect_status(&[200])?;
    watch.expect("DELETED", stored.read.name()).await?;
    // One event: the next is that of the next change.
    stored.collection.create(NAME).await?;
    watch.expect("ADDED", stored.read.name()).await?;
    let got = stored.collection.get(LONGER).await?;
    let uid = got.object()?.metadata("uid").to_owned();
    got.expect(uid == other.metadata("uid"), format!("{} as before", other.name()), uid)
}

async fn expect_deleted(cx: &Context, stored: &StoredObject, delete: Request) -> Checked {
    cx.send(delete).await?.expect_status(&[200, 202])?;
    stored.expect_gone().await
}

async fn verbs_delete_accepts_grace_period(cx: Context, stored: StoredObject) -> Checked {
    expect_deleted(&cx, &stored, stored.delete(&json!({ "gracePeriodSeconds": 0 }))).await?;

    stored.collection.create(NAME).await?;
    let delete = Request::delete(stored.path()).query("gracePeriodSeconds", 0);
    expect_deleted(&cx, &stored, delete).await
}
