//! Group and version of objects: in their paths, and in their `apiVersion`.

use super::require_core;
use crate::api_resources::{self, LONGEST, Type};
use crate::prelude::*;

rows![
    discovery_group_in_path_and_apiversion.own_kinds().read_only(),
    discovery_core_path.own_kinds().read_only(),
    discovery_core_apiversion.own_kinds().read_only(),
    discovery_named_group_apiversion.with_status(),
    discovery_versions_share_data.own_kinds(),
];

async fn discovery_group_in_path_and_apiversion(cx: Context) -> Checked {
    let lists = api_resources::lists(&cx).await?;
    for (ty, list) in &lists {
        list.expect_values(&[("/apiVersion", ty.api_version().into())])?;
    }
    let items = lists.into_iter().filter_map(|(ty, list)| Some((item_path(&ty, &list)?, ty))).collect();

    let got =
        api_resources::send_for_each(&cx, items, |(path, _)| Request::get(path.as_str()), Some(LONGEST));

    for ((_, ty), got) in got.await?.into_iter().filter(|(_, got)| got.status() == 200) {
        got.expect_values(&[("/apiVersion", ty.api_version().into())])?;
    }
    Ok(())
}

/// The path of the first item of a list.
fn item_path(ty: &Type, list: &Exchange) -> Option<String> {
    let page = list.page().ok()?;
    let item = page.items.first()?;
    let collection = if ty.namespaced { ty.path_in(item.namespace()) } else { ty.path() };
    Some(format!("{collection}/{}", item.name()))
}

/// The first namespaces. Skips on a server without namespaces.
async fn namespaces(cx: &Context) -> Result<Arc<Exchange>, Halt> {
    require_core(cx)?;
    cx.require_listed(&Resource::namespaces()).await?;
    cx.send(Request::get("/api/v1/namespaces").query("limit", 1)).await
}

async fn discovery_core_path(cx: Context) -> Checked {
    let listed = namespaces(&cx).await?;
    Halt::skip_unless(listed.status() != 403, "the user of kube-assay may not list namespaces")?;
    listed.expect_status(&[200])?;

    let found = cx.send(Request::get("/api/v1")).await?;

    found.expect_status(&[200])?;
    found.expect_values(&[("/kind", json!("APIResourceList")), ("/groupVersion", json!("v1"))])
}

async fn discovery_core_apiversion(cx: Context) -> Checked {
    let listed = namespaces(&cx).await?;
    listed.page()?;

    // Another namespace may vanish meanwhile.
    let got = cx.send(Request::get("/api/v1/namespaces/default")).await?;

    let objects = [listed, got].into_iter().filter(|response| response.status() != 404);
    objects.into_iter().try_for_each(|found| found.expect_values(&[("/apiVersion", json!("v1"))]))
}

async fn discovery_named_group_apiversion(cx: Context, collection: Collection) -> Checked {
    let created = cx.send(Request::post(collection.path(), &collection.body(NAME, "first"))).await?;
    created.written()?;
    let got = cx.send(Request::get(collection.path_of(NAME))).await?;

    let expected = [("/apiVersion", collection.resource().api_version().into())];
    [created, got].iter().try_for_each(|response| response.expect_values(&expected))
}

async fn discovery_versions_share_data(cx: Context) -> Checked {
    let collection = cx.editions().await?;
    let at = |version: &str| collection.path_of(NAME).replacen("/v1/", &format!("/{version}/"), 1);
    let api_version = |version: &str| json!(format!("{}/{version}", collection.resource().group));
    let mut body = collection.body(NAME, "first");
    body["apiVersion"] = api_version("v1beta1");

    let place = collection.path().replacen("/v1/", "/v1beta1/", 1);
    let created = cx.send(Request::post(place, &body)).await?.written()?;
    expect_in_all(&cx, &at, &api_version, &created, "first").await?;
    let patched = cx.send(Request::merge_patch(at("v2"), &collection.change("second"))).await?.written()?;
    expect_in_all(&cx, &at, &api_version, &patched, "second").await?;
    cx.send(Request::delete(at("v1"))).await?.written()?;
    cx.send(Request::get(at("v1beta1"))).await?.expect_status(&[404])
}

/// Every version shows the object as written, with this value.
async fn expect_in_all(
    cx: &Context,
    at: &impl Fn(&str) -> String,
    api_version: &impl Fn(&str) -> Value,
    written: &Object,
    value: &str,
) -> Checked {
    for version in ["v1beta1", "v1", "v2"] {
        let got = cx.send(Request::get(at(version))).await?;
        let metadata = |field: &str| json!(written.metadata(field));
        got.expect_values(&[
            ("/apiVersion", api_version(version)),
            ("/metadata/uid", metadata("uid")),
            ("/metadata/resourceVersion", metadata("resourceVersion")),
            ("/spec/value", json!(value)),
        ])?;
    }
    Ok(())
}
