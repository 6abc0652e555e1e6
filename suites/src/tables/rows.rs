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

/// The fields beside the metadata that the scenario wrote into its object: a server may add others to anything.
fn content(stored: &StoredObject) -> Vec<String> {
    let body = stored.collection.body(NAME, "first");
    let fields = body.as_object().into_iter().flatten().map(|(name, _)| name.clone());
    fields.filter(|name| !["kind", "apiVersion", "metadata"].contains(&name.as_str())).collect()
}

/// Whether the object of a row is the metadata of this one, and nothing else of it.
fn is_metadata(object: &Value, stored: &StoredObject) -> bool {
    object["kind"] == "PartialObjectMetadata"
        && object["metadata"]["name"] == stored.read.name()
        && content(stored).iter().all(|name| object.get(name).is_none())
}

/// Whether it is all of this one.
fn is_whole(object: &Value, stored: &StoredObject) -> bool {
    object["kind"] == stored.read.json()["kind"]
        && object["metadata"]["name"] == stored.read.name()
        && content(stored).iter().all(|name| object.get(name).is_some())
}

async fn table_row_object_default_metadata(Tabled { stored, table }: Tabled) -> Checked {
    let object = &table.row(stored.read.name())?["object"];

    table.expect_that(is_metadata(object, &stored), "a PartialObjectMetadata in the row", object)
}

/// A check of the object in a row.
type Check = fn(&Value, &StoredObject) -> bool;

async fn table_include_object(Tabled { stored, .. }: Tabled) -> Checked {
    let included: [(&str, Check); 3] =
        [("None", |object, _| object.is_null()), ("Metadata", is_metadata), ("Object", is_whole)];
    for (value, right) in included {
        let table = Table::expect(stored.get().param("includeObject", value)).await?;

        let object = &table.json()["rows"][0]["object"];
        let row = table.rows().len() == 1 && right(object, &stored);
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
