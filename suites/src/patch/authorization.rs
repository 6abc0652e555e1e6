//! Authorization of patches.

use crate::patch_types;
use crate::prelude::*;
use crate::restricted_user::User;
use crate::string_map;
use crate::unchanged_object::expect_absent;

rows![patch_authorized_as_patch.own_kinds(), patch_apply_create_needs_create.own_kinds()];

async fn patch_authorized_as_patch(cx: Context, ConfigMaps(collection): ConfigMaps) -> Checked {
    let created = string_map::create(&collection, "a", &[("k", "v")]).await?;
    let updater = User::who_may(&cx, &collection, "updater", &["update"]).await?;
    let unchanged = || Request::put(collection.path_of("a"), created.json());
    updater.wait_for_grant(&cx, unchanged).await?;

    let merge = || patch_types::patch(&collection, "a", MERGE, &string_map::set(&collection, "k", "w"));
    let list = string_map::operations(&collection, r#"[{"op":"replace","path":"@/k","value":"x"}]"#);
    for request in [merge(), patch_types::raw_patch(&collection, "a", JSON, &list)] {
        let refused = cx.send(updater.sends(request)).await?;
        refused.expect_error(&[403], &["Forbidden"])?;
    }

    let patcher = User::who_may(&cx, &collection, "patcher", &["patch"]).await?;
    let patched = patcher.is_let_in(&cx, merge).await?;
    string_map::expect(&collection, &patched, &[("k", Some("w"))])
}

async fn patch_apply_create_needs_create(cx: Context, ConfigMaps(collection): ConfigMaps) -> Checked {
    let first = patch_types::apply(
        &collection,
        "a",
        "kube-assay",
        &string_map::body(&collection, "a", &[("k", "v")]),
    );
    patch_types::applies(&cx, &*cx.send(first).await?)?;
    let patcher = User::who_may(&cx, &collection, "patcher", &["patch"]).await?;
    let apply = |name: &str| {
        patch_types::apply(
            &collection,
            name,
            "kube-assay-patcher",
            &string_map::body(&collection, name, &[("n", "1")]),
        )
    };

    patcher.is_let_in(&cx, || apply("a")).await?.object()?;
    let refused = cx.send(patcher.sends(apply("new"))).await?;

    refused.expect_error(&[403], &["Forbidden"])?;
    expect_absent(&collection, "new").await
}
