//! The wording of validation messages.

use harness::invariant;
use harness::invariant::{CheckResult, ensure};

use super::expect_cause;
use super::rejections::{VALUES, expect_words, with_spec, with_values};
use crate::error_response::{causes, group};
use crate::openapi::is_of_the_project;
use crate::prelude::*;

pub(super) fn rows() -> Vec<Row> {
    vec![
        invariant("validation-message-must", has_no_should),
        row!(validation_message_may_not).own_kinds(),
        row!(validation_message_inequalities_in_words).own_kinds(),
    ]
}

/// Groups whose messages use other words: those about definitions, and the one about a series of events.
const OTHERS: [&str; 2] = ["apiextensions.k8s.io", "events.k8s.io"];

/// Messages about custom types use other words.
fn has_no_should(exchange: &Exchange) -> CheckResult {
    let group = group(exchange);
    let causes = causes(exchange).filter(|_| is_of_the_project(group) && !OTHERS.contains(&group))?;
    let wrong = causes.into_iter().find(|cause| message(cause).contains(" should "));
    let actual = || wrong.map(ToString::to_string).unwrap_or_default();
    Some(ensure(wrong.is_none(), "must, and never should", actual))
}

fn message(cause: &Value) -> &str {
    cause["message"].as_str().unwrap_or_default()
}

async fn validation_message_may_not(cx: Context, Deployments(collection): Deployments) -> Checked {
    let with_values = cx.send(with_values(&collection)).await?;
    expect_words(&with_values, VALUES, "FieldValueForbidden", &["may not be specified when"])?;

    let stored = StoredObject::create_among(&cx, cx.configmaps().await?).await?;
    let forced = cx.send(stored.patch(MERGE, &json!({})).query("force", true)).await?;
    expect_words(&forced, "force", "FieldValueForbidden", &["may not be specified for non-apply patch"])
}

/// Signs and words for inequalities other than "greater than or equal to".
const OTHER_WORDS: [&str; 7] = ["<", ">", "=", "larger", "bigger", "more than", "higher"];

async fn validation_message_inequalities_in_words(
    cx: Context,
    Deployments(collection): Deployments,
) -> Checked {
    for field in ["replicas", "minReadySeconds", "revisionHistoryLimit"] {
        let response = cx.send(with_spec(&collection, field, json!(-1))).await?;

        let cause = expect_cause(&response, &format!("spec.{field}"), "FieldValueInvalid")?;
        let other = OTHER_WORDS.iter().any(|word| message(cause).contains(word));
        response.expect(!other, "a message with \"greater than or equal to\"", message(cause))?;
    }
    Ok(())
}
