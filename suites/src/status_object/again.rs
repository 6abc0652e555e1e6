//! Refusals that stay: what never can be done is not refused for a while only.

use harness::{Context, Halt, Suite};

use crate::mistakes::{self, Mistake};
use crate::stored::Stored;

/// Adds the scenarios of this file.
pub(super) fn add(suite: Suite) -> Suite {
    suite
        .scenario("status-object-badrequest-permanent", |cx| is_refused_again(cx, mistakes::bad_requests))
        .on_every_shape()
        .scenario("status-object-methodnotallowed-permanent", |cx| {
            is_refused_again(cx, mistakes::not_allowed)
        })
        .on_shapes_with_status()
}

/// How often each mistake is made.
const TIMES: usize = 10;

async fn is_refused_again(cx: Context, mistakes: fn(&Stored) -> Vec<Mistake>) -> Result<(), Halt> {
    let stored = Stored::create(&cx).await?;

    for mistake in mistakes(&stored) {
        for _ in 0..TIMES {
            let refused = cx.send(mistake.request.clone()).await?;

            refused.expect_error(&[mistake.code], &[mistake.reason])?;
        }
    }
    Ok(())
}
