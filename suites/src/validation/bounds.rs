//! Numbers with an upper and a lower bound.

use super::expect_cause;
use crate::deployments;
use crate::prelude::*;

rows![validation_numbers_bounded.own_kinds(), validation_message_inclusive_ranges.own_kinds()];

/// A Service with one port; not yet sent.
fn service(port: i32) -> Value {
    let ports = json!([{ "port": port }]);
    json!({ "apiVersion": "v1", "kind": "Service", "metadata": { "name": NAME }, "spec": { "ports": ports } })
}

/// The first port of a Service is refused; answers why.
async fn refused_port(cx: &Context, port: i32) -> Result<(std::sync::Arc<harness::Exchange>, Value), Halt> {
    let services = cx.collection(Resource::core("services", "Service")).await?;
    let refused = cx.send(Request::post(services.path(), &service(port))).await?;
    let cause = expect_cause(&refused, "spec.ports[0].port", "FieldValueInvalid")?.clone();
    Ok((refused, cause))
}

async fn validation_numbers_bounded(cx: Context, Deployments(collection): Deployments) -> Checked {
    let mut body = deployments::body(NAME);
    body["spec"]["replicas"] = json!(-1);
    let refused = cx.send(Request::post(collection.path(), &body)).await?;
    expect_cause(&refused, "spec.replicas", "FieldValueInvalid")?;

    for port in [0, 65_536] {
        refused_port(&cx, port).await?;
    }
    Ok(())
}

async fn validation_message_inclusive_ranges(cx: Context) -> Checked {
    let (refused, cause) = refused_port(&cx, 70_000).await?;

    let message = cause["message"].as_str().unwrap_or_default();
    refused.expect(
        message.contains("between 1 and 65535, inclusive"),
        "between 1 and 65535, inclusive",
        message,
    )
}
