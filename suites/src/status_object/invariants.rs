//! Invariant checks of every Status.

use harness::invariant::{Breach, CheckResult, ExchangeCheck, ensure};
use harness::invariants;

use crate::error_response::{
    accepts_json_only, is_word, lists_paths, of_refusal, of_resource, refusal, status,
};
use crate::invalid_requests;
use crate::prelude::*;

/// The invariant checks, and for each a scenario that sends all invalid requests.
pub(super) fn rows() -> Vec<Row> {
    [table(RULES, Kinds::All, every_rejection_keeps), invariants(RULES)].concat()
}

#[rustfmt::skip]
const RULES: &[(&str, ExchangeCheck)] = &[
    ("status-object-header-mirrors-body",       |exchange| of_refusal(exchange, mirrors_the_headers)),
    ("status-object-returned-on-error",         is_a_status),
    ("status-object-on-failure",                is_a_failure),
    ("status-object-encoded-as-json",           is_json),
    ("status-object-supplements-http-code",     agrees_with_the_code),
    ("status-object-code-present-on-failure",   |exchange| of_refusal(exchange, has_the_code)),
    ("status-object-shape",                     |exchange| of_refusal(exchange, has_the_types)),
    ("status-object-status-values",             is_success_or_failure),
    ("status-object-message-optional",          |exchange| of_refusal(exchange, has_a_message)),
    ("status-object-reason-one-word",           |exchange| of_refusal(exchange, has_one_word_as_reason)),
    ("status-object-reason-empty-allowed",      |exchange| of_refusal(exchange, has_a_reason)),
    ("status-object-reason-matches-code",       |exchange| of_refusal(exchange, has_a_reason_of_the_code)),
    ("status-object-details-optional",          |exchange| of_refusal(exchange, has_details_of_their_types)),
];

pub(super) async fn every_rejection_keeps(cx: Context, check: ExchangeCheck) -> Checked {
    let Outdated(stored, _) = Outdated::arrange(&cx).await?;
    let mut judged = false;

    for invalid in invalid_requests::all(&stored) {
        let response = cx.send(invalid.request).await?;

        if let Some(result) = check(&response) {
            response.expect_passed(Some(result), "")?;
            judged = true;
        }
    }
    if judged {
        return Ok(());
    }
    Err(cx.test_error("get a Status", "none of the responses to invalid requests is one").into())
}

/// The body has the same code and the same Retry-After as the headers. A kube-apiserver that shuts down says 503 with
/// Retry-After alone.
fn mirrors_the_headers(response: &Exchange, status: &Value) -> Result<(), Breach> {
    let (expected, code) = (response.status(), &status["code"]);
    ensure(code.is_null() || *code == expected, format!("code {expected}"), || code.to_string())?;
    let seconds = response.header("retry-after").and_then(|wait| wait.parse::<u64>().ok()).unwrap_or(0);
    let actual = &status["details"]["retryAfterSeconds"];
    let expected = format!("details.retryAfterSeconds {seconds}, as in Retry-After");
    let shuts_down = response.status() == 503 && actual.is_null();
    ensure(seconds == 0 || *actual == seconds || shuts_down, expected, || actual.to_string())
}

/// The codes of resource handlers alone. Filters before them may return other codes in plain text.
const OF_HANDLERS: &[u16] = &[400, 405, 406, 409, 410, 413, 415, 422];

fn is_a_status(exchange: &Exchange) -> CheckResult {
    let rejected = OF_HANDLERS.contains(&exchange.status()) && has_json_body(exchange);
    rejected.then(|| {
        let body = exchange.json().unwrap_or(&Value::Null);
        let right = body["kind"] == "Status" && body["apiVersion"] == "v1" && body["status"] == "Failure";
        ensure(right, "a v1 Status, Failure", || brief(exchange))
    })
}

/// The response to an unknown path may be plain text or the list of known paths, and 429 may be plain text.
fn is_a_failure(exchange: &Exchange) -> CheckResult {
    let text = || exchange.header("content-type").is_none_or(|media| media.starts_with("text/plain"));
    let exempt = || lists_paths(exchange) || (matches!(exchange.status(), 404 | 429) && text());
    let rejected = (400..500).contains(&exchange.status()) && has_json_body(exchange);
    (rejected && !exempt()).then(|| {
        let body = exchange.json().unwrap_or(&Value::Null);
        ensure(body["kind"] == "Status" && body["status"] == "Failure", "a Status, Failure", || {
            brief(exchange)
        })
    })
}

fn has_json_body(exchange: &Exchange) -> bool {
    of_resource(exchange) && exchange.request.method != "HEAD" && accepts_json_only(exchange)
}

/// The media type and the beginning of a response.
fn brief(exchange: &Exchange) -> String {
    let media = exchange.header("content-type").unwrap_or("no Content-Type");
    format!("{media}: {}", exchange.brief())
}

