//! What is too late, and what is too much.

use std::sync::Arc;

use harness::{Collection, Context, Exchange, Halt, Request, Suite};
use serde_json::json;

use crate::forms::{self, JSON};
use crate::stored::{NAME, Stored};

/// Adds the scenarios of this file.
pub(super) fn add(suite: Suite) -> Suite {
    suite
        .scenario("status-object-timeout", a_request_out_of_time_says_so)
        .on_every_shape()
        .scenario("status-object-timeout-retry-after", a_request_out_of_time_says_when_to_come_again)
        .on_every_shape()
        .scenario("status-object-requestentitytoolarge", what_is_too_large_is_told_by_a_status)
        .on_every_shape()
}

/// A list that cannot be done in time. Skips where the server does not look at the time.
async fn out_of_time(cx: &Context, things: &Collection) -> Result<Arc<Exchange>, Halt> {
    let listed = things.list().param("timeout", "1ns").await?;
    if listed.succeeded() {
        return Err(Halt::Skipped("this server does not heed timeout".to_owned()));
    }
    if listed.status() != 504 {
        return Err(cx.obstacle("run out of time", listed.brief()).into());
    }
    Ok(listed)
}

/// What filters before the handlers answer is no whole Status: neither kind nor apiVersion are asked for.
async fn a_request_out_of_time_says_so(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;

    let refused = out_of_time(&cx, &things).await?;

    let said =
        refused.json().is_some_and(|status| status["status"] == "Failure" && status["reason"] == "Timeout");
    refused.expect(said, "a Failure of reason Timeout", refused.text())
}

async fn a_request_out_of_time_says_when_to_come_again(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;

    let refused = out_of_time(&cx, &things).await?;

    expect_one_wait(&refused)
}

/// The seconds to wait stand in header and body, or in neither; none may be said by saying nothing.
pub(super) fn expect_one_wait(refused: &Exchange) -> Result<(), Halt> {
    let wait =
        refused.json().map(|status| status["details"]["retryAfterSeconds"].clone()).unwrap_or_default();
    let seconds = if wait.is_null() { Some(0) } else { wait.as_u64() };
    let header = refused.header("retry-after").map_or(Some(0), |header| header.parse().ok());
    let expected = "the same seconds in Retry-After and details.retryAfterSeconds, or none";
    refused.expect(
        seconds.is_some() && seconds == header,
        expected,
        format!("Retry-After {:?}, retryAfterSeconds {wait}", refused.header("retry-after")),
    )
}

/// One more operation than kube-apiserver takes.
const VERY_MANY: usize = 10_001;

async fn what_is_too_large_is_told_by_a_status(cx: Context) -> Result<(), Halt> {
    let stored = Stored::create(&cx).await?;
    let test = json!({ "op": "test", "path": "/metadata/name", "value": stored.read.name() });

    let patch = forms::patch(&stored.things, NAME, JSON, &vec![test; VERY_MANY].into());
    let answer = cx.send(patch).await?;

    if answer.status() == 413 {
        return answer.expect_error(&[413], &["RequestEntityTooLarge"]).map(drop);
    }
    answer.expect_status(&[200])?;
    let create = Request::post(stored.things.path(), &stored.things.body("b", &"x".repeat(3_300_000)));
    let answer = cx.send(create).await?;
    if answer.status() != 413 {
        return Err(Halt::Skipped(format!("nothing is too large: {}", answer.brief())));
    }
    answer.expect_error(&[413], &["RequestEntityTooLarge"]).map(drop)
}
