//! Rows and their objects.

use super::response::{Table, Tabled};
use crate::prelude::*;

rows![
    table_rows_per_object,
    table_row_object_default_metadata,
    table_include_object,
    table_include_object_invalid,
];

async fn table_rows_per_object(cx: Context, collection: Collection) -> Checked {
    collection.create_all(&["a", "b", "c"]).await?;
    collection.delete("b").await?;

    let listed = collection.now().await?;
    let table = Table::of(&cx, &collection).await?;

    let own = collection.name_of("");
    let mut expected = listed.names();
    expected.retain(|name| name.starts_with(&own));
    let mut actual = table.own_names(&collection);
    expected.sort_unstable();
    actual.sort_unstable();
    table.expect_that(actual == expected, &format!("rows of [{}]", expected.join(", ")), &json!(actual))
}

/// Whether an object is the metadata of this one, and nothing else of it.
fn is_metadata(object: &Value, of: &Object) -> bool {
    let content = of.json().as_object().into_iter().flatten().map(|(name, _)| name.as_str());
    let mut content = content.filter(|name| !["kind", "apiVersion", "metadata"].contains(name));
    object["kind"] == "PartialObjectMetadata"
        && object["metadata"]["name"] == of.name()
        && content.all(|name| object.get(name).is_none())
}

async fn table_row_object_default_metadata(Tabled { stored, table }: Tabled) -> Checked {
    let object = &table.row(stored.read.name())?["object"];

    table.expect_that(is_metadata(object, &stored.read), "a PartialObjectMetadata in the row", object)
}

/// Whether an object is this one with its content. Others may have written it meanwhile.
fn is_whole(object: &Value, of: &Object) -> bool {
    let mut content = of.json().as_object().into_iter().flatten();
    object["kind"] == of.json()["kind"]
        && object["metadata"]["name"] == of.name()
        && content.all(|(name, _)| object.get(name).is_some())
}

/// A check of the object in a row.
type Check = fn(&Value, &Object) -> bool;

async fn table_include_object(Tabled { stored, .. }: Tabled) -> Checked {
    let included: [(&str, Check); 3] =
        [("None", |object, _| object.is_null()), ("Metadata", is_metadata), ("Object", is_whole)];
    for (value, right) in included {
        let table = Table::expect(stored.get().param("includeObject", value)).await?;

        let object = &table.json()["rows"][0]["object"];
        let row = table.rows().len() == 1 && right(object, &stored.read);
        table.expect_that(
            row,
            &format!("one row with the object as includeObject={value} demands"),
            object,
        )?;
    }
    Ok(())
}

async fn table_include_object_invalid(cx: Context, collection: Collection) -> Checked {
    let table = Table::of(&cx, &collection).await?;

    let request = table.0.request.clone().query("includeObject", "Bogus");
    cx.send(request).await?.expect_rejection(&[400]).map(drop)
}
