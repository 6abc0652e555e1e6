//! What is refused, each mistake with its code.

use std::sync::Arc;

use harness::{Collection, Context, Exchange, Halt, Method, Request, Suite};
use serde_json::json;

use crate::access_review;
use crate::forms;
use crate::mistakes;
use crate::stored::Stored;

/// Adds the scenarios of this file.
pub(super) fn add(suite: Suite) -> Suite {
    suite
        .scenario("status-codes-400-bad-request", what_makes_no_sense_is_answered_with_400)
        .on_every_shape()
        .table(CODES, a_mistake_is_answered_with_its_code)
        .on_every_shape()
        .scenario("status-codes-405-method-not-allowed", what_a_url_does_not_offer_is_answered_with_405)
        .on_shapes_with_status()
        .scenario("status-codes-409-update-conflict", what_does_not_hold_any_more_is_answered_with_409)
        .on_every_shape()
        .scenario("status-codes-422-unprocessable", what_is_not_valid_is_answered_with_422)
        .on_every_shape()
}

#[rustfmt::skip]
const CODES: &[(&str, &str)] = &[
    ("status-codes-409-create-exists",          "AlreadyExists"),
    ("status-codes-406-not-acceptable",         "NotAcceptable"),
    ("status-codes-415-unsupported-media-type", "UnsupportedMediaType"),
];

async fn a_mistake_is_answered_with_its_code(cx: Context, reason: &'static str) -> Result<(), Halt> {
    let stored = mistakes::outdated(&cx).await?;

    for mistake in mistakes::all(&stored).into_iter().filter(|mistake| mistake.reason == reason) {
        let refused = cx.send(mistake.request).await?;

        refused.expect_status(&[mistake.code])?;
    }
    Ok(())
}

async fn what_makes_no_sense_is_answered_with_400(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;
    let array = json!([things.body("a", "first")]).to_string();

    for body in ["{", "", array.as_str()] {
        post_text(&cx, &things, body).await?.expect_status(&[400])?;
    }
    Ok(())
}

async fn post_text(cx: &Context, things: &Collection, body: &str) -> Result<Arc<Exchange>, Halt> {
    cx.send(forms::raw(Request::new(Method::POST, things.path()), "application/json", body)).await
}

async fn what_a_url_does_not_offer_is_answered_with_405(cx: Context) -> Result<(), Halt> {
    let stored = Stored::create(&cx).await?;
    let things = &stored.things;
    let mut requests: Vec<_> =
        mistakes::not_allowed(&stored).into_iter().map(|mistake| mistake.request).collect();
    // A custom type takes a PUT to its collection for one of an object without a name.
    if stored.is_built_in() {
        requests.push(Request::put(things.path(), &things.body("b", "first")));
    }
    if cx.discovers(&access_review::resource()).await? {
        requests.push(Request::get(access_review::path(&cx).await?));
    }

    for request in requests {
        cx.send(request).await?.expect_status(&[405])?;
    }
    Ok(())
}

async fn what_does_not_hold_any_more_is_answered_with_409(cx: Context) -> Result<(), Halt> {
    let stored = mistakes::outdated(&cx).await?;

    stored.put(&stored.body("third")).await?.expect_status(&[409])
}

async fn what_is_not_valid_is_answered_with_422(cx: Context) -> Result<(), Halt> {
    let stored = Stored::create(&cx).await?;
    let things = &stored.things;
    let labels = json!({ "assay": "with a space" });
    let (mut named, mut labelled) = (things.body("b", "first"), stored.body("second"));
    // Names of roles may be nearly anything.
    named["metadata"]["name"] = things.name_of("Bad_%").into();
    labelled["metadata"]["labels"] = labels.clone();

    cx.send(Request::post(things.path(), &named)).await?.expect_status(&[422])?;
    stored.put(&labelled).await?.expect_status(&[422])?;
    let patch = json!({ "metadata": { "labels": labels } });
    cx.send(stored.patch("application/merge-patch+json", &patch)).await?.expect_status(&[422])
}
