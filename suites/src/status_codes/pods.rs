//! Status codes of Pod subresources.

use harness::invariant::{CheckResult, ensure};
use harness::{Protocol, invariant};

use crate::error_response::of_resource;
use crate::pods::{self, GuardedPod};
use crate::prelude::*;

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
        .then(|| ensure(exchange.response.body.is_empty(), "no body", || exchange.text()))
}

/// Over HTTP/2: an HTTP/1.1 client does not read the body of a 204.
async fn status_codes_204_no_body(cx: Context) -> Checked {
    let pods = pods::collection(&cx).await?;
    pods::create(&cx, &pods, &pods::idle("a")).await?;
    let log = Request::get(format!("{}/log", pods.path_of("a"))).accept("*/*");

    let response = match cx.send(log.clone().protocol(Protocol::Http2)).await {
        Err(Halt::Errored(_)) => cx.send(log).await?,
        response if response.as_ref().is_ok_and(|response| response.status() == 505) => cx.send(log).await?,
        response => response?,
    };

    if response.status() == 204 {
        return response.expect_passed(has_no_body(&response), "no body");
    }
    Err(Halt::skip(format!("the response to the log of an unscheduled Pod is {}", response.brief())))
}

async fn status_codes_429_too_many_requests(guarded: GuardedPod) -> Checked {
    guarded.evict().await?.expect_status(&[429])?;
    guarded.pods.get("a").await?.expect_status(&[200])
}

/// After the disruption controller has processed the budget, waiting does not help: Retry-After may be absent.
async fn status_codes_429_retry_after(guarded: GuardedPod) -> Checked {
    let response = guarded.evict().await?;

    let status = response.expect_rejection(&[429])?;
    let unprocessed = status.to_string().contains("still being processed");
    let header = response.header("retry-after").and_then(|wait| wait.parse::<u64>().ok());
    let in_body = status["details"]["retryAfterSeconds"].as_u64().filter(|seconds| *seconds > 0);
    let expected = format!("Retry-After: {in_body:?}, as in the details");
    response.expect(header == in_body, expected, format!("{header:?}"))?;
    let expected = "a Retry-After: the disruption controller has not processed the budget yet";
    response.expect(header.is_some() || !unprocessed, expected, "none")
}
