//! The media types of patches.

use crate::patch_types;
use crate::prelude::*;
use crate::unchanged_object::expect_unchanged;
use crate::{cbor, string_map};

rows![
    patch_type_chosen_by_content_type,
    patch_content_type_parameters,
    patch_type_json_accepted.also("verbs-json-patch-supported"),
    patch_type_merge_accepted,
    patch_type_strategic_accepted.own_kinds().also("verbs-strategic-merge-supported"),
    patch_type_cbor_apply.own_kinds(),
];

async fn patch_type_chosen_by_content_type(cx: Context, collection: Collection) -> Checked {
    string_map::create(&collection, "a", &[("k", "v")]).await?;
    let (object, array) = (json!({ "metadata": { "finalizers": null } }), json!([]));
    let before = collection.get("a").object().await?;

    let merged = patch_types::patched(&cx, &collection, MERGE, &object).await?;
    let no_merge = patch_types::patched(&cx, &collection, MERGE, &array).await?;
    let no_list = patch_types::patched(&cx, &collection, JSON, &object).await?;

    merged.expect_status(&[200])?;
    no_merge.expect_refusal(&[400, 422])?;
    no_list.expect_refusal(&[400, 422])?;
    expect_unchanged(&collection, "a", &before).await
}

async fn patch_content_type_parameters(cx: Context, collection: Collection) -> Checked {
    string_map::create(&collection, "a", &[("k", "v")]).await?;

    let merge = format!("{MERGE}; charset=utf-8");
    let patched =
        patch_types::patched(&cx, &collection, &merge, &string_map::set(&collection, "k", "w")).await?;

    string_map::expect_stored(&collection, "a", &patched, &[("k", Some("w"))]).await
}

async fn patch_type_json_accepted(cx: Context, collection: Collection) -> Checked {
    string_map::create(&collection, "a", &[("k", "v")]).await?;
    let operations = string_map::operations(&collection, r#"[{"op":"add","path":"@/a","value":"1"}]"#);

    let patched = cx.send(patch_types::raw_patch(&collection, "a", JSON, &operations)).await?;

    string_map::expect_taken(&collection, "a", &patched, &[("k", Some("v")), ("a", Some("1"))]).await
}

async fn patch_type_merge_accepted(cx: Context, collection: Collection) -> Checked {
    string_map::create(&collection, "a", &[("k", "v")]).await?;

    let patched =
        patch_types::patched(&cx, &collection, MERGE, &string_map::set(&collection, "a", "1")).await?;

    string_map::expect_taken(&collection, "a", &patched, &[("k", Some("v")), ("a", Some("1"))]).await
}

async fn patch_type_strategic_accepted(cx: Context, ConfigMaps(collection): ConfigMaps) -> Checked {
    string_map::create(&collection, "a", &[("k", "v")]).await?;

    let patched =
        patch_types::patched(&cx, &collection, STRATEGIC, &string_map::set(&collection, "a", "1")).await?;

    string_map::expect_taken(&collection, "a", &patched, &[("k", Some("v")), ("a", Some("1"))]).await
}

async fn patch_type_cbor_apply(cx: Context, ConfigMaps(collection): ConfigMaps) -> Checked {
    let body = string_map::body(&collection, "a", &[("k", "v")]);

    let answer = cx.send(cbor::apply(&collection, "a", "kube-assay", &body)).await?;

    answer.expect_status(&[200, 201, 415])
}
