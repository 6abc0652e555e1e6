//! JSON Merge Patch, and the response to a patch.

use super::{PatchFixture, create_with_finalizers, expect_finalizers};
use crate::finalizers::{self, HOLD, STAY, WAIT};
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
    let fixture = PatchFixture::create(&cx, collection, &[("k", "v"), ("kept", "yes")]).await?;

    let response = fixture.set("k", "w").await?;

    string_map::expect(&fixture.stored.collection, &response, &[("k", Some("w"))])?;
    let (returned, stored) = (response.object()?, fixture.stored.get().object().await?);
    let complete = content(&returned) == content(&stored) && returned.json()["kind"] == stored.json()["kind"];
    let expected = format!("the whole object: {}", content(&stored));
    response.expect(complete, expected, content(&returned).to_string())
}

async fn patch_merge_combines(cx: Context, collection: Collection) -> Checked {
    let fixture = PatchFixture::create(&cx, collection, &[("a", "1"), ("b", "1")]).await?;
    let change = string_map::merge(&fixture.stored.collection, &json!({ "b": "2", "c": "3" }));

    let response = fixture.patch(MERGE, &change).await?;

    fixture.expect_stored(&response, &[("a", Some("1")), ("b", Some("2")), ("c", Some("3"))]).await
}

async fn patch_merge_null_deletes(cx: Context, collection: Collection) -> Checked {
    let fixture = PatchFixture::create(&cx, collection, &[("a", "1"), ("b", "1")]).await?;
    let change = string_map::merge(&fixture.stored.collection, &json!({ "a": null, "missing": null }));

    let response = fixture.patch(MERGE, &change).await?;

    fixture.expect_stored(&response, &[("a", None), ("b", Some("1"))]).await
}

async fn patch_merge_replaces_lists(cx: Context, collection: Collection) -> Checked {
    create_with_finalizers(&collection, &[HOLD, WAIT]).await?;

    expect_finalizers(&cx, &collection, (MERGE, &finalizers::set(&[STAY])), &[STAY]).await
}
