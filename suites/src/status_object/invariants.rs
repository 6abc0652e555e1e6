//! Invariant checks of every Status.

use harness::invariant::{Breach, CheckResult, ExchangeCheck, kept};
use harness::invariants;

use crate::error_response::{accepts_json_only, is_word, lists_paths, of_refusal, of_resource, status};
use crate::invalid_requests;
use crate::prelude::*;
use crate::scenario::Fixture;

/// The invariant checks, and a scenario for each that provokes refusals of every kind.
pub(super) fn rows() -> Vec<Row> {
    [table(RULES, Kinds::All, every_refusal_keeps_a_rule), invariants(RULES)].concat()
}

#[rustfmt::skip]
const RULES: &[(&str, ExchangeCheck)] = &[
    ("status-object-header-mirrors-body",       |exchange| of_refusal(exchange, mirrors_the_headers)),
    ("status-object-returned-on-error",         is_a_status),
    ("status-object-on-failure",                is_a_failure),
    ("status-object-encoded-as-json",           is_json),
    ("status-object-supplements-http-code",     agrees_with_the_code),
    ("status-object-code-present-on-failure",   |exchange| of_refusal(exchange, names_the_code)),
    ("status-object-shape",                     |exchange| of_refusal(exchange, has_the_types)),
    ("status-object-status-values",             is_success_or_failure),
    ("status-object-message-optional",          |exchange| of_refusal(exchange, has_a_text_as_message)),
    ("status-object-reason-one-word",           |exchange| of_refusal(exchange, has_one_word_as_reason)),
    ("status-object-reason-empty-allowed",      |exchange| of_refusal(exchange, gives_the_client_a_reason)),
    ("status-object-reason-matches-code",       |exchange| of_refusal(exchange, has_a_reason_of_the_code)),
    ("status-object-details-optional",          |exchange| of_refusal(exchange, has_details_of_their_types)),
];

pub(super) async fn every_refusal_keeps_a_rule(cx: Context, rule: ExchangeCheck) -> Checked {
    let Outdated(stored, _) = Outdated::arrange(&cx).await?;
    let mut judged = 0;

    for mistake in invalid_requests::all(&stored) {
        let refused = cx.send(mistake.request).await?;

        if let Some(kept) = rule(&refused) {
            refused.expect_kept(Some(kept), "")?;
            judged += 1;
        }
    }
    if judged > 0 {
        Ok(())
    } else {
        Err(cx.test_error("be refused with a Status", "no answer is one").into())
    }
}

/// What a header says stands in the body, too.
fn mirrors_the_headers(refused: &Exchange, status: &Value) -> Result<(), Breach> {
    let code = &status["code"];
    kept(code.is_null() || *code == refused.status(), format!("code {}", refused.status()), || {
        code.to_string()
    })?;
    let seconds = refused.header("retry-after").and_then(|wait| wait.parse::<u64>().ok()).unwrap_or(0);
    let told = &status["details"]["retryAfterSeconds"];
    let mirrored = seconds == 0 || *told == seconds;
    kept(mirrored, format!("details.retryAfterSeconds {seconds}, as Retry-After says"), || told.to_string())
}

/// The codes that nothing but a handler of resources answers with. Others come from before it, too, and in plain text.
const OF_HANDLERS: &[u16] = &[400, 405, 406, 409, 410, 413, 415, 422];

fn is_a_status(exchange: &Exchange) -> CheckResult {
    let refused = OF_HANDLERS.contains(&exchange.status()) && has_json_body(exchange);
    refused.then(|| {
        let body = exchange.json().unwrap_or(&Value::Null);
        let said = body["kind"] == "Status" && body["apiVersion"] == "v1" && body["status"] == "Failure";
        kept(said, "a v1 Status, Failure", || shown(exchange))
    })
}

/// Paths that lead nowhere are answered with a text or with the paths that there are, and servers that are too busy answer
/// with a text.
fn is_a_failure(exchange: &Exchange) -> CheckResult {
    let text = || exchange.header("content-type").is_none_or(|media| media.starts_with("text/plain"));
    let excused = || lists_paths(exchange) || (matches!(exchange.status(), 404 | 429) && text());
    let refused = (400..500).contains(&exchange.status()) && has_json_body(exchange);
    (refused && !excused()).then(|| {
        let body = exchange.json().unwrap_or(&Value::Null);
        kept(body["kind"] == "Status" && body["status"] == "Failure", "a Status, Failure", || shown(exchange))
    })
}

fn has_json_body(exchange: &Exchange) -> bool {
    of_resource(exchange) && exchange.request.method != "HEAD" && accepts_json_only(exchange)
}

/// An answer that is not what it should be: its type and its beginning.
fn shown(exchange: &Exchange) -> String {
    let media = exchange.header("content-type").unwrap_or("no Content-Type");
    format!("{media}: {}", exchange.brief())
}

fn is_json(exchange: &Exchange) -> CheckResult {
    let refused = accepts_json_only(exchange) && exchange.status() < 500;
    let result = |_: &Exchange, _: &Value| Ok(());
    of_refusal(exchange, result).filter(|_| refused).map(|_| {
        let media = exchange.header("content-type").unwrap_or_default();
        kept(media.starts_with("application/json"), "Content-Type application/json", || media.to_owned())
    })
}

