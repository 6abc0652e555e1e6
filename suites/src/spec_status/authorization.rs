//! Authorization of the status subresource, apart from the object.

use super::{expect_stored_status, with_status};
use crate::prelude::*;
use crate::restricted_user::User;

rows![spec_status_access_can_differ.with_status().also("resource-uris-subresources-fine-grained")];

async fn spec_status_access_can_differ(cx: Context, stored: StoredObject) -> Checked {
    let collection = &stored.collection;
    let status = format!("{}/status", collection.resource().plural);
    let status_user = User::with_verbs_on(&cx, collection, "status", (&status, &["update"])).await?;
    let body = with_status(&stored, "seen")?;
    let put_status = || Request::put(collection.status_path_of(NAME), &body);

    status_user.wait_for_grant(&cx, put_status).await?;
    expect_stored_status(&stored, Some("seen")).await?;
    let stored = stored.again().await?;
    let put = || Request::put(stored.path(), stored.read.json());
    cx.send(status_user.sends(put())).await?.expect_error(&[403], &["Forbidden"])?;

    let spec_user = User::with_verbs(&cx, &stored.collection, "main", &["update"]).await?;
    spec_user.wait_for_grant(&cx, put).await?;
    let put = Request::put(stored.collection.status_path_of(NAME), &with_status(&stored, "other")?);
    cx.send(spec_user.sends(put)).await?.expect_error(&[403], &["Forbidden"])?;
    expect_stored_status(&stored, Some("seen")).await
}
