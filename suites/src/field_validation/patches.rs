//! Field validation of patches at level Strict.
//!
//! The text says 400 of all verbs; kube-apiserver answers patches with 422.

use super::strict::created;
use super::{UNKNOWN, at};
use crate::patch_types;
use crate::prelude::*;
use crate::unchanged_object::{content, expect_rejected, expect_unchanged};
use crate::{deployments, string_map};

rows![fieldval_strict_jsonpatch_op_member, fieldval_strict_smp_unknown.own_kinds()];

async fn fieldval_strict_jsonpatch_op_member(cx: Context, collection: Collection) -> Checked {
    let list = r#"[{"op":"replace","path":"@/k","value":"w","assayUnknown":1}]"#;
    let list = string_map::operations(&collection, list);
    is_refused(&cx, &collection, JSON, &list).await?;

    let patched = cx.send(patch_types::raw_patch(&collection, "a", JSON, &list)).await?;

    string_map::expect_stored(&collection, "a", &patched, &[("k", Some("w"))]).await
}

async fn fieldval_strict_smp_unknown(cx: Context, Deployments(collection): Deployments) -> Checked {
    collection.create_body(&deployments::body("a")).await?;
    let before = collection.get("a").object().await?;
    let patch: Value = json!({ "spec": { UNKNOWN: 1 } });

    let refused = strictly(&cx, &collection, STRATEGIC, &patch.to_string()).await?;

    expect_rejected(&refused)?;
    // A controller may have written its status.
    let after = collection.get("a").object().await?;
    let same = content(&after) == content(&before);
    refused.expect(same, format!("a unchanged: {}", content(&before)), content(&after).to_string())
}

/// A patch of the object `a`, which is created first, is refused and changes nothing.
async fn is_refused(cx: &Context, collection: &Collection, form: &str, body: &str) -> Checked {
    let before = created(collection).await?;

    let refused = strictly(cx, collection, form, body).await?;

    expect_rejected(&refused)?;
    expect_unchanged(collection, "a", &before).await
}

async fn strictly(
    cx: &Context,
    collection: &Collection,
    form: &str,
    body: &str,
) -> Result<Arc<Exchange>, Halt> {
    cx.send(at("Strict", patch_types::raw_patch(collection, "a", form, body))).await
}
