//! The deletion of a collection: what it takes away, and what it leaves.

use harness::{Collection, Context, Exchange, Halt, Request, Suite};
use serde_json::{Value, json};

use crate::stored::FINALIZER;

/// The label of the objects that are to go.
pub(super) const LABEL: &str = "assay-doomed";

/// Adds the scenarios of this part.
pub(super) fn add(suite: Suite) -> Suite {
    suite
        .scenario("single-deletecollection-deletes-many", all_that_match_are_deleted)
        .scenario("single-deletecollection-honours-selector", what_does_not_match_stays)
        .also("verbs-delete-collection")
        .scenario("single-deletecollection-namespace-scope", another_namespace_is_not_reached)
        .scenario("single-deletecollection-respects-finalizers", what_is_held_back_stays_and_is_marked)
        .scenario("single-deletecollection-response-list", the_deleted_objects_or_a_success_are_answered)
}

/// Creates objects that are to go.
pub(super) async fn create_doomed(things: &Collection, names: &[&str]) -> Result<(), Halt> {
    for name in names {
        things.create_labelled(name, LABEL, "yes").await?;
    }
    Ok(())
}

/// A deletion of those that are to go; not yet sent.
pub(super) fn delete_doomed(things: &Collection) -> Request {
    Request::delete(things.path()).query("labelSelector", format!("{LABEL}=yes"))
}

/// These are there, and no others.
pub(super) async fn expect_left(things: &Collection, names: &[&str]) -> Result<(), Halt> {
    things.now().await?.expect_names(names)
}

async fn all_that_match_are_deleted(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;
    create_doomed(&things, &["a", "b", "c"]).await?;

    let deleted = cx.send(delete_doomed(&things)).await?;

    deleted.expect_status(&[200])?;
    for name in ["a", "b", "c"] {
        things.get(name).await?.expect_status(&[404])?;
    }
    Ok(())
}

async fn what_does_not_match_stays(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;
    create_doomed(&things, &["a", "b"]).await?;
    things.create_all(&["c", "d"]).await?;

    cx.send(delete_doomed(&things)).await?.expect_status(&[200])?;
    expect_left(&things, &["c", "d"]).await?;
    let by_name = Request::delete(things.path()).query("fieldSelector", "metadata.name=d");
    cx.send(by_name).await?.expect_status(&[200])?;

    expect_left(&things, &["c"]).await
}

async fn another_namespace_is_not_reached(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;
    let elsewhere = things.within(&cx.another_namespace().await?);
    create_doomed(&things, &["a", "b"]).await?;
    create_doomed(&elsewhere, &["a", "b"]).await?;

    cx.send(delete_doomed(&things)).await?.expect_status(&[200])?;

    expect_left(&things, &[]).await?;
    expect_left(&elsewhere, &["a", "b"]).await
}

async fn what_is_held_back_stays_and_is_marked(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;
    create_doomed(&things, &["a", "b"]).await?;
    let finalizers = |value: Value| json!({ "metadata": { "finalizers": value } });
    things.patch("a", &finalizers(json!([FINALIZER]))).await?;

    let deleted = cx.send(delete_doomed(&things)).await?;
    let got = things.get("a").await?;
    let left = things.now().await?;
    if got.succeeded() {
        things.patch("a", &finalizers(Value::Null)).await?;
    }

    deleted.expect_status(&[200])?;
    let held = got.object()?;
    let marked = !held.metadata("deletionTimestamp").is_empty();
    got.expect(marked, "a with a deletionTimestamp: a finalizer holds it", held.json().to_string())?;
    left.expect_names(&["a"])
}

async fn the_deleted_objects_or_a_success_are_answered(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;
    create_doomed(&things, &["a", "b"]).await?;
    things.create("c").await?;

    let deleted = cx.send(delete_doomed(&things)).await?;

    deleted.expect_status(&[200])?;
    expect_list_or_success(&deleted, &["a", "b"])
}

/// The answer shows these objects, or says that it is done.
fn expect_list_or_success(deleted: &Exchange, names: &[&str]) -> Result<(), Halt> {
    let said = deleted.json().cloned().unwrap_or_default();
    if said["kind"] == "Status" {
        let success = said["status"] == "Success";
        return deleted.expect(success, "a Status Success, or a list", said.to_string());
    }
    let is_list = said["kind"].as_str().is_some_and(|kind| kind.ends_with("List"));
    deleted.expect(is_list, "a list of what was deleted, or a Status Success", deleted.brief())?;
    deleted.page()?.expect_names(names)
}
