//! Invariant checks of every 410 response.

use harness::invariant;
use harness::invariant::{Breach, ensure};

use super::REASONS;
use crate::prelude::*;

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

/// The body is a Status of code 410.
pub(super) fn is_status(refused: &Exchange) -> Result<(), Breach> {
    let is_status = refused.json().is_some_and(|body| {
        let status = body["kind"] == "Status" && body["apiVersion"] == "v1" && body["status"] == "Failure";
        status && body["code"] == 410 && body["message"].as_str().is_some_and(|message| !message.is_empty())
    });
    ensure(is_status, "a v1 Status with status Failure, code 410 and a message", || refused.brief())
}

/// The Status has one of the reasons that clients know.
pub(super) fn has_reason(refused: &Exchange) -> Result<(), Breach> {
    let reason = refused.json().and_then(|status| status["reason"].as_str());
    ensure(reason.is_some_and(|reason| REASONS.contains(&reason)), "reason Expired or Gone", || {
        refused.brief()
    })
}

/// No version has expired. A 410 with reason Gone may mean that the resource is gone for good.
fn not_gone(response: &Exchange) -> Result<(), Breach> {
    let removed = response.json().is_some_and(|status| status["reason"] == "Gone");
    ensure(!response.expired() || removed, "a code other than 410", || response.brief())
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
