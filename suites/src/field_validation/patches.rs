//! Patches under Strict: what would become of the object is checked, and the patch itself.
//!
//! The text says 400 of all verbs; kube-apiserver answers patches with 422.

use std::sync::Arc;

use harness::{Collection, Context, Exchange, Halt, Suite};
use serde_json::{Value, json};

use super::strict::created;
use super::{UNKNOWN, at};
use crate::forms::{self, JSON, MERGE, STRATEGIC};
use crate::unchanged::{content, expect_rejected, expect_unchanged};
use crate::{deployments, texts};

/// Adds the scenarios of this file.
pub(super) fn add(suite: Suite) -> Suite {
    suite
        .scenario("fieldval-strict-jsonpatch-unknown", the_result_of_a_json_patch_is_checked)
        .on_every_shape()
        .scenario("fieldval-strict-jsonpatch-op-member", the_operations_of_a_json_patch_are_checked)
        .on_every_shape()
        .scenario("fieldval-strict-mergepatch-unknown", a_merge_patch_is_checked_for_unknown_fields)
        .on_every_shape()
        .scenario("fieldval-strict-mergepatch-duplicate", a_merge_patch_is_checked_for_duplicate_fields)
        .on_every_shape()
}

/// Adds the scenario about a form of patch that only built-in types have.
pub(super) fn add_built_in(suite: Suite) -> Suite {
    suite.scenario("fieldval-strict-smp-unknown", a_strategic_merge_patch_is_checked)
}

async fn the_result_of_a_json_patch_is_checked(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;
    let list = json!([{ "op": "add", "path": format!("/{UNKNOWN}"), "value": 1 }]);

    is_refused(&cx, &things, JSON, &list.to_string()).await
}

async fn the_operations_of_a_json_patch_are_checked(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;
    let list = r#"[{"op":"replace","path":"@/k","value":"w","assayUnknown":1}]"#;
    let list = texts::operations(&things, list);
    is_refused(&cx, &things, JSON, &list).await?;

    let patched = cx.send(forms::raw_patch(&things, "a", JSON, &list)).await?;

    texts::expect_stored(&things, "a", &patched, &[("k", Some("w"))]).await
}

async fn a_merge_patch_is_checked_for_unknown_fields(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;
    let mut patch = texts::set(&things, "k", "w");
    patch[UNKNOWN] = json!(1);

    is_refused(&cx, &things, MERGE, &patch.to_string()).await
}

async fn a_merge_patch_is_checked_for_duplicate_fields(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;
    let patch = texts::set(&things, "k", "w").to_string();
    let twice = patch.replacen(r#""k":"w""#, r#""k":"1","k":"w""#, 1);

    is_refused(&cx, &things, MERGE, &twice).await
}

async fn a_strategic_merge_patch_is_checked(cx: Context) -> Result<(), Halt> {
    let things = deployments::collection(&cx).await?;
    things.create_body(&deployments::body("a")).await?;
    let before = things.get("a").object().await?;
    let patch: Value = json!({ "spec": { UNKNOWN: 1 } });

    let refused = strictly(&cx, &things, STRATEGIC, &patch.to_string()).await?;

    expect_rejected(&refused)?;
    // A controller may have written its status.
    let after = things.get("a").object().await?;
    let same = content(&after) == content(&before);
    refused.expect(same, format!("a unchanged: {}", content(&before)), content(&after).to_string())
}

/// A patch of the object `a`, which is created first, is refused and changes nothing.
async fn is_refused(cx: &Context, things: &Collection, form: &str, body: &str) -> Result<(), Halt> {
    let before = created(things).await?;

    let refused = strictly(cx, things, form, body).await?;

    expect_rejected(&refused)?;
    expect_unchanged(things, "a", &before).await
}

async fn strictly(cx: &Context, things: &Collection, form: &str, body: &str) -> Result<Arc<Exchange>, Halt> {
    cx.send(at("Strict", forms::raw_patch(things, "a", form, body))).await
}
