//! Internal errors: reason and causes.

use harness::invariant::{CheckResult, ExchangeCheck, ensure};
use harness::invariants;

use crate::error_response::refusal;
use crate::prelude::*;

/// The invariant checks, and scenarios whose responses they may judge.
pub(super) fn rows() -> Vec<Row> {
    [table(RULES, Kinds::All, malformed_version), invariants(RULES)].concat()
}

#[rustfmt::skip]
const RULES: &[(&str, ExchangeCheck)] = &[
    ("status-object-internalerror",        has_a_reason_of_500),
    ("status-object-internalerror-causes", has_messages_without_traces),
];

fn has_a_reason_of_500(exchange: &Exchange) -> CheckResult {
    let status = refusal(exchange).filter(|_| exchange.status() == 500)?;
    let reason = status["reason"].as_str().unwrap_or_default();
    let fits = ["", "InternalError", "ServerTimeout", "StorageReadError", "Unknown"].contains(&reason);
    Some(ensure(fits, "reason InternalError, or none", || exchange.brief()))
}

/// Causes have messages, and no message is a stack trace.
fn has_messages_without_traces(exchange: &Exchange) -> CheckResult {
    let status = refusal(exchange).filter(|_| exchange.status() == 500)?;
    let causes = status["details"]["causes"].as_array().map(Vec::as_slice).unwrap_or_default();
    let messages = || causes.iter().map(|cause| cause["message"].as_str().unwrap_or_default());
    let is_trace = |text: &str| text.contains("goroutine ") || text.contains("stack backtrace:");
    let traces = status["message"].as_str().into_iter().chain(messages()).any(is_trace);
    let complete = messages().all(|message| !message.is_empty());
    Some(ensure(complete && !traces, "causes with messages, and no stack traces", || status.to_string()))
}

/// kube-apiserver returns 500 for a malformed resourceVersion, other servers 4xx.
async fn malformed_version(cx: Context, check: ExchangeCheck) -> Checked {
    let stored = StoredObject::create(&cx).await?;
    let put = stored.put_with(|body| body["metadata"]["resourceVersion"] = "x".into());

    let response = cx.send(put).await?;

    let legal = (400..=500).contains(&response.status());
    response.expect(legal, "HTTP 4xx or 500: x is no resourceVersion", response.brief())?;
    check(&response).map_or(Ok(()), |result| response.expect_passed(Some(result), ""))
}
