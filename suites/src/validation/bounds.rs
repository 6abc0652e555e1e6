//! Numbers with an upper and a lower bound.

use super::expect_cause;
use super::rejections::{expect_words, with_spec};
use crate::prelude::*;

rows![validation_numbers_bounded.own_kinds(), validation_message_inclusive_ranges.own_kinds()];

/// The port of a Service is invalid, with these words in the message.
async fn expect_invalid_port(cx: &Context, port: i32, words: &[&str]) -> Checked {
    let services = cx.collection(Resource::core("services", "Service")).await?;
    let body = json!({
        "apiVersion": "v1", "kind": "Service", "metadata": { "name": NAME },
        "spec": { "ports": [{ "port": port }] },
    });
    let response = cx.send(Request::post(services.path(), &body)).await?;
    expect_words(&response, "spec.ports[0].port", "FieldValueInvalid", words)
}

async fn validation_numbers_bounded(cx: Context, Deployments(collection): Deployments) -> Checked {
    let response = cx.send(with_spec(&collection, "replicas", json!(-1))).await?;
    expect_cause(&response, "spec.replicas", "FieldValueInvalid")?;

    for port in [0, 65_536] {
        expect_invalid_port(&cx, port, &[]).await?;
    }
    Ok(())
}

async fn validation_message_inclusive_ranges(cx: Context) -> Checked {
    expect_invalid_port(&cx, 70_000, &["between 1 and 65535, inclusive"]).await
}
