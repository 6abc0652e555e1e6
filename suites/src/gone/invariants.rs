//! Invariant checks of every 410 response.

use harness::invariant;
use harness::invariant::{Breach, kept};

use super::REASONS;
use crate::prelude::*;

/// The rules.
pub(super) fn rows() -> Vec<Row> {
    vec![
        invariant("gone-body-is-status", |exchange| refused(exchange).then(|| is_status(exchange))),
        invariant("gone-unset-and-zero-never-410", |exchange| {
            asks_for_now(exchange).then(|| not_gone(exchange))
        }),
        invariant("gone-resource-expired-vs-gone-reason", |exchange| {
            refused(exchange).then(|| has_reason(exchange))
        }),
    ]
}

/// The body is a Status that says what the status line says.
pub(super) fn is_status(refused: &Exchange) -> Result<(), Breach> {
    let said = refused.json().is_some_and(|body| {
        let status = body["kind"] == "Status" && body["apiVersion"] == "v1" && body["status"] == "Failure";
        status && body["code"] == 410 && body["message"].as_str().is_some_and(|message| !message.is_empty())
    });
    kept(said, "a v1 Status, Failure, of code 410 and with a message", || refused.brief())
}

/// The Status says why, in a word that clients know.
pub(super) fn has_reason(refused: &Exchange) -> Result<(), Breach> {
    let reason = refused.json().and_then(|status| status["reason"].as_str());
    kept(reason.is_some_and(|reason| REASONS.contains(&reason)), "reason Expired or Gone", || refused.brief())
}

/// Nothing is said to have expired; a resource that is gone for good is another matter.
fn not_gone(answer: &Exchange) -> Result<(), Breach> {
    let removed = answer.json().is_some_and(|status| status["reason"] == "Gone");
    kept(!answer.expired() || removed, "anything but 410", || answer.brief())
}

fn refused(exchange: &Exchange) -> bool {
    exchange.expired() && exchange.request.path.starts_with("/api") && exchange.request.method != "HEAD"
}

/// A read without a version, or at 0, and without a token.
fn asks_for_now(exchange: &Exchange) -> bool {
    let given = |name: &str| exchange.request.parameter(name).unwrap_or_default();
    exchange.request.method == "GET"
        && exchange.request.path.starts_with("/api")
        && matches!(given("resourceVersion").as_str(), "" | "0")
        && given("continue").is_empty()
}
