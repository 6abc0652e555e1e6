//! Optional, required and defaulted fields.

use super::expect_cause;
use crate::deployments;
use crate::fields::remove;
use crate::known_validation::BESIDE_A_DEFAULT;
use crate::prelude::*;
use crate::unchanged_object::{expect_absent, expect_unchanged};

rows![
    validation_optional_unset_on_post,
    validation_optional_unset_on_put,
    validation_required_unset_on_post.own_kinds(),
    validation_required_unset_on_put.own_kinds(),
    validation_default_only_if_valid_input.with_status(),
];

/// An object with nothing that could be left out, as far as we know.
fn minimal(collection: &Collection) -> Value {
    let mut body = collection.body(NAME, "first");
    match collection.resource().plural.as_str() {
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

async fn validation_optional_unset_on_post(cx: Context, collection: Collection) -> Checked {
    let created = cx.send(Request::post(collection.path(), &minimal(&collection))).await?;

    created.expect_status(&[201])?;
    collection.get(NAME).await?.object().map(drop)
}

async fn validation_optional_unset_on_put(cx: Context, collection: Collection) -> Checked {
    let created = collection.create(NAME).await?;
    let mut body = minimal(&collection);
    body["metadata"]["resourceVersion"] = created.version().into();

    let put = cx.send(Request::put(collection.path_of(NAME), &body)).await?;

    put.expect_status(&[200])?;
    let got = collection.get(NAME).await?;
    let shown = got.object()?;
    let left_out = body.pointer(collection.value_at()).is_none();
    got.expect(!left_out || shown.value().is_empty(), "no value: it was left out", shown.value())
}

async fn validation_required_unset_on_post(cx: Context, Deployments(collection): Deployments) -> Checked {
    let mut body = deployments::body(NAME);
    remove(&mut body["spec"], "selector");
    let refused = cx.send(Request::post(collection.path(), &body)).await?;
    expect_cause(&refused, "spec.selector", "FieldValueRequired")?;
    expect_absent(&collection, NAME).await?;

    let custom = cx.open_custom_resources().await?;
    let refused = cx.send(Request::post(custom.path(), &custom.body(NAME, "first"))).await?;
    expect_cause(&refused, "spec.size", "FieldValueRequired")?;
    expect_absent(&custom, NAME).await
}

async fn validation_required_unset_on_put(cx: Context, Deployments(collection): Deployments) -> Checked {
    let without = |body: &mut Value| remove(&mut body["spec"]["template"]["spec"], "containers");
    is_missed(&cx, &collection, deployments::body(NAME), without, "spec.template.spec.containers").await?;

    let custom = cx.open_custom_resources().await?;
    let mut body = custom.body(NAME, "first");
    body["spec"]["size"] = json!(1);
    is_missed(&cx, &custom, body, |body| remove(&mut body["spec"], "size"), "spec.size").await
}

/// An update that leaves out what was there is refused for lack of that field, and changes nothing.
async fn is_missed(
    cx: &Context,
    collection: &Collection,
    whole: Value,
    leave_out: fn(&mut Value),
    field: &str,
) -> Checked {
    let before = collection.create_body(&whole).await?;
    let mut body = whole;
    leave_out(&mut body);
    body["metadata"]["resourceVersion"] = before.version().into();

    let refused = cx.send(Request::put(collection.path_of(NAME), &body)).await?;

    expect_cause(&refused, field, "FieldValueRequired")?;
    expect_unchanged(collection, NAME, &before).await
}

async fn validation_default_only_if_valid_input(cx: Context, collection: Collection) -> Checked {
    let (body, _) = BESIDE_A_DEFAULT.of(&collection)?;

    let refused = cx.send(Request::post(collection.path(), &body)).await?;

    refused.expect_error(&[422], &["Invalid"])?;
    expect_absent(&collection, NAME).await
}
