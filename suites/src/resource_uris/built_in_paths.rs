//! The paths of namespaces, Pods and Deployments.

use crate::deployments;
use crate::prelude::*;

const NAMESPACES: &str = "/api/v1/namespaces";

rows![
    resource_uris_core_prefix.own_kinds().read_only(),
    resource_uris_documented_examples.own_kinds(),
    resource_uris_namespaces_list.own_kinds(),
    resource_uris_namespaces_item.own_kinds(),
    resource_uris_cluster_subresource.own_kinds(),
];

/// The scenario's namespace. Skips where the server has none.
async fn namespace(cx: &Context) -> Result<&str, Halt> {
    cx.require_listed(&Resource::namespaces()).await?;
    cx.namespace().await
}

async fn resource_uris_core_prefix(cx: Context) -> Checked {
    cx.require_listed(&Resource::namespaces()).await?;

    cx.send(Request::get(NAMESPACES).query("limit", 1)).await?.expect_status(&[200])?;
    for path in ["/apis/v1/namespaces", "/api/core/v1/namespaces", "/apis/core/v1/namespaces"] {
        cx.send(Request::get(path)).await?.expect_status(&[404])?;
    }
    Ok(())
}

async fn resource_uris_documented_examples(cx: Context, Deployments(collection): Deployments) -> Checked {
    cx.require_listed(&Resource::core("pods", "Pod")).await?;
    collection.create_body(&deployments::body(NAME)).await?;
    let pods = format!("{NAMESPACES}/{}/pods", namespace(&cx).await?);
    let lists = [NAMESPACES, "/api/v1/pods", &pods, "/apis/apps/v1/deployments", &collection.path()];

    for path in lists {
        cx.send(Request::get(path).query("limit", 1)).await?.expect_status(&[200])?;
    }
    collection.get(NAME).await?.expect_status(&[200])
}

async fn resource_uris_namespaces_list(cx: Context) -> Checked {
    let namespace = namespace(&cx).await?;

    for path in [NAMESPACES, "/api/v1/namespaces/"] {
        let own = format!("metadata.name={namespace}");
        let listed = cx.send(Request::get(path).query("fieldSelector", own)).await?;
        let page = listed.page()?;
        let kind = listed.json().map(|list| list["kind"].clone()).unwrap_or_default();
        let right = kind == "NamespaceList" && page.item(namespace).is_some();
        listed.expect(right, format!("a NamespaceList with {namespace}"), listed.brief())?;
    }
    Ok(())
}

async fn resource_uris_namespaces_item(cx: Context) -> Checked {
    let namespace = namespace(&cx).await?;

    expect_namespace(&*cx.send(Request::get(format!("{NAMESPACES}/{namespace}"))).await?, namespace)
}

async fn resource_uris_cluster_subresource(cx: Context) -> Checked {
    let namespace = namespace(&cx).await?;

    expect_namespace(&*cx.send(Request::get(format!("{NAMESPACES}/{namespace}/status"))).await?, namespace)
}

fn expect_namespace(response: &Exchange, name: &str) -> Checked {
    let object = response.object()?;
    let right = object.json()["kind"] == "Namespace" && object.name() == name;
    response.expect(right, format!("the Namespace {name}"), response.brief())
}
