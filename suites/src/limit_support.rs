//! Support of `limit`: servers that ignore it skip its scenarios.

use crate::prelude::*;

/// Skips where the server ignores `limit=1`.
pub(crate) async fn require_limit(collection: &Collection) -> Checked {
    let first = collection.list().limit(1).page().await?;
    if first.token.is_none() && first.items.len() > 1 { Err(unlimited()) } else { Ok(()) }
}

/// Why a clause about a limited list is skipped.
pub(crate) fn unlimited() -> Halt {
    Halt::skip("this server shows the whole list whatever the limit")
}

/// Why a scenario about the second page is skipped.
pub(crate) fn no_token() -> Halt {
    Halt::skip("the first page has no token, so that there is no second")
}
