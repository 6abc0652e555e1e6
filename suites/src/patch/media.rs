//! The forms of patches, told by their media types.

use harness::{Context, Halt, Suite};
use serde_json::json;

use crate::forms::{self, JSON, MERGE, STRATEGIC};
use crate::unchanged::expect_unchanged;
use crate::{cbor, texts};

/// Adds the scenarios of this file.
pub(super) fn add(suite: Suite) -> Suite {
    suite
        .scenario("patch-type-chosen-by-content-type", the_media_type_decides_and_not_the_body)
        .on_every_shape()
        .scenario("patch-content-type-parameters", parameters_of_the_media_type_do_not_matter)
        .on_every_shape()
        .scenario("patch-unsupported-content-type-415", other_media_types_are_refused)
        .also("verbs-patch-unknown-content-type")
        .on_every_shape()
        .scenario("patch-type-json-accepted", a_json_patch_is_taken)
        .also("verbs-json-patch-supported")
        .on_every_shape()
        .scenario("patch-type-merge-accepted", a_merge_patch_is_taken)
        .on_every_shape()
}

/// Adds what is asked of one type only.
pub(super) fn add_of_some_types(suite: Suite) -> Suite {
    suite
        .scenario("patch-type-strategic-accepted", a_strategic_merge_patch_of_a_built_in_type_is_taken)
        .also("verbs-strategic-merge-supported")
        .scenario("patch-type-strategic-custom-415", a_strategic_merge_patch_of_a_custom_type_is_refused)
        .also("verbs-strategic-merge-not-for-custom-resources")
        .scenario("patch-type-cbor-apply", an_apply_in_cbor_is_taken_or_refused)
}

async fn the_media_type_decides_and_not_the_body(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;
    texts::create(&things, "a", &[("k", "v")]).await?;
    let (object, array) = (json!({ "metadata": { "finalizers": null } }), json!([]));
    let before = things.get("a").object().await?;

    let merged = forms::patched(&cx, &things, MERGE, &object).await?;
    let no_merge = forms::patched(&cx, &things, MERGE, &array).await?;
    let no_list = forms::patched(&cx, &things, JSON, &object).await?;

    merged.expect_status(&[200])?;
    no_merge.expect_refusal(&[400, 422])?;
    no_list.expect_refusal(&[400, 422])?;
    expect_unchanged(&things, "a", &before).await
}

async fn parameters_of_the_media_type_do_not_matter(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;
    texts::create(&things, "a", &[("k", "v")]).await?;

    let merge = format!("{MERGE}; charset=utf-8");
    let patched = forms::patched(&cx, &things, &merge, &texts::set(&things, "k", "w")).await?;

    texts::expect_stored(&things, "a", &patched, &[("k", Some("w"))]).await
}

async fn other_media_types_are_refused(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;
    texts::create(&things, "a", &[("k", "v")]).await?;
    let before = things.get("a").object().await?;
    let change = texts::set(&things, "k", "w");

    for media_type in ["application/json", "application/yaml", "text/plain", ""] {
        let mut request = forms::patch(&things, "a", media_type, &change);
        if media_type.is_empty() {
            request.headers.retain(|(name, _)| name != "content-type");
        }
        let refused = cx.send(request).await?;
        refused.expect_error(&[415], &["UnsupportedMediaType"])?;
    }
    expect_unchanged(&things, "a", &before).await
}

async fn a_json_patch_is_taken(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;
    texts::create(&things, "a", &[("k", "v")]).await?;
    let operations = texts::operations(&things, r#"[{"op":"add","path":"@/a","value":"1"}]"#);

    let patched = cx.send(forms::raw_patch(&things, "a", JSON, &operations)).await?;

    texts::expect_taken(&things, "a", &patched, &[("k", Some("v")), ("a", Some("1"))]).await
}

async fn a_merge_patch_is_taken(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;
    texts::create(&things, "a", &[("k", "v")]).await?;

    let patched = forms::patched(&cx, &things, MERGE, &texts::set(&things, "a", "1")).await?;

    texts::expect_taken(&things, "a", &patched, &[("k", Some("v")), ("a", Some("1"))]).await
}

async fn a_strategic_merge_patch_of_a_built_in_type_is_taken(cx: Context) -> Result<(), Halt> {
    let things = cx.configmaps().await?;
    texts::create(&things, "a", &[("k", "v")]).await?;

    let patched = forms::patched(&cx, &things, STRATEGIC, &texts::set(&things, "a", "1")).await?;

    texts::expect_taken(&things, "a", &patched, &[("k", Some("v")), ("a", Some("1"))]).await
}

async fn a_strategic_merge_patch_of_a_custom_type_is_refused(cx: Context) -> Result<(), Halt> {
    let things = cx.custom_resources().await?;
    texts::create(&things, "a", &[("k", "v")]).await?;
    let before = things.get("a").object().await?;

    let refused = forms::patched(&cx, &things, STRATEGIC, &texts::set(&things, "k", "w")).await?;

    refused.expect_error(&[415], &["UnsupportedMediaType"])?;
    expect_unchanged(&things, "a", &before).await
}

async fn an_apply_in_cbor_is_taken_or_refused(cx: Context) -> Result<(), Halt> {
    let things = cx.configmaps().await?;
    let body = texts::body(&things, "a", &[("k", "v")]);

    let answer = cx.send(cbor::apply(&things, "a", "kube-assay", &body)).await?;

    answer.expect_status(&[200, 201, 415])
}
