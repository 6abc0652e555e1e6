//! Status codes of Pod subresources.

use harness::invariant::{CheckResult, kept};
use harness::{Protocol, invariant};

use crate::error_response::of_resource;
use crate::pods::{self, GuardedPod};
use crate::prelude::*;

/// The rule and the scenarios of this file.
pub(super) fn rows() -> Vec<Row> {
    vec![
        row!(status_codes_204_no_body).own_kinds(),
        invariant("status-codes-204-no-body", has_no_body),
        row!(status_codes_429_too_many_requests).own_kinds(),
        row!(status_codes_429_retry_after).own_kinds(),
    ]
}

fn has_no_body(exchange: &Exchange) -> CheckResult {
    (of_resource(exchange) && exchange.status() == 204)
        .then(|| kept(exchange.response.body.is_empty(), "no body", || exchange.text()))
}

/// Over HTTP/1.1, nobody would read a body that should not be there.
async fn status_codes_204_no_body(cx: Context) -> Checked {
    let pods = pods::collection(&cx).await?;
    pods::create(&cx, &pods, &pods::idle("a")).await?;
    let log = Request::get(format!("{}/log", pods.path_of("a"))).accept("*/*");

    let answer = match cx.send(log.clone().protocol(Protocol::Http2)).await {
        Err(Halt::Errored(_)) => cx.send(log).await?,
        answer if answer.as_ref().is_ok_and(|answer| answer.status() == 505) => cx.send(log).await?,
        answer => answer?,
    };

    if answer.status() == 204 {
        return answer.expect_kept(has_no_body(&answer), "no body");
    }
    Err(Halt::Skipped(format!("the log of a Pod that runs nowhere is {}", answer.brief())))
}

async fn status_codes_429_too_many_requests(guarded: GuardedPod) -> Checked {
    let refused = guarded.evict().await?;

    refused.expect_status(&[429])?;
    guarded.pods.get("a").await?.expect_status(&[200])
}

/// Where a controller has looked at the budget, waiting would not help, and nothing need be said.
async fn status_codes_429_retry_after(guarded: GuardedPod) -> Checked {
    let refused = guarded.evict().await?;

    let status = refused.expect_refusal(&[429])?;
    let undecided = status.to_string().contains("still being processed");
    let header = refused.header("retry-after").and_then(|wait| wait.parse::<u64>().ok());
    let told = status["details"]["retryAfterSeconds"].as_u64().filter(|seconds| *seconds > 0);
    refused.expect(
        header == told,
        format!("Retry-After: {told:?}, as in the details"),
        format!("{header:?}"),
    )?;
    refused.expect(header.is_some() || !undecided, "a Retry-After: the budget is not decided on yet", "none")
}
