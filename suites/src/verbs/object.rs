//! GET, LIST and POST.

use crate::prelude::*;

rows![
    verbs_get_collection.also("resource-uris-list-verb"),
    verbs_post_creates,
    verbs_get_element.also("resource-uris-get-verb")
];

async fn verbs_get_collection(stored: StoredObject) -> Checked {
    let listed = stored.collection.list().await?;

    let (page, name) = (listed.page()?, stored.read.name());
    let kind = listed.json().map(|list| list["kind"].clone()).unwrap_or_default();
    let of_list = kind.is_string() && kind != stored.collection.resource().kind;
    listed.expect(of_list, "the kind of a list", kind.to_string())?;
    let listed_names = format!("{:?}", page.names());
    listed.expect(page.item(name).is_some(), format!("{name} among the items"), listed_names)
}

pub(crate) async fn verbs_post_creates(cx: Context, collection: Collection) -> Checked {
    let created = cx.send(Request::post(collection.path(), &collection.body(NAME, "first"))).await?;

    created.expect_status(&[201])?;
    let object = created.object()?;
    let expected = format!("the object {} with \"first\"", collection.name_of(NAME));
    let actual = format!("the object {} with {:?}", object.name(), object.value());
    created.expect(actual == expected, expected, actual.as_str())?;
    for field in ["uid", "resourceVersion", "creationTimestamp"] {
        created.expect(!object.metadata(field).is_empty(), format!("metadata.{field}"), "none")?;
    }
    collection.get(NAME).await?.expect_status(&[200])
}

async fn verbs_get_element(stored: StoredObject) -> Checked {
    let selector = format!("metadata.name={}", stored.read.name());
    let page = stored.collection.list().fields(&selector).page().await?;

    let got = stored.get().await?;

    let object = got.object()?;
    let kind = &object.json()["kind"];
    let expected = stored.collection.resource().kind.as_str();
    got.expect(kind == expected, format!("an object of kind {expected}"), kind.to_string())?;
    let item = page.item(stored.read.name()).map(Object::untyped).unwrap_or_default();
    let same = item == object.untyped();
    got.expect(same, format!("the object as in the list: {item}"), object.untyped().to_string())
}
