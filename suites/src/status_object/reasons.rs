//! The reason that goes with each code.

use harness::{Context, Halt, Request, Suite};

use crate::access_review;
use crate::mistakes;

/// Adds the scenarios of this file.
pub(super) fn add(suite: Suite) -> Suite {
    suite
        .table(REASONS, a_mistake_is_answered_with_its_reason)
        .on_every_shape()
        .scenario("status-object-badrequest-not-invalid", what_cannot_be_read_is_not_invalid)
        .on_every_shape()
        .scenario("status-object-methodnotallowed", what_a_url_does_not_offer_is_not_allowed)
        .on_shapes_with_status()
        .scenario("status-object-methodnotallowed-create-only", what_is_only_created_cannot_be_deleted)
}

#[rustfmt::skip]
const REASONS: &[(&str, &str)] = &[
    ("status-object-badrequest",           "BadRequest"),
    ("status-object-notfound",             "NotFound"),
    ("status-object-alreadyexists",        "AlreadyExists"),
    ("status-object-conflict",             "Conflict"),
    ("status-object-invalid",              "Invalid"),
    ("status-object-notacceptable",        "NotAcceptable"),
    ("status-object-unsupportedmediatype", "UnsupportedMediaType"),
];

async fn a_mistake_is_answered_with_its_reason(cx: Context, reason: &'static str) -> Result<(), Halt> {
    let stored = mistakes::outdated(&cx).await?;

    for mistake in mistakes::all(&stored).into_iter().filter(|mistake| mistake.reason == reason) {
        let refused = cx.send(mistake.request).await?;

        refused.expect_error(&[mistake.code], &[reason])?;
    }
    Ok(())
}

async fn what_cannot_be_read_is_not_invalid(cx: Context) -> Result<(), Halt> {
    let stored = mistakes::outdated(&cx).await?;

    for mistake in mistakes::bad_requests(&stored) {
        cx.send(mistake.request).await?.expect_error(&[400], &["BadRequest"])?;
    }

    let refused = cx.send(mistakes::invalid(&stored).request).await?;
    refused.expect_error(&[422], &["Invalid"]).map(drop)
}

async fn what_a_url_does_not_offer_is_not_allowed(cx: Context) -> Result<(), Halt> {
    let stored = mistakes::outdated(&cx).await?;

    for mistake in mistakes::not_allowed(&stored) {
        let refused = cx.send(mistake.request).await?;

        refused.expect_error(&[405], &["MethodNotAllowed"])?;
    }
    Ok(())
}

async fn what_is_only_created_cannot_be_deleted(cx: Context) -> Result<(), Halt> {
    let reviews = access_review::path(&cx).await?;

    let refused = cx.send(Request::delete(reviews)).await?;

    if refused.status() == 403 {
        return Err(Halt::Skipped("we may not delete reviews".to_owned()));
    }
    refused.expect_error(&[405], &["MethodNotAllowed"]).map(drop)
}
