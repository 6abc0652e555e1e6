//! The wording of validation messages.

use std::sync::Arc;

use harness::ambient::{Ruling, kept};
use harness::{Checked, Context, Exchange, Halt, Request, Row, invariant, row};
use serde_json::{Value, json};

use super::expect_cause;
use crate::deployments;
use crate::error_response::{causes, group};
use crate::object_fixture::{NAME, Stored};
use crate::openapi::is_of_the_project;

/// The rule and the scenarios of this file.
pub(super) fn rows() -> Vec<Row> {
    vec![
        row("validation-message-must", validation_message_must).own_kinds(),
        invariant("validation-message-must", says_nothing_of_should),
        row("validation-message-must-not", validation_message_must_not).own_kinds(),
        row("validation-message-may-not", validation_message_may_not).own_kinds(),
        row("validation-message-literals-single-quoted", validation_message_literals_single_quoted)
            .own_kinds(),
        row("validation-message-fields-backquoted", validation_message_fields_backquoted).own_kinds(),
        row("validation-message-inequalities-in-words", validation_message_inequalities_in_words).own_kinds(),
    ]
}

/// Custom types, and their definitions, are known for other words.
fn says_nothing_of_should(exchange: &Exchange) -> Ruling {
    let group = group(exchange);
    let causes = causes(exchange).filter(|_| is_of_the_project(group) && group != "apiextensions.k8s.io")?;
    let wrong = causes.into_iter().find(|cause| why(cause).contains(" should "));
    Some(kept(wrong.is_none(), "must, and never should", || {
        wrong.map(ToString::to_string).unwrap_or_default()
    }))
}

/// The message of a cause.
fn why(cause: &Value) -> &str {
    cause["message"].as_str().unwrap_or_default()
}

fn expect_words(refused: &Exchange, cause: &Value, words: &str) -> Checked {
    let message = why(cause);
    refused.expect(message.contains(words), format!("a message with {words:?}"), message)
}

/// A create of a Deployment with this in its spec.
async fn refused(cx: &Context, field: &str, value: Value) -> Result<Arc<Exchange>, Halt> {
    let things = deployments::collection(cx).await?;
    let mut body = deployments::body(NAME);
    body["spec"][field] = value;
    cx.send(Request::post(things.path(), &body)).await
}

async fn validation_message_must(cx: Context) -> Checked {
    let refused = refused(&cx, "replicas", json!(-1)).await?;

    let cause = expect_cause(&refused, "spec.replicas", "FieldValueInvalid")?;
    expect_words(&refused, cause, "must be greater than or equal to 0")
}

async fn validation_message_must_not(cx: Context) -> Checked {
    let things = cx.configmaps().await?;
    let mut body = things.body(NAME, "first");
    body["data"][".."] = "text".into();

    let refused = cx.send(Request::post(things.path(), &body)).await?;

    let cause = expect_cause(&refused, "data[..]", "FieldValueInvalid")?;
    expect_words(&refused, cause, "must not")
}

/// A selector that gives values to an operator that takes none.
async fn values_too_many(cx: &Context) -> Result<(Arc<Exchange>, Value), Halt> {
    let expression = json!({ "key": "assay", "operator": "Exists", "values": ["x"] });
    let selector = json!({ "matchLabels": { "assay": NAME }, "matchExpressions": [expression] });
    let refused = refused(cx, "selector", selector).await?;
    let field = "spec.selector.matchExpressions[0].values";
    let cause = expect_cause(&refused, field, "FieldValueForbidden")?.clone();
    Ok((refused, cause))
}

async fn validation_message_may_not(cx: Context) -> Checked {
    let (refused, cause) = values_too_many(&cx).await?;
    expect_words(&refused, &cause, "may not be specified when")?;

    let stored = Stored::create_among(&cx, cx.configmaps().await?).await?;
    let forced = Request::merge_patch(stored.path(), &json!({})).query("force", true);
    let refused = cx.send(forced).await?;
    let cause = expect_cause(&refused, "force", "FieldValueForbidden")?;
    expect_words(&refused, cause, "may not be specified for non-apply patch")
}

async fn validation_message_literals_single_quoted(cx: Context) -> Checked {
    let (refused, cause) = values_too_many(&cx).await?;

    expect_words(&refused, &cause, "'Exists'")
}

async fn validation_message_fields_backquoted(cx: Context) -> Checked {
    let (refused, cause) = values_too_many(&cx).await?;

    expect_words(&refused, &cause, "`operator`")
}

/// Signs and words that others than "greater than or equal to" are.
const OTHER_WORDS: [&str; 7] = ["<", ">", "=", "larger", "bigger", "more than", "higher"];

async fn validation_message_inequalities_in_words(cx: Context) -> Checked {
    for field in ["replicas", "minReadySeconds", "revisionHistoryLimit"] {
        let refused = refused(&cx, field, json!(-1)).await?;

        let cause = expect_cause(&refused, &format!("spec.{field}"), "FieldValueInvalid")?;
        let other = OTHER_WORDS.iter().find(|word| why(cause).contains(**word));
        refused.expect(other.is_none(), "an inequality as greater than or equal to", why(cause))?;
    }
    Ok(())
}
