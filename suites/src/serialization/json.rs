//! JSON, the default encoding.

use harness::Protocol;
use harness::invariant;
use harness::invariant::{CheckResult, ensure};

use crate::error_response::{accepts_json_only, of_resource};
use crate::prelude::*;

pub(super) fn rows() -> Vec<Row> {
    vec![
        row!(serialization_json_preferred),
        row!(serialization_default_output_json),
        invariant("serialization-default-output-json", is_json),
        row!(serialization_default_input_json),
    ]
}

/// The create of an object without this header; not yet sent.
pub(crate) fn create_without(collection: &Collection, header: &str) -> Request {
    without(Request::post(collection.path(), &collection.body(NAME, "first")), header)
}

/// A request without this header, on a connection to which no library adds one.
pub(crate) fn without(mut request: Request, header: &str) -> Request {
    request.headers.retain(|(name, _)| name != header);
    request.protocol(Protocol::Bare)
}

/// Of successful responses with a body. Subresources such as logs return other media types.
fn is_json(exchange: &Exchange) -> CheckResult {
    let subresource = |step| ["log", "proxy", "exec", "attach", "portforward"].contains(&step);
    let object = exchange.succeeded()
        && !exchange.response.body.is_empty()
        && !exchange.request.path.split('/').any(subresource);
    (object && of_resource(exchange) && accepts_json_only(exchange)).then(|| {
        let media = exchange.header("content-type").unwrap_or("none");
        let is_json = media.to_ascii_lowercase().starts_with("application/json");
        ensure(is_json, "Content-Type application/json", || media.to_owned())
    })
}

/// A JSON object with the Content-Type of JSON.
fn expect_json(response: &Exchange) -> Checked {
    response.expect_passed(is_json(response), "a response in JSON")?;
    response.expect(response.json().is_some_and(Value::is_object), "a JSON object", response.brief())
}

async fn serialization_json_preferred(cx: Context, collection: Collection) -> Checked {
    let created = cx.send(create_without(&collection, "accept")).await?;

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
    let created = cx.send(create_without(&collection, "content-type")).await?;

    created.expect_status(&[201])?;
    let object = created.object()?;
    created.expect(object.value() == "first", "the value \"first\" of the request", created.brief())
}
