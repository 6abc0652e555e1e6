//! 504 and the parameter `timeout`.

use crate::prelude::*;

rows![status_codes_504_timeout, status_codes_timeout_parameter_malformed];

/// How often it is asked.
const TIMES: usize = 10;

/// 200 where the server does not look at the time, or was faster. One other answer is let pass: under load, real
/// servers answer 500 once in thousands of times, where the time runs out within their storage.
async fn status_codes_504_timeout(collection: Collection) -> Checked {
    let mut others = 0;

    for _ in 0..TIMES {
        let listed = collection.list().param("timeout", "1ns").await?;

        others += usize::from(![504, 200].contains(&listed.status()));
        if others > 1 {
            listed.expect_status(&[504, 200])?;
        }
    }
    Ok(())
}

async fn status_codes_timeout_parameter_malformed(collection: Collection) -> Checked {
    for duration in ["abc", "1"] {
        let listed = collection.list().param("timeout", duration).await?;

        listed.expect_error(&[400], &["BadRequest"])?;
    }
    Ok(())
}
