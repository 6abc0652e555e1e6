//! JSON, the default encoding.

use harness::invariant;
use harness::invariant::{CheckResult, kept};

use crate::error_response::{accepts_json_only, of_resource};
use crate::prelude::*;

/// The rule and the scenarios of this file.
pub(super) fn rows() -> Vec<Row> {
    vec![
        row!(serialization_json_preferred),
        row!(serialization_default_output_json),
        invariant("serialization-default-output-json", is_json),
        row!(serialization_default_input_json),
    ]
}

/// The request without a header.
fn without(mut request: Request, header: &str) -> Request {
    request.headers.retain(|(name, _)| name != header);
    request
}

/// What succeeds and says something. Logs and the like are no objects, and stand below one.
fn is_json(exchange: &Exchange) -> CheckResult {
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
fn expect_json(answer: &Exchange) -> Checked {
    answer.expect_kept(is_json(answer), "an answer in JSON")?;
    answer.expect(answer.json().is_some_and(serde_json::Value::is_object), "a JSON object", answer.brief())
}

async fn serialization_json_preferred(cx: Context, collection: Collection) -> Checked {
    let create = Request::post(collection.path(), &collection.body(NAME, "first"));

    let created = cx.send(without(create, "accept")).await?;

    created.expect_status(&[201])?;
    expect_json(&created)
}

async fn serialization_default_output_json(cx: Context, collection: Collection) -> Checked {
    collection.create(NAME).await?;
    let get = Request::get(collection.path_of(NAME));

    for request in [without(get.clone(), "accept"), get.accept("*/*")] {
        let got = cx.send(request).await?;

        got.expect_status(&[200])?;
        expect_json(&got)?;
    }
    Ok(())
}

async fn serialization_default_input_json(cx: Context, collection: Collection) -> Checked {
    let create = Request::post(collection.path(), &collection.body(NAME, "first"));

    let created = cx.send(without(create, "content-type")).await?;

    created.expect_status(&[201])?;
    let shown = created.object()?;
    created.expect(shown.value() == "first", "what was sent", created.brief())
}
