//! What is too large.

use harness::{Context, Halt, Request, Suite};

/// Adds the scenarios of this file.
pub(super) fn add(suite: Suite) -> Suite {
    suite.scenario("status-codes-413-too-large", what_is_too_large_is_the_clients_mistake).on_every_shape()
}

/// A little more than the 3 MiB that kube-apiserver takes. Of less, its store may refuse it in its own way.
const LARGE: usize = 3_300_000;

async fn what_is_too_large_is_the_clients_mistake(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;
    let body = things.body("a", &"x".repeat(LARGE));

    let answer = cx.send(Request::post(things.path(), &body)).await?;

    answer.expect_status(&[413, 422, 400, 201])
}
