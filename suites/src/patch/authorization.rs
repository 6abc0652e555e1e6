//! Authorization of patches.

use crate::patch_types;
use crate::prelude::*;
use crate::restricted_user::User;
use crate::string_map;

rows![
    patch_authorized_as_patch.own_kinds().also("resource-uris-patch-is-patch"),
    patch_apply_create_needs_create.own_kinds()
];

async fn patch_authorized_as_patch(cx: Context, ConfigMaps(collection): ConfigMaps) -> Checked {
    let created = string_map::create(&collection, "a", &[("k", "v")]).await?;
    let updater = User::with_verbs(&cx, &collection, "updater", &["update"]).await?;
    let no_change = || Request::put(collection.path_of("a"), created.json());
    updater.wait_for_grant(&cx, no_change).await?;

    let merge = || patch_types::patch(&collection, "a", MERGE, &string_map::set(&collection, "k", "w"));
    let json = string_map::operations(&collection, r#"[{"op":"replace","path":"@/k","value":"x"}]"#);
    for request in [merge(), patch_types::raw_patch(&collection, "a", JSON, &json)] {
        cx.send(updater.sends(request)).await?.expect_error(&[403], &["Forbidden"])?;
    }

    let patcher = User::with_verbs(&cx, &collection, "patcher", &["patch"]).await?;
    let patched = patcher.send_until_allowed(&cx, merge).await?;
    string_map::expect(&collection, &patched, &[("k", Some("w"))])
}

async fn patch_apply_create_needs_create(cx: Context, ConfigMaps(collection): ConfigMaps) -> Checked {
    let apply = |name: &str, manager: &str, text: (&str, &str)| {
        patch_types::apply(&collection, name, manager, &string_map::body(&collection, name, &[text]))
    };
    patch_types::applies(&cx, &*cx.send(apply("a", "kube-assay", ("k", "v"))).await?)?;
    let patcher = User::with_verbs(&cx, &collection, "patcher", &["patch"]).await?;
    let apply = |name: &str| apply(name, "kube-assay-patcher", ("n", "1"));

    patcher.send_until_allowed(&cx, || apply("a")).await?.object()?;
    cx.send(patcher.sends(apply("new"))).await?.expect_error(&[403], &["Forbidden"])?;
    expect_absent(&collection, "new").await
}
