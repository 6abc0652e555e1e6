//! The field and the valid values in validation errors.

use harness::{Checked, Collection, Context, Halt, Request};
use serde_json::{Value, json};

use super::{expect_cause, unknown};
use crate::object_fixture::NAME;

rows![
    validation_precise.with_status(),
    validation_tells_what_is_allowed.with_status(),
    validation_list_uniqueness_checked.with_status(),
];

/// An object with something wrong in it, and in which field.
type Wrong = (Value, &'static str);

/// The field of the first container, or of the spec of a custom object, holds this.
fn with(things: &Collection, container: (&str, Value), custom: (&str, Value)) -> Option<Value> {
    let mut body = things.body(NAME, "first");
    match things.resource().plural.as_str() {
        "deployments" => body["spec"]["template"]["spec"]["containers"][0][container.0] = container.1,
        "gadgets" => body["spec"][custom.0] = custom.1,
        _ => return None,
    }
    Some(body)
}

async fn refused(
    cx: &Context,
    things: &Collection,
    wrong: Option<Wrong>,
    reason: &str,
) -> Result<(std::sync::Arc<harness::Exchange>, Value), Halt> {
    let (body, field) = wrong.ok_or_else(|| unknown(things))?;
    let refused = cx.send(Request::post(things.path(), &body)).await?;
    let cause = expect_cause(&refused, field, reason)?.clone();
    Ok((refused, cause))
}

/// The field of deployments, or that of custom objects.
fn field(things: &Collection, of_deployments: &'static str, custom: &'static str) -> &'static str {
    if things.resource().plural == "deployments" { of_deployments } else { custom }
}

async fn validation_precise(cx: Context, things: Collection) -> Checked {
    let variables = json!([{ "name": "FIRST" }, { "value": "of no name" }]);
    let ports = json!([{ "name": "first" }, { "port": 2 }]);
    let place = field(&things, "spec.template.spec.containers[0].env[1].name", "spec.ports[1].name");

    let wrong = with(&things, ("env", variables), ("ports", ports)).map(|body| (body, place));

    refused(&cx, &things, wrong, "FieldValueRequired").await.map(drop)
}

async fn validation_tells_what_is_allowed(cx: Context, things: Collection) -> Checked {
    let nope = json!("Nope");
    let place = field(&things, "spec.template.spec.containers[0].imagePullPolicy", "spec.colour");
    let wrong = with(&things, ("imagePullPolicy", nope.clone()), ("colour", nope)).map(|body| (body, place));

    let (refused, cause) = refused(&cx, &things, wrong, "FieldValueNotSupported").await?;

    let choices: [&str; 3] = if things.resource().plural == "deployments" {
        ["Always", "IfNotPresent", "Never"]
    } else {
        ["red", "green", "blue"]
    };
    let message = cause["message"].as_str().unwrap_or_default();
    let listed = choices.iter().all(|choice| message.contains(choice));
    refused.expect(listed, format!("a message that lists {}", choices.join(", ")), message)
}

async fn validation_list_uniqueness_checked(cx: Context, things: Collection) -> Checked {
    let ports = json!([{ "name": "first" }, { "name": "first" }]);
    let mut body = with(&things, ("env", json!([])), ("ports", ports)).ok_or_else(|| unknown(&things))?;
    let containers = body.pointer_mut("/spec/template/spec/containers").and_then(Value::as_array_mut);
    if let Some(containers) = containers {
        containers.extend(containers.first().cloned());
    }
    let place = field(&things, "spec.template.spec.containers[1].name", "spec.ports[1]");

    refused(&cx, &things, Some((body, place)), "FieldValueDuplicate").await.map(drop)
}
