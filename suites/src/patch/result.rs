//! Validation of the patched object, and its `resourceVersion`.

use crate::patch_types;
use crate::prelude::*;
use crate::string_map;
use crate::unchanged_object::{expect_rejected, expect_unchanged};

rows![patch_namespace_change_400, patch_bumps_rv, patch_noop_keeps_rv];

async fn patch_namespace_change_400(cx: Context, collection: Collection) -> Checked {
    string_map::create(&collection, "a", &[("k", "v")]).await?;
    let before = collection.get("a").object().await?;

    let elsewhere = json!({ "metadata": { "namespace": "other" } });
    let answer = patch_types::patched(&cx, &collection, MERGE, &elsewhere).await?;

    expect_unchanged(&collection, "a", &before).await?;

    // Where there are no namespaces, kube-apiserver takes no notice of one.
    if collection.is_namespaced() || !answer.succeeded() {
        return expect_rejected(&answer);
    }
    let (shown, stored) = (answer.object()?, collection.get("a").object().await?);
    let none = shown.namespace().is_empty() && stored.namespace().is_empty();
    answer.expect(none, "an object without a namespace", stored.namespace())
}

async fn patch_bumps_rv(cx: Context, collection: Collection) -> Checked {
    string_map::create(&collection, "a", &[("k", "v")]).await?;
    let before = collection.get("a").object().await?;

    let patched =
        patch_types::patched(&cx, &collection, MERGE, &string_map::set(&collection, "k", "w")).await?;

    let (shown, stored) = (patched.object()?, collection.get("a").object().await?);
    let another = format!("another version than {}", before.version());
    patched.expect(shown.version() != before.version(), another, shown.version())?;
    let same = shown.version() == stored.version();
    patched.expect(same, format!("version {}, as is stored", stored.version()), shown.version())
}

async fn patch_noop_keeps_rv(cx: Context, collection: Collection) -> Checked {
    let created = string_map::create(&collection, "a", &[("k", "v")]).await?;
    let change = string_map::set(&collection, "k", "w");
    let first = patch_types::patched(&cx, &collection, MERGE, &change).await?.written()?;
    let only = format!("metadata.name={}", created.name());
    let mut watch = collection.watch().fields(&only).at(first.version()).open().await?;

    let again = patch_types::patched(&cx, &collection, MERGE, &change).await?;

    let shown = again.object()?;
    again.expect(
        shown.version() == first.version(),
        format!("version {} as before: nothing has changed", first.version()),
        shown.version(),
    )?;
    let next = patch_types::patched(&cx, &collection, MERGE, &string_map::set(&collection, "k", "x"))
        .await?
        .written()?;
    let told = watch.event_or_fail("the next change").await?;
    if told.kind == "MODIFIED" && told.object.version() == next.version() {
        return Ok(());
    }
    Err(watch.fail(format!("the next change, MODIFIED at {}", next.version()), told.brief()))
}
