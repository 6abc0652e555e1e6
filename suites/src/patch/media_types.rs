//! The media types of patches.

use super::PatchFixture;
use crate::prelude::*;
use crate::{cbor, string_map};

rows![
    patch_type_chosen_by_content_type,
    patch_content_type_parameters,
    patch_type_json_accepted.also("verbs-json-patch-supported"),
    patch_type_merge_accepted,
    patch_type_strategic_accepted.own_kinds().also("verbs-strategic-merge-supported"),
    patch_type_cbor_apply.own_kinds(),
];

async fn patch_type_chosen_by_content_type(fixture: PatchFixture) -> Checked {
    let (object, array) = (json!({ "metadata": { "finalizers": null } }), json!([]));

    let merge = fixture.patch(MERGE, &object).await?;
    let merge_of_array = fixture.patch(MERGE, &array).await?;
    let json_of_object = fixture.patch(JSON, &object).await?;

    merge.expect_status(&[200])?;
    merge_of_array.expect_rejection(&[400, 422])?;
    json_of_object.expect_rejection(&[400, 422])?;
    fixture.stored.expect_unchanged().await
}

async fn patch_content_type_parameters(fixture: PatchFixture) -> Checked {
    let change = string_map::set(&fixture.stored.collection, "k", "w");

    let response = fixture.patch(&format!("{MERGE}; charset=utf-8"), &change).await?;

    fixture.expect_stored(&response, &[("k", Some("w"))]).await
}

async fn patch_type_json_accepted(fixture: PatchFixture) -> Checked {
    let response = fixture.operations(r#"[{"op":"add","path":"@/a","value":"1"}]"#).await?;

    expect_added(&fixture, &response).await
}

async fn patch_type_merge_accepted(fixture: PatchFixture) -> Checked {
    let response = fixture.set("a", "1").await?;

    expect_added(&fixture, &response).await
}

async fn patch_type_strategic_accepted(cx: Context, ConfigMaps(collection): ConfigMaps) -> Checked {
    let fixture = PatchFixture::create(&cx, collection, &[("k", "v")]).await?;
    let change = string_map::set(&fixture.stored.collection, "a", "1");

    let response = fixture.patch(STRATEGIC, &change).await?;

    expect_added(&fixture, &response).await
}

/// The patch succeeds, and adds the text `a: 1`.
async fn expect_added(fixture: &PatchFixture, response: &Exchange) -> Checked {
    let texts = [("k", Some("v")), ("a", Some("1"))];
    string_map::expect_taken(&fixture.stored.collection, NAME, response, &texts).await
}

async fn patch_type_cbor_apply(cx: Context, ConfigMaps(collection): ConfigMaps) -> Checked {
    let body = string_map::body(&collection, NAME, &[("k", "v")]);

    let response = cx.send(cbor::apply(&collection, NAME, "kube-assay", &body)).await?;

    response.expect_status(&[200, 201, 415])
}
