//! JSON Merge Patch, and the response to a patch.

use super::json::expect_finalizers;
use crate::finalizers::{self, HOLD, STAY, WAIT, and_release};
use crate::patch_types;
use crate::prelude::*;
use crate::string_map;
use crate::unchanged_object::content;

rows![
    patch_changes_existing_object,
    patch_merge_combines.also("verbs-merge-patch-supported"),
    patch_merge_null_deletes.also("verbs-merge-patch-null-removes"),
    patch_merge_replaces_lists.also("verbs-merge-patch-arrays-replaced"),
];

async fn patch_changes_existing_object(cx: Context, collection: Collection) -> Checked {
    string_map::create(&collection, "a", &[("k", "v"), ("kept", "yes")]).await?;

    let patched =
        patch_types::patched(&cx, &collection, MERGE, &string_map::set(&collection, "k", "w")).await?;

    string_map::expect(&collection, &patched, &[("k", Some("w"))])?;
    let (shown, stored) = (patched.object()?, collection.get("a").object().await?);
    let whole = content(&shown) == content(&stored) && shown.json()["kind"] == stored.json()["kind"];
    patched.expect(whole, format!("the whole object: {}", content(&stored)), content(&shown).to_string())
}

async fn patch_merge_combines(cx: Context, collection: Collection) -> Checked {
    string_map::create(&collection, "a", &[("a", "1"), ("b", "1")]).await?;

    let change = string_map::merge(&collection, &json!({ "b": "2", "c": "3" }));
    let patched = patch_types::patched(&cx, &collection, MERGE, &change).await?;

    let combined = [("a", Some("1")), ("b", Some("2")), ("c", Some("3"))];
    string_map::expect_stored(&collection, "a", &patched, &combined).await
}

async fn patch_merge_null_deletes(cx: Context, collection: Collection) -> Checked {
    string_map::create(&collection, "a", &[("a", "1"), ("b", "1")]).await?;

    let change = string_map::merge(&collection, &json!({ "a": null, "missing": null }));
    let patched = patch_types::patched(&cx, &collection, MERGE, &change).await?;

    string_map::expect_stored(&collection, "a", &patched, &[("a", None), ("b", Some("1"))]).await
}

async fn patch_merge_replaces_lists(cx: Context, collection: Collection) -> Checked {
    let mut body = collection.body("a", "first");
    body["metadata"]["finalizers"] = json!([HOLD, WAIT]);
    collection.create_body(&body).await?;

    and_release(&collection, async {
        let patched = patch_types::patched(&cx, &collection, MERGE, &finalizers::set(&[STAY])).await?;
        expect_finalizers(&collection, &patched, &[STAY]).await
    })
    .await
}
