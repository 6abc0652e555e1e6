//! Authorization of the status subresource, apart from the object.

use super::{expect_stored_status, with_status};
use crate::prelude::*;
use crate::restricted_user::User;

rows![spec_status_access_can_differ.with_status()];

async fn spec_status_access_can_differ(cx: Context, stored: StoredObject) -> Checked {
    let collection = &stored.collection;
    let status = format!("{}/status", collection.resource().plural);
    let found = User::who_may_with(&cx, collection, "status", (&status, &["update"])).await?;
    let body = with_status(&stored, "seen")?;
    let put_status = || Request::put(collection.status_path_of(NAME), &body);

    found.wait_for_grant(&cx, put_status).await?;
    expect_stored_status(&stored, Some("seen")).await?;
    let stored = stored.again().await?;
    let put = Request::put(stored.path(), stored.read.json());
    cx.send(found.sends(put)).await?.expect_error(&[403], &["Forbidden"])?;

    let wanted = User::who_may(&cx, &stored.collection, "main", &["update"]).await?;
    wanted.wait_for_grant(&cx, || Request::put(stored.path(), stored.read.json())).await?;
    let put = Request::put(stored.collection.status_path_of(NAME), &with_status(&stored, "other")?);
    cx.send(wanted.sends(put)).await?.expect_error(&[403], &["Forbidden"])?;
    expect_stored_status(&stored, Some("seen")).await
}
