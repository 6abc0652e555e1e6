//! Values of another type than the field's.

use harness::{Collection, Context, Halt, Request, Suite};
use serde_json::{Value, json};

use super::{LEVELS, UNKNOWN, at, post};
use crate::finalizers::HOLD;
use crate::forms::{self, JSON, MERGE};
use crate::unchanged::{expect_absent, expect_rejected, expect_unchanged};
use crate::{deployments, texts};

/// Adds the scenarios of this file.
pub(super) fn add(suite: Suite) -> Suite {
    suite
        .table(LISTS, a_list_of_texts_is_nothing_else)
        .on_every_shape()
        .scenario("fieldval-type-checked-on-put", an_update_is_checked)
        .on_every_shape()
        .scenario("fieldval-type-checked-on-patch", the_result_of_a_patch_is_checked)
        .on_every_shape()
        .scenario("fieldval-type-checked-at-every-level", no_level_turns_types_off)
        .on_every_shape()
}

/// Adds what is asked of types with numbers.
pub(super) fn add_of_some_types(suite: Suite) -> Suite {
    suite.scenario("fieldval-type-number-as-text", a_text_is_no_number).scenario(
        "fieldval-fatal-error-hides-strict-errors",
        a_wrong_type_is_an_error_beside_an_unknown_field,
    )
}

/// Something that finalizers cannot be.
type Wrong = fn() -> Value;

const LISTS: &[(&str, Wrong)] =
    &[("fieldval-type-array-required", || json!(HOLD)), ("fieldval-type-array-element", || json!([1]))];

async fn a_list_of_texts_is_nothing_else(cx: Context, wrong: Wrong) -> Result<(), Halt> {
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

async fn an_update_is_checked(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;
    texts::create(&things, "a", &[("k", "v")]).await?;
    let before = things.get("a").object().await?;
    let body = with_a_number(&things, before.json().clone());

    let refused = cx.send(Request::put(things.path_of("a"), &body)).await?;

    expect_rejected(&refused)?;
    expect_unchanged(&things, "a", &before).await
}

/// An object with a number where only texts can be.
fn with_a_number(things: &Collection, mut object: Value) -> Value {
    if let Some(texts) = object.pointer_mut(texts::place(things)) {
        texts["k"] = json!(5);
    }
    object
}

async fn the_result_of_a_patch_is_checked(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;
    texts::create(&things, "a", &[("k", "v")]).await?;
    let before = things.get("a").object().await?;
    let list = texts::operations(&things, r#"[{"op":"replace","path":"@/k","value":5}]"#);

    let merge = forms::patch(&things, "a", MERGE, &texts::merge(&things, &json!({ "k": 5 })));
    for request in [merge, forms::raw_patch(&things, "a", JSON, &list)] {
        let refused = cx.send(request).await?;
        expect_rejected(&refused)?;
    }
    expect_unchanged(&things, "a", &before).await
}

async fn no_level_turns_types_off(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;
    let body = with_a_number(&things, texts::body(&things, "a", &[("k", "v")]));

    for level in LEVELS {
        let refused = cx.send(at(level, post(&things, &body))).await?;
        expect_rejected(&refused)?;
    }
    expect_absent(&things, "a").await
}

async fn a_text_is_no_number(cx: Context) -> Result<(), Halt> {
    let things = deployments::collection(&cx).await?;
    let mut body = deployments::body("a");
    body["spec"]["replicas"] = json!("two");

    let refused = cx.send(post(&things, &body)).await?;
    expect_rejected(&refused)?;
    expect_absent(&things, "a").await?;

    let custom = cx.open_custom_resources().await?;
    let refused = cx.send(post(&custom, &super::open::body(&custom, "a", &json!("two")))).await?;
    expect_rejected(&refused)?;
    expect_absent(&custom, "a").await
}

async fn a_wrong_type_is_an_error_beside_an_unknown_field(cx: Context) -> Result<(), Halt> {
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
