//! Reasons: one for each status code.

use crate::access_review;
use crate::invalid_requests;
use crate::prelude::*;
use crate::scenario::Fixture;

pub(super) fn rows() -> Vec<Row> {
    [
        table(REASONS, Kinds::All, a_mistake_is_answered_with_its_reason),
        vec![
            row!(status_object_badrequest_not_invalid),
            row!(status_object_methodnotallowed).with_status(),
            row!(status_object_methodnotallowed_create_only).own_kinds(),
        ],
    ]
    .concat()
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

async fn a_mistake_is_answered_with_its_reason(cx: Context, reason: &'static str) -> Checked {
    let Outdated(stored, _) = Outdated::arrange(&cx).await?;

    for mistake in invalid_requests::all(&stored).into_iter().filter(|mistake| mistake.reason == reason) {
        let refused = cx.send(mistake.request).await?;

        refused.expect_error(&[mistake.code], &[reason])?;
    }
    Ok(())
}

async fn status_object_badrequest_not_invalid(cx: Context, Outdated(stored, _): Outdated) -> Checked {
    for mistake in invalid_requests::bad_requests(&stored) {
        cx.send(mistake.request).await?.expect_error(&[400], &["BadRequest"])?;
    }

    let refused = cx.send(invalid_requests::invalid(&stored).request).await?;
    refused.expect_error(&[422], &["Invalid"]).map(drop)
}

async fn status_object_methodnotallowed(cx: Context, Outdated(stored, _): Outdated) -> Checked {
    for mistake in invalid_requests::not_allowed(&stored) {
        let refused = cx.send(mistake.request).await?;

        refused.expect_error(&[405], &["MethodNotAllowed"])?;
    }
    Ok(())
}

async fn status_object_methodnotallowed_create_only(cx: Context) -> Checked {
    let reviews = access_review::path(&cx).await?;

    let refused = cx.send(Request::delete(reviews)).await?;

    if refused.status() == 403 {
        return Err(Halt::Skipped("we may not delete reviews".to_owned()));
    }
    refused.expect_error(&[405], &["MethodNotAllowed"]).map(drop)
}
