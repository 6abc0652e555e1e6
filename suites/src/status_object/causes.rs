//! `details.causes` of a Status.

use harness::invariant::{Breach, CheckResult, ExchangeCheck, ensure};
use harness::invariants;

use super::invariants::every_rejection_keeps;
use crate::error_response::{causes, group, is_word, refusal};
use crate::known_validation::SECOND_ITEM;
use crate::openapi::is_of_the_project;
use crate::prelude::*;

/// The invariant checks, and scenarios whose responses they judge.
pub(super) fn rows() -> Vec<Row> {
    let index = row!(status_object_cause_field_zero_based).with_status();
    [table(RULES, Kinds::All, every_rejection_keeps), vec![index], invariants(RULES)].concat()
}

#[rustfmt::skip]
const RULES: &[(&str, ExchangeCheck)] = &[
    ("status-object-cause-field-syntax",   |exchange| of_each_cause(exchange, has_a_path_as_field)),
    ("status-object-invalid-causes",       has_causes),
    ("status-object-invalid-cause-reason", |exchange| of_each_cause(exchange, has_a_word_as_reason)),
    ("status-object-invalid-cause-message", |exchange| of_each_cause(exchange, has_a_message)),
    ("status-object-invalid-cause-field",  |exchange| of_each_cause(exchange, has_a_field)),
];

fn of_each_cause(exchange: &Exchange, check: fn(&Exchange, &Value) -> Result<(), Breach>) -> CheckResult {
    let causes = causes(exchange)?;
    Some(causes.into_iter().try_for_each(|cause| check(exchange, cause)))
}

/// Not of patches that cannot be applied, invalid options, and rejections by admission: they may have no causes.
fn has_causes(exchange: &Exchange) -> CheckResult {
    let written = ["POST", "PUT"].contains(&exchange.request.method.as_str());
    let status = refusal(exchange).filter(|_| exchange.status() == 422 && written)?;
    if status["reason"] != "Invalid" || status["message"].to_string().contains("denied") {
        return None;
    }
    let some = status["details"]["causes"].as_array().is_some_and(|causes| !causes.is_empty());
    Some(ensure(some, "one cause or more in details.causes", || status["details"].to_string()))
}

/// A path in the syntax of JavaScript: no leading slash and, except for custom types with rules of their own, no leading
/// dot.
fn has_a_path_as_field(exchange: &Exchange, cause: &Value) -> Result<(), Breach> {
    let field = cause["field"].as_str().unwrap_or_default();
    let no_path = field.starts_with('/') || field.starts_with('.') && is_of_the_project(group(exchange));
    ensure(!no_path, "a field like spec.containers[1].name", || field.to_owned())
}

fn has_a_word_as_reason(_: &Exchange, cause: &Value) -> Result<(), Breach> {
    let reason = &cause["reason"];
    ensure(reason.as_str().is_some_and(is_word), "a cause with a word as reason", || cause.to_string())
}

fn has_a_message(_: &Exchange, cause: &Value) -> Result<(), Breach> {
    let some = cause["message"].as_str().is_some_and(|message| !message.is_empty());
    ensure(some, "a cause with a message", || cause.to_string())
}

/// A validation rule of a custom type may be about the whole object, except for metadata.
fn has_a_field(exchange: &Exchange, cause: &Value) -> Result<(), Breach> {
    let field = cause["field"].as_str().unwrap_or_default();
    let of_the_whole = !is_of_the_project(group(exchange)) && !cause.to_string().contains("label");
    ensure(!field.is_empty() || of_the_whole, "a cause with a field", || cause.to_string())
}

async fn status_object_cause_field_zero_based(cx: Context, collection: Collection) -> Checked {
    let (body, invalid) = SECOND_ITEM.of(&collection)?;

    let response = cx.send(Request::post(collection.path(), &body)).await?;

    response.expect_error(&[422], &["Invalid"])?;
    let causes = causes(&response).into_iter().flatten();
    let fields: Vec<_> = causes.filter_map(|cause| cause["field"].as_str()).collect();
    let expected = format!("a cause with the field {}", invalid.field);
    response.expect(fields.contains(&invalid.field), expected, fields.join(", "))
}
