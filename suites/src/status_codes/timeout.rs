//! 504 and the parameter `timeout`.

use crate::prelude::*;

rows![status_codes_504_timeout, status_codes_timeout_parameter_malformed];

/// Number of lists.
const TIMES: usize = 10;

/// 200 where the server ignores the timeout, or is faster. One other response is legal: under load, a real server
/// returns 500 for one list in thousands, when the time runs out in its storage.
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