/// A success is no Failure, and a Failure says the code that it comes with.
fn agrees_with_the_code(exchange: &Exchange) -> CheckResult {
    let status = status(exchange)?;
    let expected = if exchange.succeeded() { "Success" } else { "Failure" };
    let code = &status["code"];
    let agrees = status["status"] == expected && (code.is_null() || *code == exchange.status());
    let of_code = format!("{expected}, and code {} if any", exchange.status());
    Some(kept(agrees, of_code, || format!("{}, and code {code}", status["status"])))
}

fn names_the_code(refused: &Exchange, status: &Value) -> Result<(), Breach> {
    let code = &status["code"];
    kept(*code == refused.status(), format!("code {}, a number", refused.status()), || code.to_string())
}

/// The fields that every refusal has, and those that it may have. Others may be added to an API at any time.
fn has_the_types(_: &Exchange, status: &Value) -> Result<(), Breach> {
    let wrong = |is: Is, fields: &[&'static str]| fields.iter().copied().find(|field| !is(&status[*field]));
    let missing = wrong(Value::is_string, &["kind", "apiVersion", "status"])
        .or_else(|| wrong(Value::is_object, &["metadata"]))
        .or_else(|| wrong(|value| value.is_null() || value.is_u64(), &["code"]))
        .or_else(|| wrong(|value| value.is_null() || value.is_string(), &["message", "reason"]))
        .or_else(|| wrong(|value| value.is_null() || value.is_object(), &["details"]));
    let shown = || missing.map(|field| format!("{field}: {}", status[field])).unwrap_or_default();
    kept(missing.is_none(), "fields of the types that a Status has", shown)
}

fn is_success_or_failure(exchange: &Exchange) -> CheckResult {
    let said = &status(exchange)?["status"];
    Some(kept(*said == "Success" || *said == "Failure", "status Success or Failure", || said.to_string()))
}

fn has_a_text_as_message(refused: &Exchange, status: &Value) -> Result<(), Breach> {
    let message = &status["message"];
    let text = message.as_str().is_some_and(|text| !text.is_empty() || refused.status() >= 500);
    kept(message.is_null() || text, "a text as message, if any", || message.to_string())
}

fn has_one_word_as_reason(_: &Exchange, status: &Value) -> Result<(), Breach> {
    let reason = &status["reason"];
    let word = reason.as_str().is_some_and(|reason| reason.is_empty() || is_word(reason));
    kept(reason.is_null() || word, "one word as reason, if any", || reason.to_string())
}

/// Errors of the server itself may come without one.
fn gives_the_client_a_reason(refused: &Exchange, status: &Value) -> Result<(), Breach> {
    let reason = &status["reason"];
    let given = reason.as_str().is_some_and(|reason| !reason.is_empty());
    kept(given || refused.status() >= 500, "a reason for what the client did wrong", || reason.to_string())
}

/// The codes that go with each reason: for some, the text and kube-apiserver differ.
const REASONS: &[(&str, &[u16])] = &[
    ("BadRequest", &[400]),
    ("Unauthorized", &[401]),
    ("Forbidden", &[403]),
    ("NotFound", &[404]),
    ("MethodNotAllowed", &[405]),
    ("NotAcceptable", &[406]),
    ("AlreadyExists", &[409]),
    ("Conflict", &[409]),
    ("Gone", &[410]),
    ("Expired", &[410]),
    ("RequestEntityTooLarge", &[413]),
    ("UnsupportedMediaType", &[415]),
    ("Invalid", &[422]),
    ("TooManyRequests", &[429]),
    ("InternalError", &[500]),
    ("StorageReadError", &[500]),
    ("ServiceUnavailable", &[503]),
    ("ServerTimeout", &[500, 504]),
    ("Timeout", &[504, 429]),
];

fn has_a_reason_of_the_code(refused: &Exchange, status: &Value) -> Result<(), Breach> {
    let known = REASONS.iter().find(|(reason, _)| status["reason"] == *reason);
    let fits = known.is_none_or(|(_, codes)| codes.contains(&refused.status()));
    kept(fits, format!("a reason of {}", refused.status()), || status["reason"].to_string())
}

/// Whether a value is of a type.
type Is = fn(&Value) -> bool;

fn has_details_of_their_types(_: &Exchange, status: &Value) -> Result<(), Breach> {
    let details = &status["details"];
    let fits = |field: &&str, is: Is| details[*field].is_null() || is(&details[*field]);
    let types: [(&str, Is); 6] = [
        ("name", Value::is_string),
        ("group", Value::is_string),
        ("kind", Value::is_string),
        ("uid", Value::is_string),
        ("causes", Value::is_array),
        ("retryAfterSeconds", Value::is_i64),
    ];
    let typed = details.is_null() || details.is_object() && types.iter().all(|(field, is)| fits(field, *is));
    kept(typed, "details that are an object, with members of their types", || details.to_string())
}
