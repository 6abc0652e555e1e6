//! JSON Patch operations.

use super::{PatchFixture, create_with_finalizers, expect_finalizers};
use crate::finalizers::{HOLD, STAY, WAIT};
use crate::patch_types;
use crate::prelude::*;
use crate::string_map::{self, Expected};
use crate::unchanged_object::expect_rejected;

pub(super) fn rows() -> Vec<Row> {
    [
        table(OPERATIONS, Kinds::All, operations),
        table(ANNOTATIONS, Kinds::All, annotations),
        vec![
            row!(patch_json_add_array_value),
            row!(patch_json_add_append),
            row!(patch_json_test_on_resourceversion),
        ],
    ]
    .concat()
}

/// Operations on an object with the texts `k: v, kept: yes`, and its texts afterwards; `@` is the path of the texts.
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
];

async fn operations(cx: Context, (written, texts): Operations) -> Checked {
    let collection = cx.collection_under_test().await?;
    let fixture = PatchFixture::create(&cx, collection, &[("k", "v"), ("kept", "yes")]).await?;

    let response = fixture.operations(written).await?;

    fixture.expect_stored(&response, texts).await
}

/// An operation on an object with annotations, and the name and value of the annotation that it adds.
#[rustfmt::skip]
const ANNOTATIONS: &[(&str, (&str, &str, &str))] = &[
    ("patch-json-pointer-escapes", (
        r#"[{"op":"add","path":"/metadata/annotations/kube-assay.dev~1escaped","value":"1"}]"#,
        "kube-assay.dev/escaped", "1")),
    ("patch-json-copy-to-annotation", (
        r#"[{"op":"copy","from":"@/k","path":"/metadata/annotations/kube-assay-copy"}]"#,
        "kube-assay-copy", "w")),
];

async fn annotations(cx: Context, (operation, name, value): (&str, &str, &str)) -> Checked {
    let collection = cx.collection_under_test().await?;
    let mut body = string_map::body(&collection, NAME, &[("k", "v")]);
    body["metadata"]["annotations"]["kube-assay"] = json!("yes");
    collection.create_body(&body).await?;
    collection.patch(NAME, &string_map::set(&collection, "k", "w")).await?;

    let operation = string_map::operations(&collection, operation);
    let patched = cx.send(patch_types::raw_patch(&collection, NAME, JSON, &operation)).await?;

    for response in [patched, collection.get(NAME).await?] {
        let actual = response.object()?.json()["metadata"]["annotations"][name].clone();
        response.expect(actual == value, format!("the annotation {name}: {value:?}"), actual.to_string())?;
    }
    Ok(())
}

async fn patch_json_add_array_value(cx: Context, collection: Collection) -> Checked {
    collection.create(NAME).await?;
    let add = json!([{ "op": "add", "path": "/metadata/finalizers", "value": [HOLD, WAIT] }]);

    expect_finalizers(&cx, &collection, (JSON, &add), &[HOLD, WAIT]).await
}

async fn patch_json_add_append(cx: Context, collection: Collection) -> Checked {
    create_with_finalizers(&collection, &[HOLD, WAIT]).await?;
    let append = json!([{ "op": "add", "path": "/metadata/finalizers/-", "value": STAY }]);

    expect_finalizers(&cx, &collection, (JSON, &append), &[HOLD, WAIT, STAY]).await
}

async fn patch_json_test_on_resourceversion(fixture: PatchFixture) -> Checked {
    let outdated = fixture.stored.read.version();
    fixture.set("k", "w").await?.written()?;
    let current = fixture.stored.again().await?;

    let response = fixture.operations(&guarded(outdated)).await?;
    expect_rejected(&response)?;
    current.expect_unchanged().await?;

    let response = fixture.operations(&guarded(current.read.version())).await?;
    fixture.expect_stored(&response, &[("k", Some("guarded"))]).await
}

/// A change that tests the resourceVersion first.
fn guarded(version: &str) -> String {
    json!([
        { "op": "test", "path": "/metadata/resourceVersion", "value": version },
        { "op": "replace", "path": "@/k", "value": "guarded" },
    ])
    .to_string()
}
