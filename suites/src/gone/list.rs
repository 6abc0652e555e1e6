//! Lists at a version that the server no longer holds.

use std::sync::Arc;

use harness::{Context, Exchange, Halt, Suite};

use super::REASONS;
use super::past::Past;
use crate::limited::require_limit;

/// Adds the scenarios of this part.
pub(super) fn add(suite: Suite) -> Suite {
    suite
        .scenario("gone-status-410-for-expired", an_expired_version_is_answered_with_410_and_nothing_else)
        .scenario("gone-list-exact-compacted-410", an_exact_list_of_an_expired_version_is_gone)
        .also("rv-sem-exact-unavailable-410")
        .scenario("gone-list-legacy-exact-410", a_limited_list_of_an_expired_version_is_gone)
        .scenario("gone-body-is-status", the_answer_410_carries_a_status)
        .scenario("gone-resource-expired-vs-gone-reason", the_answer_410_gives_a_reason)
        .also("status-object-gone-or-expired")
}

async fn an_expired_version_is_answered_with_410_and_nothing_else(cx: Context) -> Result<(), Halt> {
    let past = Past::arrange(&cx).await?;

    let listed = past.outlived(|version| past.things.list().exactly(version)).await?;

    listed.expect_status(&[410])
}

async fn an_exact_list_of_an_expired_version_is_gone(cx: Context) -> Result<(), Halt> {
    let past = Past::arrange(&cx).await?;

    let listed = past.outlived(|version| past.things.list().exactly(version)).await?;

    listed.expect_error(&[410], REASONS).map(drop)
}

async fn a_limited_list_of_an_expired_version_is_gone(cx: Context) -> Result<(), Halt> {
    let past = Past::arrange(&cx).await?;
    require_limit(&past.things).await?;

    let listed = past.outlived(|version| past.things.list().limit(500).at(version)).await?;

    listed.expect_status(&[410])
}

async fn the_answer_410_carries_a_status(cx: Context) -> Result<(), Halt> {
    let refused = refused(&cx).await?;

    super::always::is_status(&refused).map_err(|breach| refused.fail(breach.expected, breach.actual))
}

async fn the_answer_410_gives_a_reason(cx: Context) -> Result<(), Halt> {
    let refused = refused(&cx).await?;

    super::always::has_reason(&refused).map_err(|breach| refused.fail(breach.expected, breach.actual))
}

/// An answer 410; that an expired version gets another one is asked above.
async fn refused(cx: &Context) -> Result<Arc<Exchange>, Halt> {
    let past = Past::arrange(cx).await?;
    let listed = past.outlived(|version| past.things.list().exactly(version)).await?;
    if listed.expired() {
        return Ok(listed);
    }
    Err(Halt::Skipped(format!("the server does not answer 410, but {}", listed.brief())))
}
