//! The reason `NotFound`, for objects, types and groups.

use super::details::expect_named;
use crate::prelude::*;

rows![
    status_object_notfound_details_kind_may_differ.namespaced(),
    status_object_unknown_resource_in_served_group.own_kinds().read_only(),
    status_object_unknown_group.own_kinds().read_only(),
    status_object_example_404.own_kinds(),
];

async fn status_object_notfound_details_kind_may_differ(cx: Context) -> Checked {
    cx.needs_namespaces()?;
    let collection = cx.collection_under_test().await?;
    let nowhere = cx.own_name("nowhere");
    let elsewhere = collection.within(&nowhere);

    let refused = cx.send(Request::post(elsewhere.path(), &elsewhere.body("a", "first"))).await?;

    refused.expect_error(&[404], &["NotFound"])?;
    expect_named(&refused, "kind", &["namespaces"])?;
    expect_named(&refused, "name", &[&nowhere])
}

async fn status_object_unknown_resource_in_served_group(cx: Context) -> Checked {
    if !cx.target_info().serves("") {
        return Err(Halt::Skipped("discovery does not list the core group".to_owned()));
    }
    for path in ["/api/v1/nosuchthings", "/api/v1/namespaces/default/nosuchthings"] {
        let refused = cx.send(Request::get(path)).await?;

        refused.expect_error(&[404], &["NotFound"])?;
    }
    Ok(())
}

async fn status_object_unknown_group(cx: Context) -> Checked {
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

async fn status_object_example_404(ConfigMaps(collection): ConfigMaps) -> Checked {
    let refused = collection.get("grafana").await?;

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
