//! Strict: what nobody knows, or stands there twice, is refused, and nothing happens.

use harness::{Collection, Context, Exchange, Halt, Object, Request, Suite};
use serde_json::{Value, json};

use super::levels::patches;
use super::{
    TWICE, UNKNOWN, at, duplicated, post, post_text, put_text, warning, with_duplicate, with_unknown,
};
use crate::forms::{self, JSON, MERGE, STRATEGIC};
use crate::texts;
use crate::unchanged::{expect_absent, expect_rejected, expect_unchanged};

/// Adds the scenarios of this file.
pub(super) fn add(suite: Suite) -> Suite {
    suite
        .scenario("fieldval-strict-post-unknown-400", a_create_with_an_unknown_field_is_refused)
        .on_every_shape()
        .scenario("fieldval-strict-post-duplicate-400", a_create_with_a_duplicate_field_is_refused)
        .on_every_shape()
        .scenario("fieldval-strict-put-unknown-400", an_update_with_an_unknown_field_is_refused)
        .on_every_shape()
        .scenario("fieldval-strict-put-duplicate-400", an_update_with_a_duplicate_field_is_refused)
        .on_every_shape()
        .scenario("fieldval-strict-message-lists-all", the_message_names_every_field)
        .on_every_shape()
        .scenario("fieldval-strict-rejects-before-storing", what_is_refused_has_no_effect)
        .on_every_shape()
        .scenario("fieldval-strict-valid-passes-clean", what_is_in_order_passes_without_a_warning)
        .on_every_shape()
}

/// Adds what is asked of types whose status is a resource of its own.
pub(super) fn add_status(suite: Suite) -> Suite {
    suite
        .scenario("fieldval-subresources-checked", an_update_of_the_status_is_checked)
        .on_shapes_with_status()
}

async fn a_create_with_an_unknown_field_is_refused(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;

    let refused = cx.send(at("Strict", post(&things, &with_unknown(&things, "a")))).await?;

    refused.expect_error(&[400], &["BadRequest"])?;
    expect_absent(&things, "a").await
}

async fn a_create_with_a_duplicate_field_is_refused(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;

    let refused = cx.send(at("Strict", post_text(&things, &with_duplicate(&things, "a")))).await?;

    refused.expect_error(&[400], &["BadRequest"])?;
    expect_absent(&things, "a").await
}

async fn an_update_with_an_unknown_field_is_refused(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;
    let before = created(&things).await?;
    let mut body = before.json().clone();
    body[UNKNOWN] = json!(1);

    let refused = cx.send(at("Strict", Request::put(things.path_of("a"), &body))).await?;

    refused.expect_error(&[400], &["BadRequest"])?;
    expect_unchanged(&things, "a", &before).await
}

async fn an_update_with_a_duplicate_field_is_refused(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;
    let before = created(&things).await?;
    let body = duplicated(texts::body(&things, "a", &[("k", "w")]));

    let refused = cx.send(at("Strict", put_text(&things, "a", &body))).await?;

    // Where an update must say which version it replaces, that it does not may be noticed first.
    let legal: &[u16] = if forms::is_built_in(&things) { &[400] } else { &[400, 422] };
    refused.expect_error(legal, &["BadRequest", "Invalid"])?;
    expect_unchanged(&things, "a", &before).await
}

/// The object `a`, as it is read before anything is asked of it.
pub(super) async fn created(things: &Collection) -> Result<Object, Halt> {
    texts::create(things, "a", &[("k", "v")]).await?;
    things.get("a").object().await
}

async fn the_message_names_every_field(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;
    let mut body = with_unknown(&things, "a");
    body["metadata"]["assayWithin"] = json!(1);

    let refused = cx.send(at("Strict", post_text(&things, &duplicated(body)))).await?;

    let status = refused.expect_error(&[400], &["BadRequest"])?;
    let message = status["message"].as_str().unwrap_or_default();
    for field in [UNKNOWN, "metadata.assayWithin", TWICE] {
        refused.expect(message.contains(field), format!("a message that names {field}"), refused.brief())?;
    }
    Ok(())
}

async fn what_is_refused_has_no_effect(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;
    let before = created(&things).await?;
    let mut body = before.json().clone();
    body[UNKNOWN] = json!(1);

    cx.send(at("Strict", post(&things, &with_unknown(&things, "b")))).await?;
    cx.send(at("Strict", post_text(&things, &with_duplicate(&things, "b")))).await?;
    cx.send(at("Strict", Request::put(things.path_of("a"), &changed(&things, body)))).await?;
    for (form, body) in patches() {
        let body = if form == JSON { also_in_list(&things, body) } else { changed(&things, body) };
        cx.send(at("Strict", forms::patch(&things, "a", form, &body))).await?;
    }

    expect_absent(&things, "b").await?;
    expect_unchanged(&things, "a", &before).await
}

/// The same with a change that the server knows.
fn changed(things: &Collection, mut body: Value) -> Value {
    let change = texts::set(things, "k", "changed");
    for (name, value) in change.as_object().into_iter().flatten() {
        if name == "metadata" {
            body["metadata"]["annotations"]["k"] = value["annotations"]["k"].clone();
        } else {
            body[name.as_str()]["k"] = value["k"].clone();
        }
    }
    body
}

fn also_in_list(things: &Collection, mut operations: Value) -> Value {
    let path = format!("{}/k", texts::place(things));
    if let Some(list) = operations.as_array_mut() {
        list.push(json!({ "op": "replace", "path": path, "value": "changed" }));
    }
    operations
}

async fn what_is_in_order_passes_without_a_warning(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;
    let create = post(&things, &texts::body(&things, "a", &[("k", "v")]));
    passes(&*cx.send(at("Strict", create)).await?)?;

    // As it is shown, with all that the server has filled in.
    let shown = things.get("a").object().await?;
    passes(&*cx.send(at("Strict", Request::put(things.path_of("a"), shown.json()))).await?)?;
    for form in [MERGE, STRATEGIC] {
        let patch = forms::patch(&things, "a", form, &texts::set(&things, "k", form));
        let patched = cx.send(at("Strict", patch)).await?;
        if patched.status() != 415 || form == MERGE {
            passes(&patched)?;
        }
    }
    let list = texts::operations(&things, r#"[{"op":"replace","path":"@/k","value":"listed"}]"#);
    passes(&*cx.send(at("Strict", forms::raw_patch(&things, "a", JSON, &list))).await?)
}

fn passes(answer: &Exchange) -> Result<(), Halt> {
    answer.expect_status(&[200, 201])?;
    warning::expect_none(answer, " field ")
}

async fn an_update_of_the_status_is_checked(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;
    let before = created(&things).await?;
    let mut body = before.json().clone();
    body[UNKNOWN] = json!(1);
    let path = things.status_path_of("a");

    let put = cx.send(at("Strict", Request::put(&path, &body))).await?;
    let patched = cx.send(at("Strict", Request::merge_patch(&path, &json!({ UNKNOWN: 1 })))).await?;

    put.expect_error(&[400], &["BadRequest"])?;
    expect_rejected(&patched)?;
    expect_unchanged(&things, "a", &before).await
}
