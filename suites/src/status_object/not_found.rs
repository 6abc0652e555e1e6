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
    let missing = cx.own_name("nowhere");
    let collection = collection.within(&missing);

    let response = cx.send(Request::post(collection.path(), &collection.body("a", "first"))).await?;

    response.expect_error(&[404], &["NotFound"])?;
    expect_named(&response, "kind", &["namespaces"])?;
    expect_named(&response, "name", &[&missing])
}

async fn status_object_unknown_resource_in_served_group(cx: Context) -> Checked {
    Halt::skip_unless(cx.target_info().serves(""), "discovery does not list the core group")?;
    for path in ["/api/v1/nosuchthings", "/api/v1/namespaces/default/nosuchthings"] {
        cx.send(Request::get(path)).await?.expect_error(&[404], &["NotFound"])?;
    }
    Ok(())
}

async fn status_object_unknown_group(cx: Context) -> Checked {
    let response = cx.send(Request::get("/apis/nosuch.kube-assay.dev/v1/things")).await?;

    response.expect_status(&[404])?;
    if response.json().is_some_and(|status| status["kind"] == "Status") {
        return response.expect_error(&[404], &["NotFound"]).map(drop);
    }
    cx.note("the response to an unknown group is no Status");
    Ok(())
}

async fn status_object_example_404(ConfigMaps(collection): ConfigMaps) -> Checked {
    let response = collection.get("grafana").await?;

    let status = response.expect_error(&[404], &["NotFound"])?;
    let complete =
        status["status"] == "Failure" && status["details"].is_object() && status["metadata"].is_object();
    response.expect(complete, "a Failure with metadata and details", status.to_string())?;
    expect_named(&response, "kind", &["configmaps"])?;
    expect_named(&response, "name", &["grafana"])?;
    let group = &status["details"]["group"];
    response.expect(group.is_null() || group == "", "no group: it is the core group", group.to_string())
}
