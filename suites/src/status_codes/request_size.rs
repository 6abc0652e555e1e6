//! 413: requests that are too large.

use crate::prelude::*;

rows![status_codes_413_too_large];

/// A little more than the 3 MiB that kube-apiserver takes. Of less, its store may refuse it in its own way.
const LARGE: usize = 3_300_000;

async fn status_codes_413_too_large(cx: Context, collection: Collection) -> Checked {
    let body = collection.body("a", &"x".repeat(LARGE));

    let answer = cx.send(Request::post(collection.path(), &body)).await?;

    answer.expect_status(&[413, 422, 400, 201])
}
