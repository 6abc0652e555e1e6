//! Tables in the responses to gets, paged lists, watches and writes.

use super::response::{TABLE, Table, Tabled, as_table, entries};
use crate::prelude::*;

rows![table_single_object, table_list_metadata, table_watch, table_write_responses];

async fn table_single_object(Tabled { stored, .. }: Tabled) -> Checked {
    let table = Table::expect(stored.get()).await?;

    table.expect_that(table.rows().len() == 1, "one row", &table.json()["rows"])?;
    let version = &table.row(stored.read.name())?["object"]["metadata"]["resourceVersion"];
    table.expect_that(
        table.version() == version,
        "the object's resourceVersion in the metadata",
        &table.json()["metadata"],
    )
}

async fn table_list_metadata(cx: Context, collection: Collection) -> Checked {
    let table = Table::of(&cx, &collection).await?;
    table.expect_that(!table.version().is_empty(), "a resourceVersion", &table.json()["metadata"])?;

    let own = format!("metadata.name={}", collection.name_of(NAME));
    let watch = collection.watch().fields(&own).at(table.version()).open_if_offered().await?;
    let [created, _] = &collection.create_all(&[NAME, "b"]).await?[..] else { return Ok(()) };
    if let Some(mut watch) = watch {
        watch.expect("ADDED", created.name()).await?;
    }
    let first = collection.list().limit(1);
    if first.clone().page().await?.token.is_some() {
        let metadata = &Table::expect(first).await?.json()["metadata"].clone();
        table.expect_that(metadata["continue"].is_string(), "a continue token", metadata)?;
    }
    Ok(())
}

async fn table_watch(cx: Context, collection: Collection) -> Checked {
    let table = Table::of(&cx, &collection).await?;
    let own = format!("metadata.name={}", collection.name_of(NAME));
    let mut watch = match as_table(collection.watch().fields(&own).at(table.version())).opening().await? {
        Opening::Watch(watch) => *watch,
        Opening::Rejected(refused) if refused.status() == 406 => {
            return Err(cx.lacks("Table", "a watch as a Table gets 406"));
        }
        Opening::Rejected(refused) => return Err(refused.fail("a watch, HTTP 200", refused.brief())),
    };

    collection.create(NAME).await?;
    collection.write(NAME, "second").await?;

    for first in [true, false] {
        let event = watch.event_or_fail("an event with a Table").await?;
        let table = event.object.json();
        let one = table["kind"] == "Table" && entries(table, "rows").len() == 1;
        watch.expect_that(one, "an event with a Table of one row", table.to_string())?;
        let defined = !entries(table, "columnDefinitions").is_empty();
        let expected = if first {
            "columnDefinitions in the first event"
        } else {
            "no columnDefinitions in later events"
        };
        watch.expect_that(defined == first, expected, table["columnDefinitions"].to_string())?;
    }
    collection.delete(NAME).await?;
    let expected = "DELETED with a Table of one row";
    let deleted = watch.until(expected, |event| event.kind == "DELETED" || is_held(event)).await?.pop();
    let table = deleted.as_ref().map_or(&Value::Null, |event| event.object.json());
    let one = table["kind"] == "Table" && entries(table, "rows").len() == 1;
    watch.expect_that(one, expected, table.to_string())
}

/// Whether a finalizer of a controller holds the deleted object.
fn is_held(event: &WatchEvent) -> bool {
    event.object.json()["rows"][0]["object"]["metadata"]["deletionTimestamp"].is_string()
}

async fn table_write_responses(cx: Context, collection: Collection) -> Checked {
    let create = Request::post(collection.path(), &collection.body(NAME, "first"));

    let response = cx.send(create.accept(TABLE)).await?;

    response.expect_status(&[201, 406])?;
    if response.status() == 406 {
        return expect_absent(&collection, NAME).await;
    }
    response.expect(response.json().is_some_and(|json| json["kind"] == "Table"), "a Table", response.brief())
}
