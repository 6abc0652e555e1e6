//! Patches with and without a `resourceVersion`.

use crate::prelude::*;

/// The number of concurrent patches.
const WRITERS: usize = 20;

/// The maximum number of attempts for one patch.
const ATTEMPTS: usize = 10;

rows![concurrency_patch_with_resourceversion, concurrency_patch_without_resourceversion];

fn annotated(name: &str, version: Option<&str>) -> Value {
    let mut patch = json!({ "metadata": { "annotations": { name: "patched" } } });
    if let Some(version) = version {
        patch["metadata"]["resourceVersion"] = version.into();
    }
    patch
}

async fn concurrency_patch_with_resourceversion(cx: Context, stored: StoredObject) -> Checked {
    stored.write("second").await?;
    let changed = stored.again().await?;

    let stale = Request::merge_patch(stored.path(), &annotated("stale", Some(stored.read.version())));
    cx.send(stale).await?.expect_error(&[409], &["Conflict"])?;
    changed.expect_unchanged().await?;

    let current = Request::merge_patch(stored.path(), &annotated("current", Some(changed.read.version())));
    cx.send(current).await?.expect_status(&[200])
}

async fn concurrency_patch_without_resourceversion(cx: Context, stored: StoredObject) -> Checked {
    let names: Vec<_> = (0..WRITERS).map(|writer| format!("writer-{writer}")).collect();

    try_join_all(names.iter().map(|name| patch(&cx, &stored, name))).await?;

    let got = stored.get().await?;
    let object = got.object()?;
    let annotations = &object.json()["metadata"]["annotations"];
    let lost: Vec<_> = names.iter().filter(|name| annotations[name.as_str()] != "patched").cloned().collect();
    got.expect(
        lost.is_empty(),
        "the annotations of all patches",
        format!("no annotation {}", lost.join(", ")),
    )
}

/// Sends a patch without a resourceVersion. A busy server may return 409, but not always.
async fn patch(cx: &Context, stored: &StoredObject, name: &str) -> Checked {
    let request = Request::merge_patch(stored.path(), &annotated(name, None));
    for _ in 1..ATTEMPTS {
        let patched = cx.send(request.clone()).await?;
        if patched.status() != 409 {
            return patched.expect_status(&[200]);
        }
        cx.note("the server returned 409 for a patch without a resourceVersion; kube-assay sent it again");
    }
    cx.send(request).await?.expect_status(&[200])
}
