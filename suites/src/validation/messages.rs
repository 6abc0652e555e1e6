//! The wording of validation messages.

use harness::invariant;
use harness::invariant::{CheckResult, kept};

use super::expect_cause;
use super::rejections::{VALUES, expect_words, with_spec, with_values};
use crate::error_response::{causes, group};
use crate::openapi::is_of_the_project;
use crate::prelude::*;

/// The rule and the scenarios of this file.
pub(super) fn rows() -> Vec<Row> {
    vec![
        invariant("validation-message-must", says_nothing_of_should),
        row!(validation_message_may_not).own_kinds(),
        row!(validation_message_inequalities_in_words).own_kinds(),
    ]
}

/// Custom types, and their definitions, are known for other words.
fn says_nothing_of_should(exchange: &Exchange) -> CheckResult {
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

async fn validation_message_may_not(cx: Context, Deployments(collection): Deployments) -> Checked {
    let refused = cx.send(with_values(&collection)).await?;
    expect_words(&refused, VALUES, "FieldValueForbidden", &["may not be specified when"])?;

    let stored = StoredObject::create_among(&cx, cx.configmaps().await?).await?;
    let forced = Request::merge_patch(stored.path(), &json!({})).query("force", true);
    let refused = cx.send(forced).await?;
    expect_words(&refused, "force", "FieldValueForbidden", &["may not be specified for non-apply patch"])
}

/// Signs and words that others than "greater than or equal to" are.
const OTHER_WORDS: [&str; 7] = ["<", ">", "=", "larger", "bigger", "more than", "higher"];

async fn validation_message_inequalities_in_words(
    cx: Context,
    Deployments(collection): Deployments,
) -> Checked {
    for field in ["replicas", "minReadySeconds", "revisionHistoryLimit"] {
        let refused = cx.send(with_spec(&collection, field, json!(-1))).await?;

        let cause = expect_cause(&refused, &format!("spec.{field}"), "FieldValueInvalid")?;
        let other = OTHER_WORDS.iter().find(|word| why(cause).contains(**word));
        refused.expect(other.is_none(), "an inequality as greater than or equal to", why(cause))?;
    }
    Ok(())
}
