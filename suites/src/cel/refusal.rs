//! Refusals of definitions, and rejections of objects.

use super::table::{Mark, RuleRow};
use crate::error_response::causes;
use crate::prelude::*;

/// Whether a response is a verdict about what was sent, and not about the user, the load or the server.
fn is_verdict(response: &Exchange) -> bool {
    response.succeeded() || [400, 422, 500].contains(&response.status())
}

/// Fails unless the server found what was sent right or wrong.
pub(super) fn expect_verdict(cx: &Context, response: &Exchange, what: &str) -> Checked {
    if is_verdict(response) {
        return Ok(());
    }
    Err(cx.test_error(format!("find out whether {what}"), response.brief()).into())
}

/// The server refuses a definition because of its rules.
pub(super) fn expect_refused(cx: &Context, response: &Exchange, rule: &str, names_rule: bool) -> Checked {
    expect_verdict(cx, response, &format!("the server refuses {rule}"))?;
    let expected = format!("HTTP 422: the server refuses {rule}");
    response.expect(response.status() == 422, &expected, response.brief())?;
    response.expect_error(&[422], &["Invalid"])?;
    let named = named_fields(response);
    if names_rule {
        let field = "a cause whose field ends in x-kubernetes-validations[0].rule";
        let found = named.iter().any(|field| field.ends_with("x-kubernetes-validations[0].rule"));
        return response.expect(found, format!("{expected}, with {field}"), messages(response));
    }
    if named.is_empty() || named.iter().any(|field| field.contains("x-kubernetes-validations")) {
        return Ok(());
    }
    let why = format!("it is refused for another reason: {}", messages(response));
    Err(cx.test_error(format!("find out whether the server refuses {rule}"), why).into())
}

/// Whether a refusal of a definition is about the rules of a row. A cause about the total of the estimated costs is about
/// none: each rule may be within its limit.
pub(super) fn is_about(response: &Exchange, row: &RuleRow) -> bool {
    let place = format!("properties[{}]", row.name);
    let about = |cause: &&Value| {
        let total = cause["message"].as_str().is_some_and(|message| message.contains("cost total"));
        !total && cause["field"].as_str().is_some_and(|field| field.contains(&place))
    };
    row.is(Mark::AtRoot) || causes(response).unwrap_or_default().iter().any(about)
}

/// Whether a refusal is about estimated costs alone.
pub(super) fn is_about_cost(response: &Exchange) -> bool {
    causes(response).is_some_and(|causes| {
        causes.iter().all(|cause| cause["message"].as_str().is_some_and(|message| message.contains("cost")))
    })
}

/// The fields that the causes name.
pub(super) fn named_fields(response: &Exchange) -> Vec<&str> {
    causes(response).unwrap_or_default().iter().filter_map(|cause| cause["field"].as_str()).collect()
}

/// The messages of the causes in short, or the whole response.
pub(super) fn messages(response: &Exchange) -> String {
    const LONGEST: usize = 600;
    let Some(causes) = causes(response) else { return response.brief() };
    let texts = causes.iter().filter_map(|cause| cause["message"].as_str());
    // A message repeats the rule before the reason.
    let reasons = texts.map(|text| text.split_once("compilation failed").map_or(text, |(_, reason)| reason));
    let text = reasons.collect::<Vec<_>>().join("; ");
    format!("{} {}", response.status(), text.chars().take(LONGEST).collect::<String>())
}
