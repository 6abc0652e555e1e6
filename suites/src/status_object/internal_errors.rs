//! Internal errors: reason and causes.

use harness::invariant::{CheckResult, ExchangeCheck, kept};
use harness::invariants;

use crate::error_response::refusal;
use crate::prelude::*;

/// The invariant checks, and scenarios that may provoke what they judge.
pub(super) fn rows() -> Vec<Row> {
    [table(RULES, Kinds::All, an_error_of_the_server_keeps_a_rule), invariants(RULES)].concat()
}

#[rustfmt::skip]
const RULES: &[(&str, ExchangeCheck)] = &[
    ("status-object-internalerror",        has_a_reason_of_the_server),
    ("status-object-internalerror-causes", tells_what_people_can_read),
];

fn has_a_reason_of_the_server(exchange: &Exchange) -> CheckResult {
    let status = refusal(exchange).filter(|_| exchange.status() == 500)?;
    let reason = status["reason"].as_str().unwrap_or_default();
    let fits = ["", "InternalError", "ServerTimeout", "StorageReadError", "Unknown"].contains(&reason);
    Some(kept(fits, "reason InternalError, or none", || exchange.brief()))
}

/// Causes have messages, and none of them shows what goes on inside of the server.
fn tells_what_people_can_read(exchange: &Exchange) -> CheckResult {
    let status = refusal(exchange).filter(|_| exchange.status() == 500)?;
    let causes = status["details"]["causes"].as_array().map(Vec::as_slice).unwrap_or_default();
    let messages = || causes.iter().map(|cause| cause["message"].as_str().unwrap_or_default());
    let trace = |text: &str| text.contains("goroutine ") || text.contains("stack backtrace:");
    let bare = status["message"].as_str().into_iter().chain(messages()).any(trace);
    let told = messages().all(|message| !message.is_empty());
    Some(kept(told && !bare, "causes with messages, and no traces of a stack", || status.to_string()))
}

/// A version that is none is an error of the server for kube-apiserver, and one of the client for others.
async fn an_error_of_the_server_keeps_a_rule(cx: Context, rule: ExchangeCheck) -> Checked {
    let stored = StoredObject::create(&cx).await?;
    let mut body = stored.body("second");
    body["metadata"]["resourceVersion"] = "x".into();

    let refused = stored.put(&body).await?;

    let code = refused.status();
    refused.expect((400..=500).contains(&code), "HTTP 4xx or 500: x is no version", refused.brief())?;
    rule(&refused).map_or(Ok(()), |kept| refused.expect_kept(Some(kept), ""))
}
