//! 413: requests that are too large.

use crate::prelude::*;

rows![status_codes_413_too_large];

/// More than the 3 MiB that kube-apiserver accepts. The store may reject smaller objects with codes of its own.
const LARGE: usize = 3_300_000;

async fn status_codes_413_too_large(cx: Context, collection: Collection) -> Checked {
    let body = collection.body("a", &"x".repeat(LARGE));

    cx.send(Request::post(collection.path(), &body)).await?.expect_status(&[413, 422, 400, 201])
}
