//! Streaming lists in other encodings, and of custom resources.

use harness::stream::INITIAL_EVENTS_END;

use super::streamed_list::{StreamedList, first_bookmark, is_marked, opened, refusal, streaming};
use crate::prelude::*;

rows![
    streaming_list_table.namespaced(),
    streaming_list_metadata_only.namespaced(),
    streaming_list_custom_resources.own_kinds(),
];

/// The mark is in the row of the bookmark, whatever the rows of others hold.
async fn streaming_list_table(cx: Context, collection: Collection) -> Checked {
    collection.create("a").await?;

    let table = in_form(streaming(&collection), "Table");
    let included = ["None", "Metadata", "Object"].map(|value| table.clone().param("includeObject", value));
    for asked in included.into_iter().chain([table]) {
        let mut watch = match asked.opening().await? {
            Opening::Watch(watch) => *watch,
            Opening::Refused(refused) if refused.status() == 406 => {
                return Err(Halt::Skipped("the server has no tables of streaming lists".to_owned()));
            }
            Opening::Refused(refused) => return Err(refusal(&cx, &collection, &refused).await),
        };
        let (before, bookmark) = first_bookmark(&cx, &mut watch).await?;
        let mut told = before.iter().chain([&bookmark]);
        if let Some(other) = told.find(|event| event.object.json()["kind"] != "Table") {
            return Err(watch.fail("events of kind Table", other.object.json().to_string()));
        }
        let row = bookmark.object.json()["rows"][0]["object"].clone();
        if !is_marked(&Object::new(row)) {
            let expected = format!("a bookmark whose row holds an object annotated {INITIAL_EVENTS_END}");
            return Err(watch.fail(expected, bookmark.object.json().to_string()));
        }
    }
    Ok(())
}

async fn streaming_list_metadata_only(cx: Context, collection: Collection) -> Checked {
    collection.create_all(&["a", "b"]).await?;

    let asked = in_form(streaming(&collection), "PartialObjectMetadata");
    let mut watch = opened(&cx, &collection, asked).await?;
    let (before, bookmark) = first_bookmark(&cx, &mut watch).await?;

    let mut told = before.iter().chain([&bookmark]);
    if let Some(other) = told.find(|event| event.object.json()["kind"] != "PartialObjectMetadata") {
        return Err(watch.fail("events of kind PartialObjectMetadata", other.object.json().to_string()));
    }
    if is_marked(&bookmark.object) {
        return Ok(());
    }
    let expected = format!("a bookmark annotated {INITIAL_EVENTS_END}");
    Err(watch.fail(expected, bookmark.object.json().to_string()))
}

async fn streaming_list_custom_resources(
    cx: Context,
    CustomResources(collection): CustomResources,
) -> Checked {
    let objects = collection.create_all(&["a", "b"]).await?;

    let mut told = StreamedList::expect(&cx, &collection, streaming(&collection)).await?;

    told.expect_added(&objects)
}

fn in_form(query: Query, form: &str) -> Query {
    query.with(|request| request.accept(&format!("application/json;as={form};g=meta.k8s.io;v=v1")))
}
