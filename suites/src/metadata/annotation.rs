//! Annotations: values and size.

use super::label::{expect_stored, post, set};
use crate::deletion::expect_invalid;
use crate::patch_types::merge_in;
use crate::prelude::*;

/// Lengths of a value: one that exceeds the limit for all annotations of an object, and one below it.
const TOO_LONG: usize = 256 << 10;
const LONG: usize = 200_000;

/// A text with characters that JSON escapes, and formatting that a server could lose by parsing it.
const JSON_TEXT: &str = "{ \"a\": [1, 2.0, {\"b\": null}],\n\t\"c\": \"\\u0041\" }";

rows![
    metadata_annotations_string_map,
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
    let post = post_with(&collection, NAME, |body| merge_in(body, &set("annotations", &texts)));

    let response = cx.send(post).await?;

    expect_stored(&collection, NAME, &response, "annotations", &texts).await
}

async fn metadata_annotations_total_size(cx: Context, collection: Collection) -> Checked {
    let post = |name: &str, length| post(&collection, name, "annotations", ("assay", &"x".repeat(length)));

    let too_long = cx.send(post("a", TOO_LONG)).await?;
    let long = cx.send(post("b", LONG)).await?;

    expect_invalid(&too_long, "metadata.annotations")?;
    long.expect_status(&[201])
}

async fn metadata_annotations_hold_arbitrary_json(cx: Context, collection: Collection) -> Checked {
    let text = ("assay", JSON_TEXT);
    let object =
        post_with(&collection, "b", |body| body["metadata"]["annotations"]["assay"] = json!({ "a": [1, 2] }));

    let as_text = cx.send(post(&collection, NAME, "annotations", text)).await?;
    let as_object = cx.send(object).await?;

    expect_stored(&collection, NAME, &as_text, "annotations", &[text]).await?;
    as_object.expect_rejection(&[400, 422])?;
    expect_absent(&collection, "b").await
}

async fn metadata_annotations_preserved(cx: Context, stored: StoredObject) -> Checked {
    const THEIRS: (&str, &str) = ("example.com/theirs", "kept");
    stored.change(&set("annotations", &[THEIRS])).await?;
    let label = stored.patch(MERGE, &set("labels", &[("assay", "ours")]));

    let response = cx.send(label.query("fieldManager", "kube-assay-other")).await?;

    expect_stored(&stored.collection, NAME, &response, "annotations", &[THEIRS]).await
}
