//! DELETE of a collection.

use crate::object_fixture::FINALIZER;
use crate::prelude::*;

/// The label of the objects that are to go.
pub(super) const LABEL: &str = "assay-doomed";

rows![
    single_deletecollection_deletes_many.namespaced(),
    single_deletecollection_honours_selector.namespaced().also("verbs-delete-collection"),
    single_deletecollection_namespace_scope.namespaced(),
    single_deletecollection_respects_finalizers.namespaced(),
    single_deletecollection_response_list.namespaced(),
];

/// Creates objects that are to go.
pub(super) async fn create_doomed(collection: &Collection, names: &[&str]) -> Checked {
    for name in names {
        collection.create_labelled(name, LABEL, "yes").await?;
    }
    Ok(())
}

/// A deletion of those that are to go; not yet sent.
pub(super) fn delete_doomed(collection: &Collection) -> Request {
    Request::delete(collection.path()).query("labelSelector", format!("{LABEL}=yes"))
}

/// These are there, and no others.
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

    expect_left(&collection, &["c"]).await
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
    let marked = !held.metadata("deletionTimestamp").is_empty();
    got.expect(marked, "a with a deletionTimestamp: a finalizer holds it", held.json().to_string())?;
    left.expect_names(&["a"])
}

async fn single_deletecollection_response_list(cx: Context, collection: Collection) -> Checked {
    create_doomed(&collection, &["a", "b"]).await?;
    collection.create("c").await?;

    let deleted = cx.send(delete_doomed(&collection)).await?;

    deleted.expect_status(&[200])?;
    expect_list_or_success(&deleted, &["a", "b"])
}

/// The answer shows these objects, or says that it is done.
fn expect_list_or_success(deleted: &Exchange, names: &[&str]) -> Checked {
    let said = deleted.json().cloned().unwrap_or_default();
    if said["kind"] == "Status" {
        let success = said["status"] == "Success";
        return deleted.expect(success, "a Status Success, or a list", said.to_string());
    }
    let is_list = said["kind"].as_str().is_some_and(|kind| kind.ends_with("List"));
    deleted.expect(is_list, "a list of what was deleted, or a Status Success", deleted.brief())?;
    deleted.page()?.expect_names(names)
}
