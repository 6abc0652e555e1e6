//! Custom resources with `x-kubernetes-preserve-unknown-fields`.

use harness::{Checked, Collection, Context};
use serde_json::{Value, json};

use super::unknown_fields::expect_dropped;
use super::{UNKNOWN, at, post, warning};
use crate::scenario::OpenCustomResources;
use crate::unchanged_object::expect_absent;

rows![
    fieldval_preserve_unknown_kept.own_kinds(),
    fieldval_preserve_unknown_not_reported.own_kinds(),
    fieldval_preserve_unknown_metadata_still_checked.own_kinds(),
    fieldval_embedded_metadata_checked.own_kinds(),
];

/// An object of the type, of some size; not yet sent.
pub(crate) fn body(things: &Collection, name: &str, size: &Value) -> Value {
    let ty = things.resource();
    json!({
        "apiVersion": ty.api_version(),
        "kind": ty.kind,
        "metadata": { "name": name },
        "spec": { "size": size },
    })
}

/// With fields that only the schema's leave lets in.
fn with_any(things: &Collection, name: &str) -> Value {
    let mut body = body(things, name, &json!(1));
    body["spec"]["any"] = json!({ "thing": [1, "two"] });
    body
}

async fn fieldval_preserve_unknown_kept(
    cx: Context,
    OpenCustomResources(things): OpenCustomResources,
) -> Checked {
    let body = with_any(&things, "a");

    let created = cx.send(post(&things, &body)).await?;

    created.expect_status(&[201])?;
    let got = things.get("a").await?;
    for answer in [&*created, &*got] {
        let object = answer.object()?;
        let spec = &object.json()["spec"];
        answer.expect(*spec == body["spec"], format!("the spec {}", body["spec"]), spec.to_string())?;
    }
    Ok(())
}

async fn fieldval_preserve_unknown_not_reported(
    cx: Context,
    OpenCustomResources(things): OpenCustomResources,
) -> Checked {
    for (name, level) in [("a", "Strict"), ("b", "Warn")] {
        let created = cx.send(at(level, post(&things, &with_any(&things, name)))).await?;
        created.expect_status(&[201])?;
        warning::expect_none(&created, "any")?;
    }
    Ok(())
}

async fn fieldval_preserve_unknown_metadata_still_checked(
    cx: Context,
    OpenCustomResources(things): OpenCustomResources,
) -> Checked {
    let mut body = with_any(&things, "a");
    body["metadata"][UNKNOWN] = json!(1);

    is_reported(&cx, &things, &body, "metadata.assayUnknown").await
}

async fn fieldval_embedded_metadata_checked(
    cx: Context,
    OpenCustomResources(things): OpenCustomResources,
) -> Checked {
    let mut body = with_any(&things, "a");
    let metadata = json!({ "name": "embedded", UNKNOWN: 1 });
    body["spec"]["template"] = json!({ "apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata });

    is_reported(&cx, &things, &body, "spec.template.metadata.assayUnknown").await
}

/// A field of metadata is a reason to refuse, or to warn and to drop it.
async fn is_reported(cx: &Context, things: &Collection, body: &Value, field: &str) -> Checked {
    let refused = cx.send(at("Strict", post(things, body))).await?;
    let status = refused.expect_error(&[400], &["BadRequest"])?;
    let named = status["message"].as_str().is_some_and(|message| message.contains(field));
    refused.expect(named, format!("a message that names {field}"), refused.brief())?;
    expect_absent(things, "a").await?;

    let created = cx.send(at("Warn", post(things, body))).await?;
    created.expect_status(&[201])?;
    warning::expect(&created, field)?;
    expect_dropped(things, &created, &[&field.replace('.', "/")]).await
}
