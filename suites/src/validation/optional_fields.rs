//! Optional, required and defaulted fields.

use super::expect_cause;
use crate::deployments;
use crate::fields::remove;
use crate::known_validation::BESIDE_A_DEFAULT;
use crate::prelude::*;
use crate::unchanged_object::expect_same_content;

rows![
    validation_optional_unset_on_post,
    validation_optional_unset_on_put,
    validation_required_unset_on_post.own_kinds(),
    validation_required_unset_on_put.own_kinds(),
    validation_default_only_if_valid_input.with_status(),
];

/// How often an update is sent that meets another one.
const MOST_ATTEMPTS: usize = 5;

/// An object without optional fields, as far as they are known.
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
    let object = got.object()?;
    let omitted = body.pointer(collection.value_at()).is_none();
    got.expect(!omitted || object.value().is_empty(), "no value: the PUT omits it", object.value())
}

async fn validation_required_unset_on_post(cx: Context, Deployments(collection): Deployments) -> Checked {
    let mut body = deployments::body(NAME);
    remove(&mut body["spec"], "selector");
    expect_create_rejected(&cx, &collection, &body, "spec.selector").await?;

    let custom = cx.open_custom_resources().await?;
    expect_create_rejected(&cx, &custom, &custom.body(NAME, "first"), "spec.size").await
}

/// The server rejects a create that omits a required field.
async fn expect_create_rejected(cx: &Context, collection: &Collection, body: &Value, field: &str) -> Checked {
    let response = cx.send(Request::post(collection.path(), body)).await?;
    expect_cause(&response, field, "FieldValueRequired")?;
    expect_absent(collection, NAME).await
}

async fn validation_required_unset_on_put(cx: Context, Deployments(collection): Deployments) -> Checked {
    let body = deployments::body(NAME);
    expect_put_rejected(&cx, &collection, body, "/spec/template/spec", "containers").await?;

    let custom = cx.open_custom_resources().await?;
    let mut body = custom.body(NAME, "first");
    body["spec"]["size"] = json!(1);
    expect_put_rejected(&cx, &custom, body, "/spec", "size").await
}

/// The server rejects a PUT that omits a required field, and stores the object as before.
async fn expect_put_rejected(
    cx: &Context,
    collection: &Collection,
    mut body: Value,
    parent: &str,
    field: &str,
) -> Checked {
    collection.create_body(&body).await?;
    body.pointer_mut(parent).into_iter().for_each(|parent| remove(parent, field));

    let (before, response) = put_at_current_version(cx, collection, &mut body).await?;

    let path = format!("{}.{field}", parent.trim_start_matches('/').replace('/', "."));
    expect_cause(&response, &path, "FieldValueRequired")?;
    expect_same_content(collection, NAME, &before).await
}

/// Reads the object and updates it; again if another client was faster: a controller writes the status of a new Deployment.
async fn put_at_current_version(
    cx: &Context,
    collection: &Collection,
    body: &mut Value,
) -> Result<(Object, Arc<Exchange>), Halt> {
    let mut attempts = 0;
    loop {
        let before = collection.get(NAME).await?.object()?;
        body["metadata"]["resourceVersion"] = before.version().into();
        let put = cx.send(Request::put(collection.path_of(NAME), body)).await?;
        attempts += 1;
        if put.status() != 409 || attempts == MOST_ATTEMPTS {
            return Ok((before, put));
        }
    }
}

async fn validation_default_only_if_valid_input(cx: Context, collection: Collection) -> Checked {
    let (body, _) = BESIDE_A_DEFAULT.of(&collection)?;

    let response = cx.send(Request::post(collection.path(), &body)).await?;

    response.expect_error(&[422], &["Invalid"])?;
    expect_absent(&collection, NAME).await
}
