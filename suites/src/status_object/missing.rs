//! What there is not: objects, namespaces, types, groups.

use harness::{Context, Halt, Request, Suite};
use serde_json::Value;

use super::details::expect_named;

/// Adds the scenarios of this file.
pub(super) fn add(suite: Suite) -> Suite {
    suite
        .scenario("status-object-notfound-details-kind-may-differ", a_namespace_that_is_not_there_is_named)
        .on_custom_resources()
        .scenario(
            "status-object-unknown-resource-in-served-group",
            a_type_that_is_not_there_is_told_by_a_status,
        )
        .read_only()
        .scenario("status-object-unknown-group", a_group_that_is_not_there_is_not_found)
        .read_only()
        .scenario("status-object-example-404", a_missing_object_is_told_as_in_the_example)
}

async fn a_namespace_that_is_not_there_is_named(cx: Context) -> Result<(), Halt> {
    cx.needs_namespaces()?;
    let things = cx.things().await?;
    let nowhere = cx.own_name("nowhere");
    let elsewhere = things.within(&nowhere);

    let refused = cx.send(Request::post(elsewhere.path(), &elsewhere.body("a", "first"))).await?;

    refused.expect_error(&[404], &["NotFound"])?;
    expect_named(&refused, "kind", &["namespaces"])?;
    expect_named(&refused, "name", &[&nowhere])
}

async fn a_type_that_is_not_there_is_told_by_a_status(cx: Context) -> Result<(), Halt> {
    if !cx.survey().serves("") {
        return Err(Halt::Skipped("discovery does not list the core group".to_owned()));
    }
    for path in ["/api/v1/nosuchthings", "/api/v1/namespaces/default/nosuchthings"] {
        let refused = cx.send(Request::get(path)).await?;

        refused.expect_error(&[404], &["NotFound"])?;
    }
    Ok(())
}

async fn a_group_that_is_not_there_is_not_found(cx: Context) -> Result<(), Halt> {
    let refused = cx.send(Request::get("/apis/nosuch.kube-assay.dev/v1/things")).await?;

    refused.expect_status(&[404])?;
    match refused.json() {
        Some(status) if status["kind"] == "Status" => refused.expect_error(&[404], &["NotFound"]).map(drop),
        _ => {
            cx.note("an unknown group is told by no Status");
            Ok(())
        }
    }
}

async fn a_missing_object_is_told_as_in_the_example(cx: Context) -> Result<(), Halt> {
    let things = cx.configmaps().await?;

    let refused = things.get("grafana").await?;

    let status = refused.expect_error(&[404], &["NotFound"])?;
    let like =
        status["status"] == "Failure" && status["details"].is_object() && status["metadata"].is_object();
    refused.expect(like, "a Failure with metadata and details", status.to_string())?;
    expect_named(&refused, "kind", &["configmaps"])?;
    expect_named(&refused, "name", &["grafana"])?;
    let group = &status["details"]["group"];
    refused.expect(
        matches!(group, Value::Null) || group == "",
        "no group: it is the core group",
        group.to_string(),
    )
}
