//! Lists at an expired `resourceVersion`.

use super::REASONS;
use super::expired_collection::Past;
use super::invariants::{has_reason, is_status};
use crate::limit_support::require_limit;
use crate::prelude::*;

rows![
    gone_status_410_for_expired.namespaced(),
    gone_list_exact_compacted_410.namespaced().also("rv-sem-exact-unavailable-410"),
    gone_list_legacy_exact_410.namespaced(),
    gone_body_is_status.namespaced(),
    gone_resource_expired_vs_gone_reason.namespaced().also("status-object-gone-or-expired"),
];

async fn gone_status_410_for_expired(cx: Context) -> Checked {
    Past::arrange(&cx).await?.exact_list().await?.expect_status(&[410])
}

async fn gone_list_exact_compacted_410(cx: Context) -> Checked {
    Past::arrange(&cx).await?.exact_list().await?.expect_error(&[410], REASONS).map(drop)
}

async fn gone_list_legacy_exact_410(cx: Context) -> Checked {
    let past = Past::arrange(&cx).await?;
    require_limit(&past.collection).await?;

    let listed = past.outlived(|version| past.collection.list().limit(500).at(version)).await?;

    listed.expect_status(&[410])
}

async fn gone_body_is_status(cx: Context) -> Checked {
    let refused = refused(&cx).await?;

    refused.expect_passed(Some(is_status(&refused)), "")
}

async fn gone_resource_expired_vs_gone_reason(cx: Context) -> Checked {
    let refused = refused(&cx).await?;

    refused.expect_passed(Some(has_reason(&refused)), "")
}

/// A 410 response. Skips for any other response: the scenarios above are about the code.
async fn refused(cx: &Context) -> Result<Arc<Exchange>, Halt> {
    require_410(Past::arrange(cx).await?.exact_list().await?)
}

/// Skips unless the response is a 410.
pub(super) fn require_410(response: Arc<Exchange>) -> Result<Arc<Exchange>, Halt> {
    if response.expired() {
        return Ok(response);
    }
    Err(Halt::skip(format!("the server does not return 410, but {}", response.brief())))
}
