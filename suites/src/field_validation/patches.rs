//! Field validation of patches at level Strict.
//!
//! The text documents 400 for all verbs; kube-apiserver rejects patches with 422.

use super::strict::created;
use super::{UNKNOWN, at};
use crate::patch_types::{self, raw_patch};
use crate::prelude::*;
use crate::unchanged_object::{expect_rejected, expect_same_content, expect_unchanged};
use crate::{deployments, string_map};

rows![fieldval_strict_jsonpatch_op_member, fieldval_strict_smp_unknown.own_kinds()];

async fn fieldval_strict_jsonpatch_op_member(cx: Context, collection: Collection) -> Checked {
    let before = created(&collection).await?;
    let list = r#"[{"op":"replace","path":"@/k","value":"w","assayUnknown":1}]"#;
    let patch = raw_patch(&collection, "a", JSON, &string_map::operations(&collection, list));

    expect_rejected(&*cx.send(at("Strict", patch.clone())).await?)?;
    expect_unchanged(&collection, "a", &before).await?;

    let patched = cx.send(patch).await?;
    string_map::expect_stored(&collection, "a", &patched, &[("k", Some("w"))]).await
}

async fn fieldval_strict_smp_unknown(cx: Context, collection: Deployments) -> Checked {
    collection.create_body(&deployments::body("a")).await?;
    let before = collection.get("a").object().await?;

    let patch = patch_types::patch(&collection, "a", STRATEGIC, &json!({ "spec": { UNKNOWN: 1 } }));
    let refused = cx.send(at("Strict", patch)).await?;

    expect_rejected(&refused)?;
    // A controller may have written the status.
    expect_same_content(&collection, "a", &before).await
}
