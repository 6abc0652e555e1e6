//! DELETE of a collection.

use crate::api_resources;
use crate::deployments;
use crate::object_fixture::FINALIZER;
use crate::prelude::*;

/// The label of the objects to delete.
pub(crate) const LABEL: &str = "assay-doomed";

rows![
    single_deletecollection_deletes_many.namespaced(),
    single_deletecollection_honours_selector.namespaced().also("verbs-delete-collection"),
    single_deletecollection_namespace_scope.namespaced(),
    single_deletecollection_respects_finalizers.namespaced(),
    single_deletecollection_response_list.namespaced(),
];

/// Creates objects with the label.
pub(super) async fn create_doomed(collection: &Collection, names: &[&str]) -> Checked {
    for name in names {
        collection.create_labelled(name, LABEL, "yes").await?;
    }
    Ok(())
}

/// A deletion of the objects with the label; not yet sent.
pub(crate) fn delete_doomed(collection: &Collection) -> Request {
    Request::delete(collection.path()).query("labelSelector", format!("{LABEL}=yes"))
}

/// The collection has exactly these objects.
pub(super) async fn expect_left(collection: &Collection, names: &[&str]) -> Checked {
    collection.now().await?.expect_names(names)
}

async fn single_deletecollection_deletes_many(cx: Context, collection: Collection) -> Checked {
    create_doomed(&collection, &["a", "b", "c"]).await?;

    let deleted = cx.send(delete_doomed(&collection)).await?;

    deleted.expect_status(&[200])?;
    for name in ["a", "b", "c"] {
        collection.get(name).await?.expect_status(&[404])?;
    }
    Ok(())
}

async fn single_deletecollection_honours_selector(cx: Context, collection: Collection) -> Checked {
    create_doomed(&collection, &["a", "b"]).await?;
    collection.create_all(&["c", "d"]).await?;

    cx.send(delete_doomed(&collection)).await?.expect_status(&[200])?;
    expect_left(&collection, &["c", "d"]).await?;
    let by_name = Request::delete(collection.path()).query("fieldSelector", "metadata.name=d");
    cx.send(by_name).await?.expect_status(&[200])?;
    expect_left(&collection, &["c"]).await?;
    expect_both_selectors(&cx, &collection).await?;
    expect_other_requirements(&cx, &collection).await?;
    if !api_resources::once(&collection) {
        return Ok(());
    }
    for other in others() {
        if let Some(other) = cx.collection_if_listed(other).await? {
            expect_selected_alone(&cx, &other).await?;
        }
    }
    Ok(())
}

/// A deletion with a label selector and a field selector leaves objects alone that one of them excludes. There is an
/// unlabelled object `c`.
async fn expect_both_selectors(cx: &Context, collection: &Collection) -> Checked {
    create_doomed(collection, &["e", "f"]).await?;
    for (name, left) in [("c", &["c", "e", "f"][..]), ("e", &["c", "f"])] {
        let both = delete_doomed(collection).query("fieldSelector", format!("metadata.name={name}"));
        cx.send(both).await?.expect_status(&[200])?;
        expect_left(collection, left).await?;
    }
    Ok(())
}

/// Requirements of sets delete what they select. There are an object `c` without the label and an object `f` with it.
async fn expect_other_requirements(cx: &Context, collection: &Collection) -> Checked {
    collection.create_labelled("g", LABEL, "no").await?;
    for (requirement, left) in [(" in (no,other)", &["c", "f"][..]), (" notin (yes)", &["f"])] {
        let selector = format!("{LABEL}{requirement}");
        let delete = Request::delete(collection.path()).query("labelSelector", selector);
        cx.send(delete).await?.expect_status(&[200])?;
        expect_left(collection, left).await?;
    }
    Ok(())
}

/// Other types, whose handlers a server may have written separately.
fn others() -> [Resource; 3] {
    [
        Resource::core("secrets", "Secret"),
        Resource::of("apps", "v1", "deployments", "Deployment"),
        Resource::of("coordination.k8s.io", "v1", "leases", "Lease"),
    ]
}

