//! 504 and the parameter `timeout`.

use crate::prelude::*;

rows![status_codes_504_timeout, status_codes_timeout_parameter_malformed];

/// Number of lists.
const TIMES: usize = 10;

/// 200 where the server ignores the timeout, or is faster. One other end is legal: under load, one list in thousands
/// on a real server ends with 500 (the time runs out in its storage), or has its stream reset (it runs out after the
/// first byte of the response).
async fn status_codes_504_timeout(collection: Collection) -> Checked {
    let mut others = 0;

    for _ in 0..TIMES {
        let listed = collection.list().param("timeout", "1ns").await;

        let ended = listed.and_then(|listed| listed.expect_status(&[504, 200]).map(drop));
        others += usize::from(ended.is_err());
        if others > 1 {
            return ended;
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
