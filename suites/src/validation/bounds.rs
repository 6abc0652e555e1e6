//! Numbers that have bounds on both sides.

use harness::{Context, Halt, Request, Resource, Suite};
use serde_json::{Value, json};

use super::expect_cause;
use crate::deployments;
use crate::stored::NAME;

/// Adds the scenarios of this file.
pub(super) fn add(suite: Suite) -> Suite {
    suite
        .scenario("validation-numbers-bounded", numbers_have_bounds)
        .scenario("validation-message-inclusive-ranges", a_range_is_told_with_both_ends)
}

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

async fn numbers_have_bounds(cx: Context) -> Result<(), Halt> {
    let things = deployments::collection(&cx).await?;
    let mut body = deployments::body(NAME);
    body["spec"]["replicas"] = json!(-1);
    let refused = cx.send(Request::post(things.path(), &body)).await?;
    expect_cause(&refused, "spec.replicas", "FieldValueInvalid")?;

    for port in [0, 65_536] {
        refused_port(&cx, port).await?;
    }
    Ok(())
}

async fn a_range_is_told_with_both_ends(cx: Context) -> Result<(), Halt> {
    let (refused, cause) = refused_port(&cx, 70_000).await?;

    let message = cause["message"].as_str().unwrap_or_default();
    refused.expect(
        message.contains("between 1 and 65535, inclusive"),
        "between 1 and 65535, inclusive",
        message,
    )
}
