//! Reasons Timeout, `TooManyRequests` and `RequestEntityTooLarge`.

use crate::patch_types;
use crate::prelude::*;

rows![status_object_timeout, status_object_timeout_retry_after, status_object_requestentitytoolarge];

/// A list that cannot be done in time. Skips where the server does not look at the time.
async fn out_of_time(cx: &Context, collection: &Collection) -> Result<Arc<Exchange>, Halt> {
    let listed = collection.list().param("timeout", "1ns").await?;
    if listed.succeeded() {
        return Err(Halt::Skipped("this server does not heed timeout".to_owned()));
    }
    if listed.status() != 504 {
        return Err(cx.test_error("run out of time", listed.brief()).into());
    }
    Ok(listed)
}

/// What filters before the handlers answer is no whole Status: neither kind nor apiVersion are asked for.
async fn status_object_timeout(cx: Context, collection: Collection) -> Checked {
    let refused = out_of_time(&cx, &collection).await?;

    let said =
        refused.json().is_some_and(|status| status["status"] == "Failure" && status["reason"] == "Timeout");
    refused.expect(said, "a Failure of reason Timeout", refused.text())
}

async fn status_object_timeout_retry_after(cx: Context, collection: Collection) -> Checked {
    let refused = out_of_time(&cx, &collection).await?;

    expect_one_wait(&refused)
}

/// The seconds to wait stand in header and body, or in neither; none may be said by saying nothing.
pub(super) fn expect_one_wait(refused: &Exchange) -> Checked {
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

async fn status_object_requestentitytoolarge(cx: Context, stored: StoredObject) -> Checked {
    let test = json!({ "op": "test", "path": "/metadata/name", "value": stored.read.name() });

    let patch = patch_types::patch(&stored.collection, NAME, JSON, &vec![test; VERY_MANY].into());
    let answer = cx.send(patch).await?;

    if answer.status() == 413 {
        return answer.expect_error(&[413], &["RequestEntityTooLarge"]).map(drop);
    }
    answer.expect_status(&[200])?;
    let create =
        Request::post(stored.collection.path(), &stored.collection.body("b", &"x".repeat(3_300_000)));
    let answer = cx.send(create).await?;
    if answer.status() != 413 {
        return Err(Halt::Skipped(format!("nothing is too large: {}", answer.brief())));
    }
    answer.expect_error(&[413], &["RequestEntityTooLarge"]).map(drop)
}
