//! Annotations: values, size and syntax of keys.

use super::label::{entries, expect_kept, with};
use crate::deletion::expect_invalid;
use crate::patch_types::merge_in;
use crate::prelude::*;
use crate::unchanged_object::expect_absent;

/// More than all annotations of an object may have in characters together with the key, and less.
const TOO_MUCH: usize = 256 << 10;
const MUCH: usize = 200_000;

/// A text with everything that JSON must escape, and what need not be kept by who parses it.
const JSON_TEXT: &str = "{ \"a\": [1, 2.0, {\"b\": null}],\n\t\"c\": \"\\u0041\" }";

rows![
    metadata_annotations_string_map,
    metadata_annotation_key_syntax,
    metadata_annotations_total_size,
    metadata_annotations_hold_arbitrary_json,
    metadata_annotations_preserved,
];

async fn metadata_annotations_string_map(cx: Context, collection: Collection) -> Checked {
    let long = format!("{}é", "x".repeat(100_000));
    let texts = [
        ("lines", "  first\n\tsecond \"line\" \\ \r\n\n"),
        ("emoji", "\u{1f980} \u{e9}\u{301}"),
        ("empty", ""),
        ("example.com/long", long.as_str()),
    ];
    let mut body = collection.body("a", "first");
    merge_in(&mut body, &json!({ "metadata": { "annotations": entries(&texts) } }));

    let created = cx.send(Request::post(collection.path(), &body)).await?;

    expect_kept(&created, "annotations", &texts)?;
    expect_kept(&*collection.get("a").await?, "annotations", &texts)
}

async fn metadata_annotation_key_syntax(cx: Context, collection: Collection) -> Checked {
    for key in ["a/b/c", "a b"] {
        let refused = cx.send(with(&collection, "a", "annotations", (key, "b"))).await?;

        expect_invalid(&refused, "metadata.annotations")?;
    }
    let capitals = ("Example.COM/Key", "b");
    let accepted = cx.send(with(&collection, "b", "annotations", capitals)).await?;
    expect_kept(&accepted, "annotations", &[capitals])?;
    expect_kept(&*collection.get("b").await?, "annotations", &[capitals])
}

async fn metadata_annotations_total_size(cx: Context, collection: Collection) -> Checked {
    let (too_much, much) = ("x".repeat(TOO_MUCH), "x".repeat(MUCH));

    let refused = cx.send(with(&collection, "a", "annotations", ("assay", &too_much))).await?;
    let accepted = cx.send(with(&collection, "b", "annotations", ("assay", &much))).await?;

    expect_invalid(&refused, "metadata.annotations")?;
    accepted.expect_status(&[201])
}

async fn metadata_annotations_hold_arbitrary_json(cx: Context, collection: Collection) -> Checked {
    let mut structured = collection.body("b", "first");
    structured["metadata"]["annotations"]["assay"] = json!({ "a": [1, 2] });

    let created = cx.send(with(&collection, "a", "annotations", ("assay", JSON_TEXT))).await?;
    let refused = cx.send(Request::post(collection.path(), &structured)).await?;

    expect_kept(&created, "annotations", &[("assay", JSON_TEXT)])?;
    expect_kept(&*collection.get("a").await?, "annotations", &[("assay", JSON_TEXT)])?;
    refused.expect_refusal(&[400, 422])?;
    expect_absent(&collection, "b").await
}

async fn metadata_annotations_preserved(cx: Context) -> Checked {
    const THEIRS: (&str, &str) = ("example.com/theirs", "kept");
    let stored = StoredObject::create(&cx).await?;
    stored.change(&json!({ "metadata": { "annotations": entries(&[THEIRS]) } })).await?;
    let label = json!({ "metadata": { "labels": { "assay": "ours" } } });

    let patched = cx.send(stored.patch(MERGE, &label).query("fieldManager", "kube-assay-other")).await?;

    expect_kept(&patched, "annotations", &[THEIRS])?;
    expect_kept(&*stored.get().await?, "annotations", &[THEIRS])
}
