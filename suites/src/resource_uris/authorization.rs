//! Authorization by verb and by namespace.

use crate::prelude::*;
use crate::restricted_user::User;

rows![resource_uris_list_verb.own_kinds(), resource_uris_namespace_authz.own_kinds()];

async fn resource_uris_list_verb(cx: Context, ConfigMaps(collection): ConfigMaps) -> Checked {
    collection.create(NAME).await?;
    let user = User::with_verbs(&cx, &collection, "reader", &["get"]).await?;
    user.wait_for_grant(&cx, || Request::get(collection.path_of(NAME))).await?;

    let listed = cx.send(user.sends(Request::get(collection.path()))).await?;

    listed.expect_error(&[403], &["Forbidden"]).map(drop)
}

async fn resource_uris_namespace_authz(cx: Context, ConfigMaps(collection): ConfigMaps) -> Checked {
    let user = User::with_verbs(&cx, &collection, "lister", &["list"]).await?;
    user.wait_for_grant(&cx, || Request::get(collection.path())).await?;

    for other in [collection.within(&cx.own_name("nowhere")), collection.everywhere()] {
        let listed = cx.send(user.sends(Request::get(other.path()).query("limit", 1))).await?;
        listed.expect_error(&[403], &["Forbidden"])?;
    }
    Ok(())
}
