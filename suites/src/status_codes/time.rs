//! What takes longer than it may.

use harness::{Context, Halt, Suite};

/// Adds the scenarios of this file.
pub(super) fn add(suite: Suite) -> Suite {
    suite
        .scenario("status-codes-504-timeout", what_runs_out_of_time_is_answered_with_504)
        .on_every_shape()
        .scenario("status-codes-timeout-parameter-malformed", what_is_no_duration_is_answered_with_400)
        .on_every_shape()
}

/// How often it is asked.
const TIMES: usize = 10;

/// 200 where the server does not look at the time, or was faster. One other answer is let pass: under load, real
/// servers answer 500 once in thousands of times, where the time runs out within their storage.
async fn what_runs_out_of_time_is_answered_with_504(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;
    let mut others = 0;

    for _ in 0..TIMES {
        let listed = things.list().param("timeout", "1ns").await?;

        others += usize::from(![504, 200].contains(&listed.status()));
        if others > 1 {
            listed.expect_status(&[504, 200])?;
        }
    }
    Ok(())
}

async fn what_is_no_duration_is_answered_with_400(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;

    for duration in ["abc", "1"] {
        let listed = things.list().param("timeout", duration).await?;

        listed.expect_error(&[400], &["BadRequest"])?;
    }
    Ok(())
}
