//! GET, LIST and POST.

use crate::prelude::*;

rows![verbs_get_collection, verbs_post_creates, verbs_get_element];

async fn verbs_get_collection(stored: StoredObject) -> Checked {
    let listed = stored.collection.list().await?;

    let page = listed.page()?;
    let kind = listed.json().map(|list| list["kind"].clone()).unwrap_or_default();
    listed.expect(
        kind.is_string() && kind != stored.collection.resource().kind,
        "a kind of list",
        kind.to_string(),
    )?;
    let there = page.item(stored.read.name()).is_some();
    listed.expect(there, format!("{} among the items", stored.read.name()), format!("{:?}", page.names()))
}

async fn verbs_post_creates(cx: Context, collection: Collection) -> Checked {
    let created = cx.send(Request::post(collection.path(), &collection.body(NAME, "first"))).await?;

    created.expect_status(&[201])?;
    let object = created.object()?;
    let shown = (object.name(), object.value());
    let expected = (collection.name_of(NAME), "first");
    let same = shown == (expected.0.as_str(), expected.1);
    created.expect(same, format!("the object {expected:?}"), format!("{shown:?}"))?;
    for field in ["uid", "resourceVersion", "creationTimestamp"] {
        created.expect(!object.metadata(field).is_empty(), format!("metadata.{field}"), "none")?;
    }
    collection.get(NAME).await?.expect_status(&[200])
}

async fn verbs_get_element(stored: StoredObject) -> Checked {
    let only = format!("metadata.name={}", stored.read.name());
    let page = stored.collection.list().fields(&only).page().await?;

    let got = stored.get().await?;

    let object = got.object()?;
    let kind = &object.json()["kind"];
    let expected = stored.collection.resource().kind.as_str();
    got.expect(kind == expected, format!("an object of kind {expected}"), kind.to_string())?;
    let item = page.item(stored.read.name()).map(Object::untyped).unwrap_or_default();
    let same = item == object.untyped();
    got.expect(same, format!("what the list shows: {item}"), object.untyped().to_string())
}
