//! Values of the wrong type.

use harness::{Checked, Collection, Context, Kinds, Request, Row, row, table};
use serde_json::{Value, json};

use super::{LEVELS, UNKNOWN, at, post};
use crate::finalizers::HOLD;
use crate::patch_types::{self, JSON, MERGE};
use crate::unchanged_object::{expect_absent, expect_rejected, expect_unchanged};
use crate::{deployments, string_map};

/// The scenarios of this file.
pub(super) fn rows() -> Vec<Row> {
    [
        table(LISTS, Kinds::All, a_list_of_texts_is_nothing_else),
        vec![
            row("fieldval-type-checked-on-put", fieldval_type_checked_on_put),
            row("fieldval-type-checked-on-patch", fieldval_type_checked_on_patch),
            row("fieldval-type-checked-at-every-level", fieldval_type_checked_at_every_level),
        ],
    ]
    .concat()
}

/// What is asked of types with numbers.
pub(super) fn some_types_rows() -> Vec<Row> {
    vec![
        row("fieldval-type-number-as-text", fieldval_type_number_as_text).own_kinds(),
        row("fieldval-fatal-error-hides-strict-errors", fieldval_fatal_error_hides_strict_errors).own_kinds(),
    ]
}

/// Something that finalizers cannot be.
type Wrong = fn() -> Value;

const LISTS: &[(&str, Wrong)] =
    &[("fieldval-type-array-required", || json!(HOLD)), ("fieldval-type-array-element", || json!([1]))];

async fn a_list_of_texts_is_nothing_else(cx: Context, wrong: Wrong) -> Checked {
    let things = cx.things().await?;
    let mut body = things.body("a", "first");
    body["metadata"]["finalizers"] = wrong();

    let answer = cx.send(post(&things, &body)).await?;

    if answer.succeeded() {
        // What was made of it must not stay for ever.
        things.patch("a", &json!({ "metadata": { "finalizers": null } })).await?;
        return Err(answer.fail(format!("an error: finalizers cannot be {}", wrong()), answer.brief()));
    }
    expect_rejected(&answer)?;
    expect_absent(&things, "a").await
}

async fn fieldval_type_checked_on_put(cx: Context) -> Checked {
    let things = cx.things().await?;
    string_map::create(&things, "a", &[("k", "v")]).await?;
    let before = things.get("a").object().await?;
    let body = with_a_number(&things, before.json().clone());

    let refused = cx.send(Request::put(things.path_of("a"), &body)).await?;

    expect_rejected(&refused)?;
    expect_unchanged(&things, "a", &before).await
}

/// An object with a number where only texts can be.
fn with_a_number(things: &Collection, mut object: Value) -> Value {
    if let Some(texts) = object.pointer_mut(string_map::place(things)) {
        texts["k"] = json!(5);
    }
    object
}

async fn fieldval_type_checked_on_patch(cx: Context) -> Checked {
    let things = cx.things().await?;
    string_map::create(&things, "a", &[("k", "v")]).await?;
    let before = things.get("a").object().await?;
    let list = string_map::operations(&things, r#"[{"op":"replace","path":"@/k","value":5}]"#);

    let merge = patch_types::patch(&things, "a", MERGE, &string_map::merge(&things, &json!({ "k": 5 })));
    for request in [merge, patch_types::raw_patch(&things, "a", JSON, &list)] {
        let refused = cx.send(request).await?;
        expect_rejected(&refused)?;
    }
    expect_unchanged(&things, "a", &before).await
}

async fn fieldval_type_checked_at_every_level(cx: Context) -> Checked {
    let things = cx.things().await?;
    let body = with_a_number(&things, string_map::body(&things, "a", &[("k", "v")]));

    for level in LEVELS {
        let refused = cx.send(at(level, post(&things, &body))).await?;
        expect_rejected(&refused)?;
    }
    expect_absent(&things, "a").await
}

async fn fieldval_type_number_as_text(cx: Context) -> Checked {
    let things = deployments::collection(&cx).await?;
    let mut body = deployments::body("a");
    body["spec"]["replicas"] = json!("two");

    let refused = cx.send(post(&things, &body)).await?;
    expect_rejected(&refused)?;
    expect_absent(&things, "a").await?;

    let custom = cx.open_custom_resources().await?;
    let refused =
        cx.send(post(&custom, &super::preserve_unknown_fields::body(&custom, "a", &json!("two")))).await?;
    expect_rejected(&refused)?;
    expect_absent(&custom, "a").await
}

async fn fieldval_fatal_error_hides_strict_errors(cx: Context) -> Checked {
    let things = deployments::collection(&cx).await?;
    let mut body = deployments::body("a");
    body["spec"]["replicas"] = json!("two");
    body["spec"][UNKNOWN] = json!(1);

    for level in LEVELS {
        let refused = cx.send(at(level, post(&things, &body))).await?;
        expect_rejected(&refused)?;
    }
    expect_absent(&things, "a").await
}
