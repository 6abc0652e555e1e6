//! Fields that may be left out, fields that may not, and fields that are filled in.

use harness::{Collection, Context, Halt, Request, Suite};
use serde_json::{Value, json};

use super::{expect_cause, unknown};
use crate::deployments;
use crate::stored::NAME;
use crate::unchanged::{expect_absent, expect_unchanged};

/// Adds the scenarios of this file.
pub(super) fn add(suite: Suite) -> Suite {
    suite
        .scenario("validation-optional-unset-on-post", what_is_optional_may_be_left_out_of_a_create)
        .on_every_shape()
        .scenario("validation-optional-unset-on-put", what_is_optional_may_be_left_out_of_an_update)
        .on_every_shape()
        .scenario("validation-required-unset-on-post", what_is_required_must_be_in_a_create)
        .scenario("validation-required-unset-on-put", what_is_required_must_be_in_an_update)
        .scenario("validation-default-only-if-valid-input", a_default_takes_the_place_of_nothing_only)
        .on_shapes_with_status()
}

/// An object with nothing that could be left out, as far as we know.
fn minimal(things: &Collection) -> Value {
    let mut body = things.body(NAME, "first");
    match things.resource().plural.as_str() {
        "deployments" => {
            remove(&mut body["spec"], "replicas");
            remove(&mut body["spec"]["template"]["metadata"], "annotations");
        }
        "configmaps" | "clusterroles" | "gadgets" => {
            for field in ["data", "rules", "spec"] {
                remove(&mut body, field);
            }
        }
        _ => {}
    }
    body
}

fn remove(object: &mut Value, field: &str) {
    if let Some(fields) = object.as_object_mut() {
        fields.shift_remove(field);
    }
}

async fn what_is_optional_may_be_left_out_of_a_create(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;

    let created = cx.send(Request::post(things.path(), &minimal(&things))).await?;

    created.expect_status(&[201])?;
    things.get(NAME).await?.object().map(drop)
}

async fn what_is_optional_may_be_left_out_of_an_update(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;
    let created = things.create(NAME).await?;
    let mut body = minimal(&things);
    body["metadata"]["resourceVersion"] = created.version().into();

    let put = cx.send(Request::put(things.path_of(NAME), &body)).await?;

    put.expect_status(&[200])?;
    let got = things.get(NAME).await?;
    let shown = got.object()?;
    let left_out = body.pointer(things.value_at()).is_none();
    got.expect(!left_out || shown.value().is_empty(), "no value: it was left out", shown.value())
}

async fn what_is_required_must_be_in_a_create(cx: Context) -> Result<(), Halt> {
    let things = deployments::collection(&cx).await?;
    let mut body = deployments::body(NAME);
    remove(&mut body["spec"], "selector");
    let refused = cx.send(Request::post(things.path(), &body)).await?;
    expect_cause(&refused, "spec.selector", "FieldValueRequired")?;
    expect_absent(&things, NAME).await?;

    let custom = cx.open_custom_resources().await?;
    let refused = cx.send(Request::post(custom.path(), &custom.body(NAME, "first"))).await?;
    expect_cause(&refused, "spec.size", "FieldValueRequired")?;
    expect_absent(&custom, NAME).await
}

async fn what_is_required_must_be_in_an_update(cx: Context) -> Result<(), Halt> {
    let things = deployments::collection(&cx).await?;
    let without = |body: &mut Value| remove(&mut body["spec"]["template"]["spec"], "containers");
    is_missed(&cx, &things, deployments::body(NAME), without, "spec.template.spec.containers").await?;

    let custom = cx.open_custom_resources().await?;
    let mut body = custom.body(NAME, "first");
    body["spec"]["size"] = json!(1);
    is_missed(&cx, &custom, body, |body| remove(&mut body["spec"], "size"), "spec.size").await
}

/// An update that leaves out what was there is refused for lack of that field, and changes nothing.
async fn is_missed(
    cx: &Context,
    things: &Collection,
    whole: Value,
    leave_out: fn(&mut Value),
    field: &str,
) -> Result<(), Halt> {
    let before = things.create_body(&whole).await?;
    let mut body = whole;
    leave_out(&mut body);
    body["metadata"]["resourceVersion"] = before.version().into();

    let refused = cx.send(Request::put(things.path_of(NAME), &body)).await?;

    expect_cause(&refused, field, "FieldValueRequired")?;
    expect_unchanged(things, NAME, &before).await
}

async fn a_default_takes_the_place_of_nothing_only(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;
    let mut body = things.body(NAME, "first");
    match things.resource().plural.as_str() {
        "deployments" => body["spec"]["strategy"]["type"] = "Nope".into(),
        "gadgets" => body["spec"]["style"]["finish"] = "Nope".into(),
        _ => return Err(unknown(&things)),
    }

    let refused = cx.send(Request::post(things.path(), &body)).await?;

    refused.expect_error(&[422], &["Invalid"])?;
    expect_absent(&things, NAME).await
}
