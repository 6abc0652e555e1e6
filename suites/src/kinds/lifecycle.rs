//! The life cycle of an object by POST, GET, PUT and DELETE.

use harness::invariant;

use super::invariants::is_one_document;
use crate::clock;
use crate::object_responses;
use crate::prelude::*;

/// The pause between the create and the read of an object, in seconds.
const PAUSE: i64 = 2;

/// The connection of the create, which no other request uses.
const CREATOR: u8 = 7;

pub(super) fn rows() -> Vec<Row> {
    vec![
        row!(kinds_rest_lifecycle),
        row!(kinds_object_is_persistent),
        row!(kinds_rest_verbs_return_single_object).namespaced(),
        invariant("kinds-rest-verbs-return-single-object", is_one_document),
    ]
}

async fn kinds_rest_lifecycle(cx: Context, collection: Collection) -> Checked {
    let path = collection.path_of(NAME);

    let created = cx.send(Request::post(collection.path(), &collection.body(NAME, "first"))).await?;
    let got = collection.get(NAME).await?;
    let stored = StoredObject::read(&cx, collection).await?;
    let put = stored.put(&stored.body("second")).await?;

    created.expect_status(&[201])?;
    let name = got.object()?.name().to_owned();
    got.expect(name == stored.read.name(), "the object that was created", name)?;
    put.expect_status(&[200])?;
    stored.expect_value("second").await?;
    cx.send(Request::delete(path)).await?.expect_status(&[200, 202, 204])?;
    stored.expect_gone().await
}

async fn kinds_object_is_persistent(cx: Context, collection: Collection) -> Checked {
    let create = Request::post(collection.path(), &collection.body(NAME, "first")).connection(CREATOR);
    let created = cx.send(create).await?.written()?;
    clock::wait(&cx, (&collection, NAME), PAUSE).await?;

    let got = collection.get(NAME).await?;
    let listed = collection.list().fields(&format!("metadata.name={}", created.name())).await?;

    let metadata = |object: &Value| ["uid", "resourceVersion"].map(|field| object["metadata"][field].clone());
    let same = |object: &Value| metadata(object) == metadata(created.json());
    let expected = format!("{} as created, of uid {}", created.name(), created.metadata("uid"));
    let read = got.object()?;
    got.expect(same(read.json()) && read.value() == "first", expected.as_str(), read.json().to_string())?;
    let item = listed.page()?.item(created.name()).map(|item| item.json().clone()).unwrap_or_default();
    listed.expect(same(&item), expected, item.to_string())
}

async fn kinds_rest_verbs_return_single_object(cx: Context) -> Checked {
    object_responses::keep(cx.clone(), is_one_document).await?;
    let collection = cx.collection_under_test().await?;
    collection.create_labelled("a", "assay", "many").await?;
    collection.create_labelled("b", "assay", "many").await?;

    let deleted = cx.send(Request::delete(collection.path()).query("labelSelector", "assay=many")).await?;

    deleted.expect_status(&[200, 202])?;
    deleted.expect_passed(is_one_document(&deleted), "one JSON object")
}
