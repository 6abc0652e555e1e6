//! Lists at an expired `resourceVersion`.

use super::REASONS;
use super::expired_collection::Past;
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
    let past = Past::arrange(&cx).await?;

    let listed = past.outlived(|version| past.collection.list().exactly(version)).await?;

    listed.expect_status(&[410])
}

async fn gone_list_exact_compacted_410(cx: Context) -> Checked {
    let past = Past::arrange(&cx).await?;

    let listed = past.outlived(|version| past.collection.list().exactly(version)).await?;

    listed.expect_error(&[410], REASONS).map(drop)
}

async fn gone_list_legacy_exact_410(cx: Context) -> Checked {
    let past = Past::arrange(&cx).await?;
    require_limit(&past.collection).await?;

    let listed = past.outlived(|version| past.collection.list().limit(500).at(version)).await?;

    listed.expect_status(&[410])
}

async fn gone_body_is_status(cx: Context) -> Checked {
    let refused = refused(&cx).await?;

    super::invariants::is_status(&refused).map_err(|breach| refused.fail(breach.expected, breach.actual))
}

async fn gone_resource_expired_vs_gone_reason(cx: Context) -> Checked {
    let refused = refused(&cx).await?;

    super::invariants::has_reason(&refused).map_err(|breach| refused.fail(breach.expected, breach.actual))
}

/// An answer 410; that an expired version gets another one is asked above.
async fn refused(cx: &Context) -> Result<Arc<Exchange>, Halt> {
    let past = Past::arrange(cx).await?;
    let listed = past.outlived(|version| past.collection.list().exactly(version)).await?;
    if listed.expired() {
        return Ok(listed);
    }
    Err(Halt::Skipped(format!("the server does not answer 410, but {}", listed.brief())))
}