/// The same with objects of another type. The user may lack the permission for it.
async fn expect_selected_alone(cx: &Context, collection: &Collection) -> Checked {
    for (name, doomed) in [("a", "yes"), ("b", "no"), ("c", "no")] {
        let ty = collection.resource();
        let mut body = match ty.kind.as_str() {
            "Deployment" => deployments::body(name),
            kind => json!({ "apiVersion": ty.api_version(), "kind": kind, "metadata": { "name": name } }),
        };
        body["metadata"]["labels"][LABEL] = doomed.into();
        if cx.send_if_offered(Request::post(collection.path(), &body)).await?.is_none() {
            return Ok(());
        }
    }
    if cx.send_if_offered(Request::get(collection.path_of("c"))).await?.is_none() {
        return Ok(());
    }
    let by_name = Request::delete(collection.path()).query("fieldSelector", "metadata.name=b");
    for (request, left) in [(delete_doomed(collection), &["b", "c"][..]), (by_name, &["c"])] {
        if cx.send_if_offered(request).await?.is_none() {
            return Ok(());
        }
        for name in left {
            let got = collection.get(name).await?;
            let expected = format!("{name}, which the deletion of the collection does not select");
            got.expect(got.succeeded(), expected, got.brief())?;
        }
    }
    Ok(())
}

async fn single_deletecollection_namespace_scope(cx: Context, collection: Collection) -> Checked {
    let elsewhere = collection.within(&cx.another_namespace().await?);
    create_doomed(&collection, &["a", "b"]).await?;
    create_doomed(&elsewhere, &["a", "b"]).await?;

    cx.send(delete_doomed(&collection)).await?.expect_status(&[200])?;

    expect_left(&collection, &[]).await?;
    expect_left(&elsewhere, &["a", "b"]).await
}

async fn single_deletecollection_respects_finalizers(cx: Context, collection: Collection) -> Checked {
    create_doomed(&collection, &["a", "b"]).await?;
    let finalizers = |value: Value| json!({ "metadata": { "finalizers": value } });
    collection.patch("a", &finalizers(json!([FINALIZER]))).await?;

    let deleted = cx.send(delete_doomed(&collection)).await?;
    let got = collection.get("a").await?;
    let left = collection.now().await?;
    if got.succeeded() {
        collection.patch("a", &finalizers(Value::Null)).await?;
    }

    deleted.expect_status(&[200])?;
    let held = got.object()?;
    let deleting = !held.metadata("deletionTimestamp").is_empty();
    got.expect(deleting, "a with a deletionTimestamp: it has a finalizer", held.json().to_string())?;
    left.expect_names(&["a"])
}

async fn single_deletecollection_response_list(cx: Context, collection: Collection) -> Checked {
    create_doomed(&collection, &["a", "b"]).await?;
    collection.create("c").await?;
    let doomed = collection.list().labels(&format!("{LABEL}=yes")).page().await?;

    let deleted = cx.send(delete_doomed(&collection)).await?;

    deleted.expect_status(&[200])?;
    expect_list_or_success(&deleted, &doomed)
}

/// The list of these objects, as they were or as they are deleted, or a Status Success.
fn expect_list_or_success(deleted: &Exchange, doomed: &Page) -> Checked {
    let body = deleted.json().unwrap_or(&Value::Null);
    if body["kind"] == "Status" {
        return deleted.expect(body["status"] == "Success", "a Status Success, or a list", body.to_string());
    }
    let is_list = body["kind"].as_str().is_some_and(|kind| kind.ends_with("List"));
    deleted.expect(is_list, "a list of the deleted objects, or a Status Success", deleted.brief())?;
    let items = deleted.page()?;
    items.expect_names(&doomed.names())?;
    for (item, object) in items.items.iter().filter_map(|item| Some((item, doomed.item(item.name())?))) {
        let shown = |object: &Object| {
            json!([object.metadata("uid"), object.json()["metadata"]["labels"], object.value()])
        };
        let expected = format!("uid, labels and value of {}: {}", object.name(), shown(object));
        deleted.expect(shown(item) == shown(object), expected, shown(item).to_string())?;
    }
    Ok(())
}