fn is_json(exchange: &Exchange) -> CheckResult {
    refusal(exchange).filter(|_| accepts_json_only(exchange) && exchange.status() < 500).map(|_| {
        let media = exchange.header("content-type").unwrap_or_default();
        ensure(media.starts_with("application/json"), "Content-Type application/json", || media.to_owned())
    })
}

/// Success with a 2xx code, Failure with others; the code in the body is that of the response.
fn agrees_with_the_code(exchange: &Exchange) -> CheckResult {
    let status = status(exchange)?;
    let expected = if exchange.succeeded() { "Success" } else { "Failure" };
    let code = &status["code"];
    let agrees = status["status"] == expected && (code.is_null() || *code == exchange.status());
    let of_code = format!("{expected}, and code {} if any", exchange.status());
    Some(ensure(agrees, of_code, || format!("{}, and code {code}", status["status"])))
}

fn has_the_code(response: &Exchange, status: &Value) -> Result<(), Breach> {
    let (expected, code) = (response.status(), &status["code"]);
    ensure(*code == expected, format!("code {expected}, a number"), || code.to_string())
}

/// The types of the required and of the optional fields. A server may add other fields.
fn has_the_types(_: &Exchange, status: &Value) -> Result<(), Breach> {
    let wrong = |is: Is, fields: &[&'static str]| fields.iter().copied().find(|field| !is(&status[*field]));
    let wrong = wrong(Value::is_string, &["kind", "apiVersion", "status"])
        .or_else(|| wrong(Value::is_object, &["metadata"]))
        .or_else(|| wrong(|value| value.is_null() || value.is_u64(), &["code"]))
        .or_else(|| wrong(|value| value.is_null() || value.is_string(), &["message", "reason"]))
        .or_else(|| wrong(|value| value.is_null() || value.is_object(), &["details"]));
    let actual = || wrong.map(|field| format!("{field}: {}", status[field])).unwrap_or_default();
    ensure(wrong.is_none(), "the fields of a Status with their types", actual)
}

fn is_success_or_failure(exchange: &Exchange) -> CheckResult {
    let actual = &status(exchange)?["status"];
    let legal = *actual == "Success" || *actual == "Failure";
    Some(ensure(legal, "status Success or Failure", || actual.to_string()))
}

fn has_a_message(response: &Exchange, status: &Value) -> Result<(), Breach> {
    let message = &status["message"];
    let text = message.as_str().is_some_and(|text| !text.is_empty() || response.status() >= 500);
    ensure(message.is_null() || text, "a non-empty message, if any", || message.to_string())
}

fn has_one_word_as_reason(_: &Exchange, status: &Value) -> Result<(), Breach> {
    let reason = &status["reason"];
    let word = reason.as_str().is_some_and(|reason| reason.is_empty() || is_word(reason));
    ensure(reason.is_null() || word, "one word as reason, if any", || reason.to_string())
}

/// A server error may have no reason.
fn has_a_reason(response: &Exchange, status: &Value) -> Result<(), Breach> {
    let reason = &status["reason"];
    let some = reason.as_str().is_some_and(|reason| !reason.is_empty());
    ensure(some || response.status() >= 500, "a reason of the client error", || reason.to_string())
}

/// The codes that go with each reason: for some, the text and kube-apiserver differ.
#[rustfmt::skip]
const REASONS: &[(&str, &[u16])] = &[
    ("BadRequest", &[400]), ("Unauthorized", &[401]), ("Forbidden", &[403]), ("NotFound", &[404]),
    ("MethodNotAllowed", &[405]), ("NotAcceptable", &[406]), ("AlreadyExists", &[409]), ("Conflict", &[409]),
    ("Gone", &[410]), ("Expired", &[410]), ("RequestEntityTooLarge", &[413]), ("UnsupportedMediaType", &[415]),
    ("Invalid", &[422]), ("TooManyRequests", &[429]), ("InternalError", &[500]), ("StorageReadError", &[500]),
    ("ServiceUnavailable", &[503]), ("ServerTimeout", &[500, 504]), ("Timeout", &[504, 429]),
];

fn has_a_reason_of_the_code(response: &Exchange, status: &Value) -> Result<(), Breach> {
    let known = REASONS.iter().find(|(reason, _)| status["reason"] == *reason);
    let fits = known.is_none_or(|(_, codes)| codes.contains(&response.status()));
    ensure(fits, format!("a reason of {}", response.status()), || status["reason"].to_string())
}

/// Whether a value is of a type.
type Is = fn(&Value) -> bool;

fn has_details_of_their_types(_: &Exchange, status: &Value) -> Result<(), Breach> {
    let details = &status["details"];
    let optional = |field: &str, is: Is| details[field].is_null() || is(&details[field]);
    let typed = ["name", "group", "kind", "uid"].iter().all(|field| optional(field, Value::is_string))
        && optional("causes", Value::is_array)
        && optional("retryAfterSeconds", Value::is_i64);
    let right = details.is_null() || details.is_object() && typed;
    ensure(right, "details as an object, with fields of their types", || details.to_string())
}
