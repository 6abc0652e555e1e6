//! Reasons Timeout, `TooManyRequests` and `RequestEntityTooLarge`.

use crate::prelude::*;

rows![status_object_timeout, status_object_timeout_retry_after, status_object_requestentitytoolarge];

/// A list that exceeds its timeout. Skips where the server ignores the parameter. A real server can end one such list
/// in thousands in another way (see `status_codes_504_timeout`): then a second one is sent.
async fn timed_out(cx: &Context, collection: &Collection) -> Result<Arc<Exchange>, Halt> {
    let list = collection.list().param("timeout", "1ns");
    let response = match list.clone().await {
        Ok(first) if first.succeeded() || first.status() == 504 => first,
        _ => list.await?,
    };
    Halt::skip_unless(!response.succeeded(), "the server ignores the parameter timeout")?;
    if !response.has_code(&[504]) {
        return Err(cx.test_error("get a response of code 504", response.brief()).into());
    }
    Ok(response)
}

/// A filter before the handlers may respond: then the Status has neither kind nor apiVersion.
async fn status_object_timeout(cx: Context, collection: Collection) -> Checked {
    let response = timed_out(&cx, &collection).await?;

    let status = response.json().unwrap_or(&Value::Null);
    let right = status["status"] == "Failure" && status["reason"] == "Timeout";
    response.expect(right, "a Failure of reason Timeout", response.text())
}

async fn status_object_timeout_retry_after(cx: Context, collection: Collection) -> Checked {
    expect_retry_after(&*timed_out(&cx, &collection).await?)
}

/// Retry-After and retryAfterSeconds are the same. Absent means 0.
pub(super) fn expect_retry_after(response: &Exchange) -> Checked {
    let in_body = response.json().map_or(&Value::Null, |status| &status["details"]["retryAfterSeconds"]);
    let seconds = if in_body.is_null() { Some(0) } else { in_body.as_u64() };
    let header = response.header("retry-after");
    let same = seconds.is_some() && seconds == header.map_or(Some(0), |header| header.parse().ok());
    let expected = "the same seconds in Retry-After and details.retryAfterSeconds, or none";
    response.expect(same, expected, format!("Retry-After {header:?}, retryAfterSeconds {in_body}"))
}

/// One more operation than kube-apiserver accepts.
const TOO_MANY: usize = 10_001;

async fn status_object_requestentitytoolarge(cx: Context, stored: StoredObject) -> Checked {
    let collection = &stored.collection;
    let test = json!({ "op": "test", "path": "/metadata/name", "value": stored.read.name() });

    let mut response = cx.send(stored.patch(JSON, &vec![test; TOO_MANY].into())).await?;
    if response.status() != 413 {
        response.expect_status(&[200])?;
        let large = collection.body("b", &"x".repeat(3_300_000));
        response = cx.send(Request::post(collection.path(), &large)).await?;
    }
    Halt::skip_unless(response.status() == 413, format!("no request is too large: {}", response.brief()))?;
    response.expect_error(&[413], &["RequestEntityTooLarge"]).map(drop)
}
