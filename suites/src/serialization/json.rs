//! JSON, which is what is spoken where nobody asks for anything else.

use harness::ambient::{Ruling, kept};
use harness::{Context, Exchange, Halt, Request, Suite};

use crate::refusal::{accepts_json_only, of_resource};
use crate::stored::NAME;

/// Adds the rule and the scenarios of this file.
pub(super) fn add(suite: Suite) -> Suite {
    suite
        .scenario("serialization-json-preferred", json_is_taken_and_given_without_asking)
        .on_every_shape()
        .scenario("serialization-default-output-json", what_is_read_is_json_unless_asked_otherwise)
        .on_every_shape()
        .ambient("serialization-default-output-json", is_json)
        .scenario("serialization-default-input-json", a_body_is_read_as_json)
        .on_every_shape()
}

/// The request without a header.
fn without(mut request: Request, header: &str) -> Request {
    request.headers.retain(|(name, _)| name != header);
    request
}

/// What succeeds and says something. Logs and the like are no objects, and stand below one.
fn is_json(exchange: &Exchange) -> Ruling {
    let below_an_object = ["log", "proxy", "exec", "attach", "portforward"]
        .iter()
        .any(|name| exchange.request.path.split('/').any(|step| step == *name));
    let says = exchange.succeeded() && !exchange.response.body.is_empty() && !below_an_object;
    (says && of_resource(exchange) && accepts_json_only(exchange)).then(|| {
        let media = exchange.header("content-type").unwrap_or("none");
        kept(media.starts_with("application/json"), "Content-Type application/json", || media.to_owned())
    })
}

/// JSON, and so labelled.
fn expect_json(answer: &Exchange) -> Result<(), Halt> {
    answer.expect_kept(is_json(answer), "an answer in JSON")?;
    answer.expect(answer.json().is_some_and(serde_json::Value::is_object), "a JSON object", answer.brief())
}

async fn json_is_taken_and_given_without_asking(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;
    let create = Request::post(things.path(), &things.body(NAME, "first"));

    let created = cx.send(without(create, "accept")).await?;

    created.expect_status(&[201])?;
    expect_json(&created)
}

async fn what_is_read_is_json_unless_asked_otherwise(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;
    things.create(NAME).await?;
    let get = Request::get(things.path_of(NAME));

    for request in [without(get.clone(), "accept"), get.accept("*/*")] {
        let got = cx.send(request).await?;

        got.expect_status(&[200])?;
        expect_json(&got)?;
    }
    Ok(())
}

async fn a_body_is_read_as_json(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;
    let create = Request::post(things.path(), &things.body(NAME, "first"));

    let created = cx.send(without(create, "content-type")).await?;

    created.expect_status(&[201])?;
    let shown = created.object()?;
    created.expect(shown.value() == "first", "what was sent", created.brief())
}
