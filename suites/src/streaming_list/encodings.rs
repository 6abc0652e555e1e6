//! Streaming lists in other encodings, and of custom resources.

use harness::stream::INITIAL_EVENTS_END;

use super::streamed_list::{StreamedList, first_bookmark, is_marked, opened, refusal, streaming};
use crate::prelude::*;

rows![
    streaming_list_table.namespaced(),
    streaming_list_metadata_only.namespaced(),
    streaming_list_custom_resources.own_kinds(),
];

/// The annotation is in the row of the bookmark, with any includeObject.
async fn streaming_list_table(cx: Context, collection: Collection) -> Checked {
    collection.create("a").await?;

    let table = with_kind(streaming(&collection), "Table");
    let included = ["None", "Metadata", "Object"].map(|value| table.clone().param("includeObject", value));
    for query in included.into_iter().chain([table]) {
        let mut watch = match query.opening().await? {
            Opening::Watch(watch) => *watch,
            Opening::Rejected(refused) if refused.status() == 406 => {
                return Err(Halt::skip("the server offers no tables of streaming lists"));
            }
            Opening::Rejected(refused) => return Err(refusal(&cx, &collection, &refused).await),
        };
        let bookmark = expect_kind(&cx, &mut watch, "Table").await?;
        let annotated = is_marked(&Object::new(bookmark.json()["rows"][0]["object"].clone()));
        let expected = format!("a bookmark with a row of an object annotated {INITIAL_EVENTS_END}");
        watch.expect_that(annotated, expected, bookmark.json().to_string())?;
    }
    Ok(())
}

async fn streaming_list_metadata_only(cx: Context, collection: Collection) -> Checked {
    collection.create_all(&["a", "b"]).await?;

    let query = with_kind(streaming(&collection), "PartialObjectMetadata");
    let mut watch = opened(&cx, &collection, query).await?;
    let bookmark = expect_kind(&cx, &mut watch, "PartialObjectMetadata").await?;

    let expected = format!("a bookmark annotated {INITIAL_EVENTS_END}");
    watch.expect_that(is_marked(&bookmark), expected, bookmark.json().to_string())
}

/// The events up to the first bookmark are of this kind. Returns the object of the bookmark.
async fn expect_kind(cx: &Context, watch: &mut Watch, kind: &str) -> Result<Object, Halt> {
    let (before, bookmark) = first_bookmark(cx, watch).await?;
    for event in before.iter().chain([&bookmark]) {
        let object = event.object.json();
        watch.expect_that(object["kind"] == kind, format!("events of kind {kind}"), object.to_string())?;
    }
    Ok(bookmark.object)
}

async fn streaming_list_custom_resources(
    cx: Context,
    CustomResources(collection): CustomResources,
) -> Checked {
    let objects = collection.create_all(&["a", "b"]).await?;

    StreamedList::expect(&cx, &collection, streaming(&collection)).await?.expect_added(&objects)
}

fn with_kind(query: Query, kind: &str) -> Query {
    query.with(|request| request.accept(&format!("application/json;as={kind};g=meta.k8s.io;v=v1")))
}
