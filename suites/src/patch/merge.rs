//! Merge patches, and what every patch is answered with.

use harness::{Context, Halt, Suite};
use serde_json::json;

use super::json::expect_finalizers;
use crate::finalizers::{self, HOLD, STAY, WAIT, and_release};
use crate::forms::{self, MERGE};
use crate::texts;
use crate::unchanged::{content, expect_unchanged};

/// Adds the scenarios of this file.
pub(super) fn add(suite: Suite) -> Suite {
    suite
        .scenario("patch-changes-existing-object", a_patch_is_answered_with_the_whole_object)
        .on_every_shape()
        .scenario("patch-merge-combines", a_merge_patch_keeps_what_it_does_not_name)
        .also("verbs-merge-patch-supported")
        .on_every_shape()
        .scenario("patch-merge-null-deletes", null_removes)
        .also("verbs-merge-patch-null-removes")
        .on_every_shape()
        .scenario("patch-merge-replaces-lists", a_list_is_replaced_as_a_whole)
        .also("verbs-merge-patch-arrays-replaced")
        .on_every_shape()
        .scenario("patch-merge-malformed-400", what_is_no_object_is_refused)
        .also("verbs-merge-patch-malformed")
        .on_every_shape()
}

async fn a_patch_is_answered_with_the_whole_object(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;
    texts::create(&things, "a", &[("k", "v"), ("kept", "yes")]).await?;

    let patched = forms::patched(&cx, &things, MERGE, &texts::set(&things, "k", "w")).await?;

    texts::expect(&things, &patched, &[("k", Some("w"))])?;
    let (shown, stored) = (patched.object()?, things.get("a").object().await?);
    let whole = content(&shown) == content(&stored) && shown.json()["kind"] == stored.json()["kind"];
    patched.expect(whole, format!("the whole object: {}", content(&stored)), content(&shown).to_string())
}

async fn a_merge_patch_keeps_what_it_does_not_name(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;
    texts::create(&things, "a", &[("a", "1"), ("b", "1")]).await?;

    let change = texts::merge(&things, &json!({ "b": "2", "c": "3" }));
    let patched = forms::patched(&cx, &things, MERGE, &change).await?;

    let combined = [("a", Some("1")), ("b", Some("2")), ("c", Some("3"))];
    texts::expect_stored(&things, "a", &patched, &combined).await
}

async fn null_removes(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;
    texts::create(&things, "a", &[("a", "1"), ("b", "1")]).await?;

    let change = texts::merge(&things, &json!({ "a": null, "missing": null }));
    let patched = forms::patched(&cx, &things, MERGE, &change).await?;

    texts::expect_stored(&things, "a", &patched, &[("a", None), ("b", Some("1"))]).await
}

async fn a_list_is_replaced_as_a_whole(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;
    let mut body = things.body("a", "first");
    body["metadata"]["finalizers"] = json!([HOLD, WAIT]);
    things.create_body(&body).await?;

    and_release(&things, async {
        let patched = forms::patched(&cx, &things, MERGE, &finalizers::set(&[STAY])).await?;
        expect_finalizers(&things, &patched, &[STAY]).await
    })
    .await
}

async fn what_is_no_object_is_refused(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;
    texts::create(&things, "a", &[("k", "v")]).await?;
    let before = things.get("a").object().await?;

    for body in ["{", "[]", "\"x\""] {
        let refused = cx.send(forms::raw_patch(&things, "a", MERGE, body)).await?;
        refused.expect_refusal(&[400])?;
    }
    expect_unchanged(&things, "a", &before).await
}
