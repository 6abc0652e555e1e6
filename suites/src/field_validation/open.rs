//! A custom type that keeps what its schema does not know, except in metadata.

use harness::{Collection, Context, Halt, Suite};
use serde_json::{Value, json};

use super::unknown::expect_dropped;
use super::{UNKNOWN, at, post, warning};
use crate::unchanged::expect_absent;

/// Adds the scenarios of this file.
pub(super) fn add(suite: Suite) -> Suite {
    suite
        .scenario("fieldval-preserve-unknown-kept", what_the_schema_lets_in_is_kept)
        .scenario("fieldval-preserve-unknown-not-reported", what_the_schema_lets_in_is_no_reason_to_warn)
        .scenario("fieldval-preserve-unknown-metadata-still-checked", metadata_is_checked_all_the_same)
        .scenario("fieldval-embedded-metadata-checked", metadata_of_an_embedded_object_is_checked)
}

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

async fn what_the_schema_lets_in_is_kept(cx: Context) -> Result<(), Halt> {
    let things = cx.open_custom_resources().await?;
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

async fn what_the_schema_lets_in_is_no_reason_to_warn(cx: Context) -> Result<(), Halt> {
    let things = cx.open_custom_resources().await?;

    for (name, level) in [("a", "Strict"), ("b", "Warn")] {
        let created = cx.send(at(level, post(&things, &with_any(&things, name)))).await?;
        created.expect_status(&[201])?;
        warning::expect_none(&created, "any")?;
    }
    Ok(())
}

async fn metadata_is_checked_all_the_same(cx: Context) -> Result<(), Halt> {
    let things = cx.open_custom_resources().await?;
    let mut body = with_any(&things, "a");
    body["metadata"][UNKNOWN] = json!(1);

    is_reported(&cx, &things, &body, "metadata.assayUnknown").await
}

async fn metadata_of_an_embedded_object_is_checked(cx: Context) -> Result<(), Halt> {
    let things = cx.open_custom_resources().await?;
    let mut body = with_any(&things, "a");
    let metadata = json!({ "name": "embedded", UNKNOWN: 1 });
    body["spec"]["template"] = json!({ "apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata });

    is_reported(&cx, &things, &body, "spec.template.metadata.assayUnknown").await
}

/// A field of metadata is a reason to refuse, or to warn and to drop it.
async fn is_reported(cx: &Context, things: &Collection, body: &Value, field: &str) -> Result<(), Halt> {
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
