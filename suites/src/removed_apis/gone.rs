//! Removed APIs: absent from discovery and from `OpenAPI`, and HTTP 404 for every request.

use super::api::{Api, Removal};
use super::table::REMOVED;
use crate::discovery::aggregated;
use crate::openapi;
use crate::prelude::*;

pub(super) fn rows() -> Vec<Row> {
    table(REMOVED, Kinds::Own, gone)
}

async fn gone(cx: Context, removal: Removal) -> Checked {
    expect_gone(&cx, removal).await
}

/// The server serves no part of a removed API.
pub(super) async fn expect_gone(cx: &Context, removal: Removal) -> Checked {
    removal.require_release(cx)?;
    let api = removal.api;
    expect_undiscovered(cx, api).await?;
    expect_undescribed(cx, api).await?;
    for (verb, request) in requests(api, &cx.own_name("removed")) {
        let response = cx.send(request).await?;
        api.expect_permitted(cx, verb, &response).await?;
        // The body of kube-apiserver is a Status, or a text if the whole group is gone.
        response.expect_status(&[404])?;
    }
    match cx.open(Request::get(api.path()).query("watch", 1)).await? {
        Opening::Watch(mut watch) => Err(watch.fail("HTTP 404", "the server opens a watch")),
        Opening::Rejected(response) => {
            api.expect_permitted(cx, "watch", &response).await?;
            response.expect_status(&[404])
        }
    }
}

/// A request of each verb. No server stores anything: `dryRun` prevents it where the API exists.
fn requests(api: Api, name: &str) -> [(&'static str, Request); 4] {
    let (collection, object) = (api.path(), format!("{}/{name}", api.path()));
    let label = json!({ "metadata": { "labels": { "kube-assay": "removed" } } });
    [
        ("list", Request::get(collection.as_str()).query("limit", 1)),
        ("get", Request::get(object.as_str())),
        ("create", Request::post(collection, &api.body(name)).query("dryRun", "All")),
        ("patch", Request::merge_patch(object, &label).query("dryRun", "All")),
    ]
}

/// Neither form of discovery lists the API. Its group and version may still have other resources.
async fn expect_undiscovered(cx: &Context, api: Api) -> Checked {
    let expected = || format!("no {} in discovery", api.name());
    let document = cx.send(Request::get(api.root())).await?;
    let entry = api.entry_in(&document);
    document.expect(entry.is_none(), expected(), format!("{}", entry.unwrap_or(&Value::Null)))?;
    let document = cx.send(aggregated::get("/apis")).await?;
    document.expect(!api.is_in_aggregated(&document), expected(), "the aggregated document lists it")
}

/// The `OpenAPI` document of the group and version, where there is one, has no path of the API.
async fn expect_undescribed(cx: &Context, api: Api) -> Checked {
    let index = cx.send(Request::get("/openapi/v3")).await?;
    let place = format!("apis/{}", api.version);
    let url = index.json().and_then(|index| index["paths"][place]["serverRelativeURL"].as_str());
    let Some(url) = url.filter(|_| index.succeeded()) else { return Ok(()) };
    let document = cx.send(openapi::get(url)).await?;
    let paths = document.json().and_then(|document| document["paths"].as_object());
    let described = paths.into_iter().flatten().map(|(path, _)| path).find(|path| api.has_path(path));
    let actual = described.map(String::as_str).unwrap_or_default();
    document.expect(described.is_none(), format!("no path of {} in OpenAPI", api.name()), actual)
}
