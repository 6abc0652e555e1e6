//! JSON Patch operations.

use crate::finalizers::{self, HOLD, STAY, WAIT, and_release};
use crate::patch_types;
use crate::prelude::*;
use crate::string_map::{self, Expected};
use crate::unchanged_object::{expect_rejected, expect_unchanged};

pub(super) fn rows() -> Vec<Row> {
    [
        table(OPERATIONS, Kinds::All, operations),
        vec![
            row!(patch_json_add_array_value),
            row!(patch_json_add_append),
            row!(patch_json_pointer_escapes),
            row!(patch_json_copy_to_annotation),
            row!(patch_json_test_on_resourceversion),
        ],
    ]
    .concat()
}

/// Operations on an object whose one text is `k: v`, and its texts afterwards. `@` stands for where texts are.
type Operations = (&'static str, &'static [Expected]);

#[rustfmt::skip]
const OPERATIONS: &[(&str, Operations)] = &[
    ("patch-json-sequence", (
        r#"[{"op":"add","path":"@/a","value":"1"},{"op":"replace","path":"@/a","value":"2"},{"op":"copy","from":"@/a","path":"@/b"}]"#,
        &[("a", Some("2")), ("b", Some("2")), ("k", Some("v"))])),
    ("patch-json-remove", (
        r#"[{"op":"remove","path":"@/k"}]"#,
        &[("k", None), ("kept", Some("yes"))])),
    ("patch-json-move", (
        r#"[{"op":"move","from":"@/k","path":"@/b"}]"#,
        &[("k", None), ("b", Some("v"))])),
    ("patch-json-test-success", (
        r#"[{"op":"test","path":"@/k","value":"v"},{"op":"replace","path":"@/k","value":"w"}]"#,
        &[("k", Some("w"))])),
];

async fn operations(cx: Context, (written, after): Operations) -> Checked {
    let collection = cx.collection_under_test().await?;
    string_map::create(&collection, "a", &[("k", "v"), ("kept", "yes")]).await?;

    let patch = patch_types::raw_patch(&collection, "a", JSON, &string_map::operations(&collection, written));
    let patched = cx.send(patch).await?;

    string_map::expect_stored(&collection, "a", &patched, after).await
}

async fn patch_json_add_array_value(cx: Context, collection: Collection) -> Checked {
    collection.create("a").await?;
    let add = json!([{ "op": "add", "path": "/metadata/finalizers", "value": [HOLD, WAIT] }]);

    and_release(&collection, async {
        let patched = patch_types::patched(&cx, &collection, JSON, &add).await?;
        expect_finalizers(&collection, &patched, &[HOLD, WAIT]).await
    })
    .await
}

async fn patch_json_add_append(cx: Context, collection: Collection) -> Checked {
    let mut body = collection.body("a", "first");
    body["metadata"]["finalizers"] = json!([HOLD, WAIT]);
    collection.create_body(&body).await?;
    let append = json!([{ "op": "add", "path": "/metadata/finalizers/-", "value": STAY }]);

    and_release(&collection, async {
        let patched = patch_types::patched(&cx, &collection, JSON, &append).await?;
        expect_finalizers(&collection, &patched, &[HOLD, WAIT, STAY]).await
    })
    .await
}

/// The answer, and what is stored, show these finalizers in this order.
pub(super) async fn expect_finalizers(
    collection: &Collection,
    patched: &Exchange,
    expected: &[&str],
) -> Checked {
    let got = collection.get("a").await?;
    for answer in [patched, &*got] {
        let object = answer.object()?;
        let shown = finalizers::of(&object);
        answer.expect(shown == expected, format!("the finalizers {expected:?}"), format!("{shown:?}"))?;
    }
    Ok(())
}

async fn patch_json_pointer_escapes(cx: Context, collection: Collection) -> Checked {
    annotated(&collection).await?;
    let add = json!([{ "op": "add", "path": "/metadata/annotations/kube-assay.dev~1escaped", "value": "1" }]);

    let patched = patch_types::patched(&cx, &collection, JSON, &add).await?;

    expect_annotation(&collection, &patched, "kube-assay.dev/escaped", "1").await
}

async fn patch_json_copy_to_annotation(cx: Context, collection: Collection) -> Checked {
    annotated(&collection).await?;
    collection.patch("a", &string_map::set(&collection, "k", "w")).await?;
    let copy = r#"[{"op":"copy","from":"@/k","path":"/metadata/annotations/kube-assay-copy"}]"#;

    let patch = patch_types::raw_patch(&collection, "a", JSON, &string_map::operations(&collection, copy));
    let patched = cx.send(patch).await?;

    expect_annotation(&collection, &patched, "kube-assay-copy", "w").await
}

/// An object with a text and an annotation.
async fn annotated(collection: &Collection) -> Checked {
    let mut body = string_map::body(collection, "a", &[("k", "v")]);
    body["metadata"]["annotations"]["kube-assay"] = json!("yes");
    collection.create_body(&body).await.map(drop)
}

async fn expect_annotation(
    collection: &Collection,
    patched: &Exchange,
    name: &str,
    expected: &str,
) -> Checked {
    let got = collection.get("a").await?;
    for answer in [patched, &*got] {
        let object = answer.object()?;
        let shown = &object.json()["metadata"]["annotations"][name];
        let expected = Value::from(expected);
        answer.expect(*shown == expected, format!("the annotation {name}: {expected}"), shown.to_string())?;
    }
    Ok(())
}

async fn patch_json_test_on_resourceversion(cx: Context, collection: Collection) -> Checked {
    let old = string_map::create(&collection, "a", &[("k", "v")]).await?;
    let changed = patch_types::patched(&cx, &collection, MERGE, &string_map::set(&collection, "k", "w"))
        .await?
        .written()?;

    let refused = patch_types::patched(&cx, &collection, JSON, &guarded(&collection, old.version())).await?;
    expect_rejected(&refused)?;
    expect_unchanged(&collection, "a", &changed).await?;

    let current = collection.get("a").object().await?;
    let patched =
        patch_types::patched(&cx, &collection, JSON, &guarded(&collection, current.version())).await?;
    string_map::expect_stored(&collection, "a", &patched, &[("k", Some("guarded"))]).await
}

/// A change that is meant for one version.
fn guarded(collection: &Collection, version: &str) -> Value {
    let path = format!("{}/k", string_map::place(collection));
    json!([
        { "op": "test", "path": "/metadata/resourceVersion", "value": version },
        { "op": "replace", "path": path, "value": "guarded" },
    ])
}
