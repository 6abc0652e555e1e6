//! Who may patch: the verb is `patch`, whatever the form, and an apply that creates needs `create` as well.

use harness::{Checked, Context, Request, Row, row};

use crate::forms::{self, JSON, MERGE};
use crate::texts;
use crate::unchanged::expect_absent;
use crate::user::User;

/// The scenarios of this file.
pub(super) fn rows() -> Vec<Row> {
    vec![
        row("patch-authorized-as-patch", patch_authorized_as_patch).own_kinds(),
        row("patch-apply-create-needs-create", patch_apply_create_needs_create).own_kinds(),
    ]
}

async fn patch_authorized_as_patch(cx: Context) -> Checked {
    let things = cx.configmaps().await?;
    let created = texts::create(&things, "a", &[("k", "v")]).await?;
    let updater = User::who_may(&cx, &things, "updater", &["update"]).await?;
    let unchanged = || Request::put(things.path_of("a"), created.json());
    updater.wait_for_grant(&cx, unchanged).await?;

    let merge = || forms::patch(&things, "a", MERGE, &texts::set(&things, "k", "w"));
    let list = texts::operations(&things, r#"[{"op":"replace","path":"@/k","value":"x"}]"#);
    for request in [merge(), forms::raw_patch(&things, "a", JSON, &list)] {
        let refused = cx.send(updater.sends(request)).await?;
        refused.expect_error(&[403], &["Forbidden"])?;
    }

    let patcher = User::who_may(&cx, &things, "patcher", &["patch"]).await?;
    let patched = patcher.is_let_in(&cx, merge).await?;
    texts::expect(&things, &patched, &[("k", Some("w"))])
}

async fn patch_apply_create_needs_create(cx: Context) -> Checked {
    let things = cx.configmaps().await?;
    let first = forms::apply(&things, "a", "kube-assay", &texts::body(&things, "a", &[("k", "v")]));
    forms::applies(&cx, &*cx.send(first).await?)?;
    let patcher = User::who_may(&cx, &things, "patcher", &["patch"]).await?;
    let apply = |name: &str| {
        forms::apply(&things, name, "kube-assay-patcher", &texts::body(&things, name, &[("n", "1")]))
    };

    patcher.is_let_in(&cx, || apply("a")).await?.object()?;
    let refused = cx.send(patcher.sends(apply("new"))).await?;

    refused.expect_error(&[403], &["Forbidden"])?;
    expect_absent(&things, "new").await
}
