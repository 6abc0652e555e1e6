//! Validation of the patched object, and its `resourceVersion`.

use std::sync::Arc;

use harness::{Checked, Collection, Context, Exchange, Halt, Row, row};
use serde_json::json;

use crate::patch_types::{self, MERGE};
use crate::string_map;
use crate::unchanged_object::{expect_rejected, expect_unchanged};

/// The scenarios of this file.
pub(super) fn rows() -> Vec<Row> {
    vec![
        row("patch-name-change-400", patch_name_change_400),
        row("patch-namespace-change-400", patch_namespace_change_400),
        row("patch-uid-change-rejected", patch_uid_change_rejected),
        row("patch-invalid-result-422", patch_invalid_result_422),
        row("patch-force-only-for-apply", patch_force_only_for_apply),
        row("patch-bumps-rv", patch_bumps_rv),
        row("patch-noop-keeps-rv", patch_noop_keeps_rv),
    ]
}

async fn patch_name_change_400(cx: Context) -> Checked {
    let things = cx.things().await?;

    let refused = identified(&cx, &things, "name", "other").await?;

    expect_rejected(&refused)
}

async fn patch_namespace_change_400(cx: Context) -> Checked {
    let things = cx.things().await?;

    let answer = identified(&cx, &things, "namespace", "other").await?;

    // Where there are no namespaces, kube-apiserver takes no notice of one.
    if things.is_namespaced() || !answer.succeeded() {
        return expect_rejected(&answer);
    }
    let (shown, stored) = (answer.object()?, things.get("a").object().await?);
    let none = shown.namespace().is_empty() && stored.namespace().is_empty();
    answer.expect(none, "an object without a namespace", stored.namespace())
}

async fn patch_uid_change_rejected(cx: Context) -> Checked {
    let things = cx.things().await?;

    let refused = identified(&cx, &things, "uid", "00000000-0000-4000-8000-000000000000").await?;

    expect_rejected(&refused)
}

/// The answer to a patch that gives an object something else to be known by; the object stays as it was.
async fn identified(
    cx: &Context,
    things: &Collection,
    field: &str,
    value: &str,
) -> Result<Arc<Exchange>, Halt> {
    string_map::create(things, "a", &[("k", "v")]).await?;
    let before = things.get("a").object().await?;

    let answer = patch_types::patched(cx, things, MERGE, &json!({ "metadata": { field: value } })).await?;

    expect_unchanged(things, "a", &before).await?;
    Ok(answer)
}

async fn patch_invalid_result_422(cx: Context) -> Checked {
    let things = cx.things().await?;
    string_map::create(&things, "a", &[("k", "v")]).await?;
    let before = things.get("a").object().await?;
    let invalid = json!({ "metadata": { "labels": { "bad key!": "v" } } });

    let refused = patch_types::patched(&cx, &things, MERGE, &invalid).await?;

    refused.expect_error(&[422], &["Invalid"])?;
    expect_unchanged(&things, "a", &before).await
}

async fn patch_force_only_for_apply(cx: Context) -> Checked {
    let things = cx.things().await?;
    string_map::create(&things, "a", &[("k", "v")]).await?;
    let before = things.get("a").object().await?;
    let change = string_map::set(&things, "k", "w");

    for force in ["true", "false"] {
        let refused = cx.send(patch_types::patch(&things, "a", MERGE, &change).query("force", force)).await?;
        refused.expect_error(&[422], &["Invalid"])?;
    }
    expect_unchanged(&things, "a", &before).await
}

async fn patch_bumps_rv(cx: Context) -> Checked {
    let things = cx.things().await?;
    string_map::create(&things, "a", &[("k", "v")]).await?;
    let before = things.get("a").object().await?;

    let patched = patch_types::patched(&cx, &things, MERGE, &string_map::set(&things, "k", "w")).await?;

    let (shown, stored) = (patched.object()?, things.get("a").object().await?);
    let another = format!("another version than {}", before.version());
    patched.expect(shown.version() != before.version(), another, shown.version())?;
    let same = shown.version() == stored.version();
    patched.expect(same, format!("version {}, as is stored", stored.version()), shown.version())
}

async fn patch_noop_keeps_rv(cx: Context) -> Checked {
    let things = cx.things().await?;
    let created = string_map::create(&things, "a", &[("k", "v")]).await?;
    let change = string_map::set(&things, "k", "w");
    let first = patch_types::patched(&cx, &things, MERGE, &change).await?.written()?;
    let only = format!("metadata.name={}", created.name());
    let mut watch = things.watch().fields(&only).at(first.version()).open().await?;

    let again = patch_types::patched(&cx, &things, MERGE, &change).await?;

    let shown = again.object()?;
    again.expect(
        shown.version() == first.version(),
        format!("version {} as before: nothing has changed", first.version()),
        shown.version(),
    )?;
    let next =
        patch_types::patched(&cx, &things, MERGE, &string_map::set(&things, "k", "x")).await?.written()?;
    let told = watch.event_or_fail("the next change").await?;
    if told.kind == "MODIFIED" && told.object.version() == next.version() {
        return Ok(());
    }
    Err(watch.fail(format!("the next change, MODIFIED at {}", next.version()), told.brief()))
}
