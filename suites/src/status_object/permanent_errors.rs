//! Permanent errors: repeated requests get the same reason.

use crate::invalid_requests::{self, Mistake};
use crate::prelude::*;

rows![status_object_badrequest_permanent, status_object_methodnotallowed_permanent.with_status()];

async fn status_object_badrequest_permanent(cx: Context) -> Checked {
    is_refused_again(cx, invalid_requests::bad_requests).await
}

async fn status_object_methodnotallowed_permanent(cx: Context) -> Checked {
    is_refused_again(cx, invalid_requests::not_allowed).await
}

/// How often each mistake is made.
const TIMES: usize = 10;

async fn is_refused_again(cx: Context, mistakes: fn(&StoredObject) -> Vec<Mistake>) -> Checked {
    let stored = StoredObject::create(&cx).await?;

    for mistake in mistakes(&stored) {
        for _ in 0..TIMES {
            let refused = cx.send(mistake.request.clone()).await?;

            refused.expect_error(&[mistake.code], &[mistake.reason])?;
        }
    }
    Ok(())
}
