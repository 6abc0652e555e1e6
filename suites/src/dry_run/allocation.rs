//! Dry runs of types with allocated fields, such as the addresses of Services.

use super::dry;
use crate::definitions;
use crate::missing_namespace::skip_if_provided;
use crate::prelude::*;

rows![
    dryrun_service_allocations.own_kinds(),
    dryrun_crd_not_established.own_kinds(),
    dryrun_namespace_not_created.own_kinds(),
];

/// The create of a Service; not yet sent.
fn service(services: &Collection, name: &str, address: Option<&str>) -> Request {
    let mut body = json!({
        "apiVersion": "v1", "kind": "Service", "metadata": { "name": name }, "spec": { "ports": [{ "port": 80 }] },
    });
    if let Some(address) = address {
        body["spec"]["clusterIP"] = address.into();
    }
    Request::post(services.path(), &body)
}

async fn dryrun_service_allocations(cx: Context) -> Checked {
    let services = cx.collection(Resource::core("services", "Service")).await?;
    let real = cx.send(service(&services, NAME, None)).await?;
    let address = real.written()?.json()["spec"]["clusterIP"].as_str().map(str::to_owned);
    services.delete(NAME).await?;

    for name in ["b", "c"] {
        cx.send(dry(service(&services, name, None))).await?.expect_status(&[201])?;
    }
    cx.send(service(&services, "d", None)).await?.expect_status(&[201])?;
    // The server may have allocated the address again: both dry runs must get the same response.
    let with_address = |name: &str| dry(service(&services, name, address.as_deref()));
    let first = cx.send(with_address("e")).await?;
    let second = cx.send(with_address("f")).await?;
    if first.status() == 201 {
        return second.expect_status(&[201]);
    }
    cx.note(format!("two dry runs with one clusterIP not tested: {}", first.brief()));
    Ok(())
}

async fn dryrun_crd_not_established(cx: Context) -> Checked {
    let group = definitions::group(&cx, "dry");
    let definition = definitions::body(&cx, &group);

    let tried = cx.send(dry(definitions::request(&cx, &definition)?)).await?;

    tried.expect_status(&[201])?;
    cx.send(Request::get(definitions::path(&definition))).await?.expect_status(&[404])?;
    cx.send(Request::get(format!("/apis/{group}/v1/{}", definitions::PLURAL))).await?.expect_status(&[404])
}

async fn dryrun_namespace_not_created(cx: Context) -> Checked {
    cx.require_listed(&Resource::namespaces()).await?;
    let name = cx.own_name("dry");
    let body = json!({ "apiVersion": "v1", "kind": "Namespace", "metadata": { "name": name, "labels": cx.own_labels() } });
    let path = format!("/api/v1/namespaces/{name}");
    cx.remove_in_the_end(&path);

    let tried = cx.send(dry(Request::post("/api/v1/namespaces", &body))).await?;

    tried.expect_status(&[201])?;
    let inside = cx.configmaps().await?;
    let create = Request::post(format!("{path}/configmaps"), &inside.body(NAME, "first"));
    let created = cx.send(create).await?;
    skip_if_provided(&created, &cx, &inside).await?;
    created.expect_error(&[404], &["NotFound"])?;
    cx.send(Request::get(path)).await?.expect_status(&[404])
}
