//! `details.causes` of a Status.

use harness::invariant::{Breach, CheckResult, ExchangeCheck, kept};
use harness::invariants;

use super::invariants::every_refusal_keeps_a_rule;
use crate::error_response::{causes, group, is_word, refusal};
use crate::known_validation::SECOND_ITEM;
use crate::openapi::is_of_the_project;
use crate::prelude::*;

/// The invariant checks, and scenarios that provoke what they judge.
pub(super) fn rows() -> Vec<Row> {
    let index = row!(status_object_cause_field_zero_based).with_status();
    [table(RULES, Kinds::All, every_refusal_keeps_a_rule), vec![index], invariants(RULES)].concat()
}

#[rustfmt::skip]
const RULES: &[(&str, ExchangeCheck)] = &[
    ("status-object-cause-field-syntax",   |exchange| of_each_cause(exchange, has_a_path_as_field)),
    ("status-object-invalid-causes",       has_causes),
    ("status-object-invalid-cause-reason", |exchange| of_each_cause(exchange, has_a_word_as_reason)),
    ("status-object-invalid-cause-message", |exchange| of_each_cause(exchange, has_a_message)),
    ("status-object-invalid-cause-field",  |exchange| of_each_cause(exchange, has_a_field)),
];

/// Whether all causes of a refusal keep a rule.
fn of_each_cause(exchange: &Exchange, rule: fn(&Exchange, &Value) -> Result<(), Breach>) -> CheckResult {
    let causes = causes(exchange)?;
    Some(causes.into_iter().try_for_each(|cause| rule(exchange, cause)))
}

/// Patches that cannot be carried out, wrong options, and who decides on admission may be told without.
fn has_causes(exchange: &Exchange) -> CheckResult {
    let written = ["POST", "PUT"].contains(&exchange.request.method.as_str());
    let invalid = exchange.status() == 422 && written;
    let denied = |status: &Value| status["message"].to_string().contains("denied");
    refusal(exchange).filter(|status| invalid && status["reason"] == "Invalid" && !denied(status)).map(
        |status| {
            let causes = status["details"]["causes"].as_array();
            kept(
                causes.is_some_and(|causes| !causes.is_empty()),
                "one cause or more in details.causes",
                || status["details"].to_string(),
            )
        },
    )
}

/// A path as JavaScript writes it: no slash at its beginning and, but for what a definition says of a custom type, no dot.
fn has_a_path_as_field(exchange: &Exchange, cause: &Value) -> Result<(), Breach> {
    let field = cause["field"].as_str().unwrap_or_default();
    let no_path = field.starts_with('/') || field.starts_with('.') && is_of_the_project(group(exchange));
    kept(!no_path, "a field like spec.containers[1].name", || field.to_owned())
}

fn has_a_word_as_reason(_: &Exchange, cause: &Value) -> Result<(), Breach> {
    let reason = &cause["reason"];
    kept(reason.as_str().is_some_and(is_word), "a cause with a word as reason", || cause.to_string())
}

fn has_a_message(_: &Exchange, cause: &Value) -> Result<(), Breach> {
    let told = cause["message"].as_str().is_some_and(|message| !message.is_empty());
    kept(told, "a cause with a message", || cause.to_string())
}

/// A rule of a custom type may be about the object as a whole; metadata has fields in every type.
fn has_a_field(exchange: &Exchange, cause: &Value) -> Result<(), Breach> {
    let field = cause["field"].as_str().unwrap_or_default();
    let of_the_whole = !is_of_the_project(group(exchange)) && !cause.to_string().contains("label");
    kept(!field.is_empty() || of_the_whole, "a cause with a field", || cause.to_string())
}

async fn status_object_cause_field_zero_based(cx: Context, collection: Collection) -> Checked {
    let (body, mistake) = SECOND_ITEM.of(&collection)?;

    let refused = cx.send(Request::post(collection.path(), &body)).await?;

    refused.expect_error(&[422], &["Invalid"])?;
    let fields: Vec<_> =
        causes(&refused).into_iter().flatten().filter_map(|cause| cause["field"].as_str()).collect();
    let field = mistake.field;
    refused.expect(fields.contains(&field), format!("a cause with the field {field}"), fields.join(", "))
}
