//! Required and optional fields.

use super::{post, preserve_unknown_fields};
use crate::deployments;
use crate::prelude::*;
use crate::unchanged_object::expect_unchanged;

rows![
    fieldval_optional_omitted_ok.own_kinds(),
    fieldval_required_missing_error.own_kinds(),
    fieldval_required_missing_on_put.own_kinds(),
];

async fn fieldval_optional_omitted_ok(cx: Context, collection: ConfigMaps) -> Checked {
    let mut body = collection.body("a", "first");
    if let Some(fields) = body.as_object_mut() {
        fields.retain(|name, _| ["apiVersion", "kind", "metadata"].contains(&name.as_str()));
    }

    let created = cx.send(post(&collection, &body)).await?;

    created.expect_status(&[201])?;
    collection.get("a").await?.object().map(drop)
}

async fn fieldval_required_missing_error(cx: Context, collection: Deployments) -> Checked {
    let mut body = deployments::body("a");
    body["spec"]["template"]["spec"] = json!({ "automountServiceAccountToken": false });
    expect_invalid(&cx, &collection, &body).await?;

    let custom = cx.open_custom_resources().await?;
    let mut body = preserve_unknown_fields::body(&custom, "a", &json!(1));
    body["spec"] = json!({ "any": 1 });
    expect_invalid(&cx, &custom, &body).await
}

/// The server rejects a create without a required field. Causes are optional.
async fn expect_invalid(cx: &Context, collection: &Collection, body: &Value) -> Checked {
    let refused = cx.send(post(collection, body)).await?;

    refused.expect_error(&[422], &["Invalid"])?;
    expect_absent(collection, "a").await
}

async fn fieldval_required_missing_on_put(cx: Context, collection: OpenCustomResources) -> Checked {
    collection.create_body(&preserve_unknown_fields::body(&collection, "a", &json!(1))).await?;
    let before = collection.get("a").object().await?;
    let mut body = before.json().clone();
    body["spec"] = json!({ "any": 1 });

    let refused = cx.send(Request::put(collection.path_of("a"), &body)).await?;

    refused.expect_error(&[422], &["Invalid"])?;
    expect_unchanged(&collection, "a", &before).await
}
