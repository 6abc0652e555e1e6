//! Reasons: one for each status code.

use super::details::rejections;
use crate::access_review;
use crate::invalid_requests;
use crate::prelude::*;

pub(super) fn rows() -> Vec<Row> {
    [
        table(REASONS, Kinds::All, reason),
        vec![
            row!(status_object_badrequest_not_invalid),
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

async fn reason(cx: Context, reason: &'static str) -> Checked {
    let Outdated(stored, _) = Outdated::arrange(&cx).await?;
    rejections(&cx, &stored, reason).await.map(drop)
}

async fn status_object_badrequest_not_invalid(cx: Context, Outdated(stored, _): Outdated) -> Checked {
    for bad_request in invalid_requests::bad_requests(&stored) {
        cx.send(bad_request.request).await?.expect_error(&[400], &["BadRequest"])?;
    }

    let response = cx.send(invalid_requests::invalid(&stored).request).await?;
    response.expect_error(&[422], &["Invalid"]).map(drop)
}

async fn status_object_methodnotallowed_create_only(cx: Context) -> Checked {
    let reviews = access_review::path(&cx).await?;

    let response = cx.send(Request::delete(reviews)).await?;

    Halt::skip_unless(response.status() != 403, "the user of kube-assay may not delete reviews")?;
    response.expect_error(&[405], &["MethodNotAllowed"]).map(drop)
}
