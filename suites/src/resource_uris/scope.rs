//! Namespaces in paths, and types without namespaces.

use super::expect_same;
use crate::idempotency::taken_names::idempotency_post_identical_body_409;
use crate::invalid_requests::MISSING;
use crate::kinds::list::kinds_collection_url_lists;
use crate::prelude::*;
use crate::verbs::object::verbs_post_creates;

pub(super) fn rows() -> Vec<Row> {
    vec![
        row!(resource_uris_scope_exclusive),
        row!(resource_uris_wrong_scope_404),
        row!(resource_uris_namespace_item).namespaced(),
        row!(resource_uris_list_missing_namespace).namespaced(),
        row!(resource_uris_cluster_item).cluster_scoped(),
        row!("resource-uris-cluster-scope-path", verbs_post_creates).cluster_scoped(),
        row!("resource-uris-cluster-collection", kinds_collection_url_lists).cluster_scoped(),
        row!("resource-uris-name-cluster-unique", idempotency_post_identical_body_409).cluster_scoped(),
    ]
}

/// The path of a collection in the scope that its type does not have.
async fn path_in_wrong_scope(cx: &Context, collection: &Collection) -> Result<String, Halt> {
    let Resource { plural, .. } = collection.resource();
    let root = collection.resource().root();
    if collection.is_namespaced() {
        return Ok(format!("{root}/{plural}"));
    }
    Ok(format!("{root}/namespaces/{}/{plural}", cx.namespace().await?))
}

async fn resource_uris_scope_exclusive(cx: Context, collection: Collection) -> Checked {
    let mut body = collection.body(NAME, "first");
    if collection.is_namespaced() {
        // A faulty server must not choose another namespace.
        body["metadata"]["namespace"] = cx.namespace().await?.into();
    }
    let wrong = path_in_wrong_scope(&cx, &collection).await?;

    let refused = cx.send(Request::post(wrong, &body)).await?;
    let created = cx.send(Request::post(collection.path(), &body)).await?;

    let rejected = (400..500).contains(&refused.status());
    refused.expect(rejected, "a rejection with 4xx: the type has another scope", refused.brief())?;
    created.expect_status(&[201])
}

async fn resource_uris_wrong_scope_404(cx: Context, stored: StoredObject) -> Checked {
    let wrong = path_in_wrong_scope(&cx, &stored.collection).await?;

    cx.send(Request::get(format!("{wrong}/{}", stored.read.name()))).await?.expect_status(&[404])?;
    // Without a namespace, the collection of a namespaced type is that of all namespaces.
    if stored.collection.is_namespaced() {
        return Ok(());
    }
    cx.send(Request::get(wrong)).await?.expect_status(&[404])
}

async fn resource_uris_namespace_item(cx: Context, stored: StoredObject) -> Checked {
    let elsewhere = stored.collection.within(&cx.another_namespace().await?);
    let nowhere = stored.collection.within(&cx.own_name("nowhere"));
    let other = elsewhere.create(NAME).await?;

    expect_same(&*stored.get().await?, &stored.read)?;
    expect_same(&*elsewhere.get(NAME).await?, &other)?;
    nowhere.get(NAME).await?.expect_status(&[404])
}

async fn resource_uris_list_missing_namespace(cx: Context, collection: Collection) -> Checked {
    let nowhere = collection.within(&cx.own_name("nowhere"));

    nowhere.now().await?.expect_names(&[])
}

async fn resource_uris_cluster_item(stored: StoredObject) -> Checked {
    expect_same(&*stored.get().await?, &stored.read)?;

    stored.collection.get(MISSING).await?.expect_error(&[404], &["NotFound"]).map(drop)
}
