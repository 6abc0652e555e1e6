//! `metadata.namespace`, and the namespaces of a server.

use crate::deletion::expect_invalid;
use crate::prelude::*;

const NAMESPACES: &str = "/api/v1/namespaces";
const ROLES: &str = "/apis/rbac.authorization.k8s.io/v1/clusterroles";

rows![
    metadata_namespace_taken_from_url.namespaced().also("resource-uris-namespace-scope-path"),
    metadata_namespace_conflict_with_url_400.namespaced(),
    metadata_namespace_immutable.namespaced(),
    metadata_namespace_name_is_dns_label.own_kinds(),
    metadata_default_namespace_exists.own_kinds().read_only(),
    metadata_kube_prefix_namespaces.own_kinds().read_only(),
    metadata_cluster_scoped_has_no_namespace.own_kinds(),
];

async fn metadata_namespace_taken_from_url(cx: Context, collection: Collection) -> Checked {
    let namespace = cx.namespace().await?;

    let created = cx.send(Request::post(collection.path(), &collection.body("a", "first"))).await?;
    let got = collection.get("a").await?;

    for response in [created, got] {
        let actual = response.object()?.namespace().to_owned();
        response.expect(actual == namespace, format!("the namespace {namespace}"), actual)?;
    }
    Ok(())
}

async fn metadata_namespace_conflict_with_url_400(cx: Context, stored: StoredObject) -> Checked {
    let other = cx.another_namespace().await?;
    let elsewhere = stored.collection.within(&other);
    let set_namespace = |body: &mut Value| body["metadata"]["namespace"] = other.as_str().into();

    for write in [post_with(&stored.collection, "b", set_namespace), stored.put_with(set_namespace)] {
        cx.send(write).await?.expect_rejection(&[400])?;
    }
    stored.expect_unchanged().await?;
    expect_absent(&stored.collection, "b").await?;
    expect_absent(&elsewhere, "a").await?;
    expect_absent(&elsewhere, "b").await
}

async fn metadata_namespace_immutable(cx: Context, stored: StoredObject) -> Checked {
    let other = cx.another_namespace().await?;
    let put = stored.put_with(|body| body["metadata"]["namespace"] = other.as_str().into());
    let patch = stored.patch(MERGE, &json!({ "metadata": { "namespace": other } }));

    for write in [put, patch] {
        cx.send(write).await?.expect_rejection(&[400, 422])?;
    }
    stored.expect_unchanged().await?;
    expect_absent(&stored.collection.within(&other), "a").await
}

async fn metadata_namespace_name_is_dns_label(cx: Context) -> Checked {
    cx.require_listed(&Resource::namespaces()).await?;
    let own = cx.own_name("");
    let long = format!("{own}{}", "a".repeat(64_usize.saturating_sub(own.len()).max(1)));

    for name in [format!("{own}Bad_Ns"), format!("{own}a.b"), long] {
        let body = named("v1", "Namespace", &name, &cx.own_labels());
        let response = cx.send(Request::post(NAMESPACES, &body)).await?;

        if response.succeeded() {
            cx.remove_in_the_end(&format!("{NAMESPACES}/{name}"));
        }
        expect_invalid(&response, "metadata.name")?;
    }
    Ok(())
}

fn named(api_version: &str, kind: &str, name: &str, labels: &Value) -> Value {
    json!({ "apiVersion": api_version, "kind": kind, "metadata": { "name": name, "labels": labels } })
}

async fn metadata_default_namespace_exists(cx: Context) -> Checked {
    expect_namespace(&cx, "default").await
}

async fn metadata_kube_prefix_namespaces(cx: Context) -> Checked {
    expect_namespace(&cx, "kube-system").await
}

async fn expect_namespace(cx: &Context, name: &str) -> Checked {
    cx.require_listed(&Resource::namespaces()).await?;
    cx.send(Request::get(format!("{NAMESPACES}/{name}"))).await?.expect_status(&[200])
}

async fn metadata_cluster_scoped_has_no_namespace(cx: Context) -> Checked {
    let roles = Resource::of("rbac.authorization.k8s.io", "v1", "clusterroles", "ClusterRole");
    cx.require_listed(&roles).await?;
    let name = cx.own_name("cluster-scoped");
    let path = format!("{ROLES}/{name}");
    cx.remove_in_the_end(&path);
    let mut body = named("rbac.authorization.k8s.io/v1", "ClusterRole", &name, &cx.own_labels());
    body["metadata"]["namespace"] = "default".into();
    body["rules"] = json!([]);

    let created = cx.send(Request::post(ROLES, &body)).await?;

    if created.status() != 201 {
        return created.expect_rejection(&[400, 422]).map(drop);
    }
    for response in [created, cx.send(Request::get(path)).await?] {
        let namespace = response.object()?.namespace().to_owned();
        response.expect(namespace.is_empty(), "a ClusterRole without a namespace", namespace)?;
    }
    Ok(())
}
