//! Custom resources with `x-kubernetes-preserve-unknown-fields`.

use super::unknown_fields::expect_dropped;
use super::{UNKNOWN, at, post, warning};
use crate::prelude::*;

rows![
    fieldval_preserve_unknown_kept.own_kinds(),
    fieldval_preserve_unknown_not_reported.own_kinds(),
    fieldval_preserve_unknown_metadata_still_checked.own_kinds(),
    fieldval_embedded_metadata_checked.own_kinds(),
];

/// An object of the type with this size; not yet sent.
pub(crate) fn body(collection: &Collection, name: &str, size: &Value) -> Value {
    let ty = collection.resource();
    json!({
        "apiVersion": ty.api_version(),
        "kind": ty.kind,
        "metadata": { "name": name },
        "spec": { "size": size },
    })
}

/// The same with a field that only `x-kubernetes-preserve-unknown-fields` allows.
fn with_any(collection: &Collection, name: &str) -> Value {
    let mut body = body(collection, name, &json!(1));
    body["spec"]["any"] = json!({ "thing": [1, "two"] });
    body
}

async fn fieldval_preserve_unknown_kept(cx: Context, collection: OpenCustomResources) -> Checked {
    let body = with_any(&collection, "a");

    let created = cx.send(post(&collection, &body)).await?;

    created.expect_status(&[201])?;
    created.expect_value("/spec", &body["spec"])?;
    collection.get("a").await?.expect_value("/spec", &body["spec"])
}

async fn fieldval_preserve_unknown_not_reported(cx: Context, collection: OpenCustomResources) -> Checked {
    for (name, level) in [("a", "Strict"), ("b", "Warn")] {
        let created = cx.send(at(level, post(&collection, &with_any(&collection, name)))).await?;
        created.expect_status(&[201])?;
        warning::expect_none(&created, "any")?;
    }
    Ok(())
}

async fn fieldval_preserve_unknown_metadata_still_checked(
    cx: Context,
    collection: OpenCustomResources,
) -> Checked {
    let mut body = with_any(&collection, "a");
    body["metadata"][UNKNOWN] = json!(1);

    is_reported(&cx, &collection, &body, "metadata.assayUnknown").await
}

async fn fieldval_embedded_metadata_checked(cx: Context, collection: OpenCustomResources) -> Checked {
    let mut body = with_any(&collection, "a");
    let metadata = json!({ "name": "embedded", UNKNOWN: 1 });
    body["spec"]["template"] = json!({ "apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata });

    is_reported(&cx, &collection, &body, "spec.template.metadata.assayUnknown").await
}

/// The server rejects the field at level Strict; at level Warn it drops the field with a warning.
async fn is_reported(cx: &Context, collection: &Collection, body: &Value, field: &str) -> Checked {
    let refused = cx.send(at("Strict", post(collection, body))).await?;
    let status = refused.expect_error(&[400], &["BadRequest"])?;
    let named = status["message"].as_str().is_some_and(|message| message.contains(field));
    refused.expect(named, format!("a message with {field}"), refused.brief())?;
    expect_absent(collection, "a").await?;

    let created = cx.send(at("Warn", post(collection, body))).await?;
    created.expect_status(&[201])?;
    warning::expect(&created, field)?;
    expect_dropped(collection, &created, &[&field.replace('.', "/")]).await
}
