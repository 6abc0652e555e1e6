//! Area `patch`: the four patch types.
//!
//! The areas `apply-…` test server-side apply in full; this area tests the statements of the page on patches.

mod apply;
mod authorization;
mod concurrent_patches;
mod json;
mod json_values;
mod media_types;
mod merge;
mod precondition;
mod rejected_json;
mod rejections;
mod result;
mod strategic;

use crate::finalizers;
use crate::patch_types;
use crate::prelude::*;
use crate::string_map::{self, Expected};

suite![
    "patch",
    precondition,
    media_types,
    rejections,
    json,
    json_values,
    rejected_json,
    merge,
    result,
    concurrent_patches,
    apply,
    strategic,
    authorization
];

/// An object with the string map `k: v`, and patches of it: see [`string_map`].
struct PatchFixture {
    cx: Context,
    stored: StoredObject,
}

impl Fixture for PatchFixture {
    async fn arrange(cx: &Context) -> Result<Self, Halt> {
        Self::create(cx, cx.collection_under_test().await?, &[("k", "v")]).await
    }
}

impl PatchFixture {
    /// Creates an object with these texts in its string map.
    async fn create(cx: &Context, collection: Collection, texts: &[(&str, &str)]) -> Result<Self, Halt> {
        string_map::create(&collection, NAME, texts).await?;
        let stored = StoredObject::read(cx, collection).await?;
        Ok(Self { cx: cx.clone(), stored })
    }

    /// Sends a patch.
    async fn patch(&self, media_type: &str, patch: &Value) -> Result<Arc<Exchange>, Halt> {
        self.cx.send(self.stored.patch(media_type, patch)).await
    }

    /// Sends a merge patch that sets one text.
    async fn set(&self, key: &str, text: &str) -> Result<Arc<Exchange>, Halt> {
        self.patch(MERGE, &string_map::set(&self.stored.collection, key, text)).await
    }

    /// Sends a JSON patch as it is written, valid or not; `@` is the path of the string map.
    async fn operations(&self, written: &str) -> Result<Arc<Exchange>, Halt> {
        let collection = &self.stored.collection;
        let body = string_map::operations(collection, written);
        self.cx.send(patch_types::raw_patch(collection, NAME, JSON, &body)).await
    }

    /// The response and a later GET have these texts.
    async fn expect_stored(&self, response: &Exchange, texts: &[Expected]) -> Checked {
        string_map::expect_stored(&self.stored.collection, NAME, response, texts).await
    }
}

/// Creates an object with these finalizers.
async fn create_with_finalizers(collection: &Collection, finalizers: &[&str]) -> Checked {
    let mut body = string_map::body(collection, NAME, &[("k", "v"), ("a", "1")]);
    body["metadata"]["finalizers"] = json!(finalizers);
    collection.create_body(&body).await.map(drop)
}

/// Sends a patch: the response and a later GET have these finalizers, in this order. Removes them in any case.
async fn expect_finalizers(
    cx: &Context,
    collection: &Collection,
    (media_type, patch): (&str, &Value),
    expected: &[&str],
) -> Checked {
    finalizers::and_release(collection, async {
        let patched = patch_types::patched(cx, collection, media_type, patch).await?;
        for response in [patched, collection.get(NAME).await?] {
            let object = response.object()?;
            let actual = finalizers::of(&object);
            response.expect(
                actual == expected,
                format!("the finalizers {expected:?}"),
                format!("{actual:?}"),
            )?;
        }
        Ok(())
    })
    .await
}
