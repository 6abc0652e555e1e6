//! The bookmark that ends the initial events.

use harness::stream::INITIAL_EVENTS_END;

use super::streamed_list::{StreamedList, closes, first_bookmark, is_marked, opened, streaming, unmarked};
use crate::prelude::*;

rows![
    streaming_list_bookmark_after_initial.namespaced(),
    streaming_list_bookmark_required.namespaced(),
    streaming_list_no_bookmark_unless_asked.namespaced(),
    streaming_list_annotation.namespaced().also("streaming-list-blueprint-annotation"),
    streaming_list_annotation_once.namespaced().waits(),
    streaming_list_empty_collection.namespaced(),
    streaming_list_continues_as_watch.namespaced(),
];

async fn streaming_list_bookmark_after_initial(cx: Context, collection: Collection) -> Checked {
    collection.create_all(&["a", "b"]).await?;

    let mut watch = opened(&cx, &collection, streaming(&collection)).await?;

    let expected = "ADDED a and b, and then a BOOKMARK";
    let events = watch.until(expected, |event| event.kind == "BOOKMARK").await?;
    let mut names: Vec<_> = events.iter().map(|event| event.object.name()).collect();
    names[..events.len() - 1].sort_unstable();
    let actual: Vec<_> = events.iter().map(WatchEvent::brief).collect();
    watch.expect_that(names == ["a", "b", ""], expected, actual.join(", "))
}

async fn streaming_list_bookmark_required(cx: Context, collection: Collection) -> Checked {
    collection.create("a").await?;

    let mut watch = opened(&cx, &collection, streaming(&collection)).await?;

    watch.until("a BOOKMARK after the initial events", |event| event.kind == "BOOKMARK").await.map(drop)
}

async fn streaming_list_no_bookmark_unless_asked(cx: Context, collection: Collection) -> Checked {
    collection.create("a").await?;

    let absent = opened(&cx, &collection, unmarked(&collection)).await?;
    let declined = unmarked(&collection).param("allowWatchBookmarks", false);
    let declined = opened(&cx, &collection, declined).await?;
    let mut watches = [absent, declined];
    for watch in &mut watches {
        watch.expect("ADDED", "a").await?;
    }
    collection.create("later").await?;

    for mut watch in watches {
        watch.expect("ADDED", "later").await?;
    }
    Ok(())
}

/// The bookmark may have other annotations.
async fn streaming_list_annotation(cx: Context, collection: Collection) -> Checked {
    collection.create("a").await?;

    let mut watch = opened(&cx, &collection, streaming(&collection)).await?;
    let (_, bookmark) = first_bookmark(&cx, &mut watch).await?;

    let metadata = bookmark.object.json()["metadata"].to_string();
    let expected = format!("a first bookmark annotated {INITIAL_EVENTS_END}: \"true\"");
    watch.expect_that(is_marked(&bookmark.object), expected, metadata)
}

/// Later bookmarks are optional: kube-apiserver sends some within a second, and before the watch ends.
async fn streaming_list_annotation_once(cx: Context) -> Checked {
    const WATCHED_FOR: Duration = Duration::from_secs(6);
    let collection = cx.collection_under_test().await?;
    collection.create("a").await?;
    let query = streaming(&collection).param("timeoutSeconds", WATCHED_FOR.as_secs());
    let mut streamed = StreamedList::read(&cx, &collection, query).await?;
    collection.write("a", "second").await?;

    let limit = WATCHED_FOR + cx.event_timeout();
    let again = cx.yield_place_while(async {
        while let Next::Event(event) = streamed.watch.next_within(limit).await? {
            if closes(&event) {
                return Ok::<_, Halt>(Some(event));
            }
        }
        Ok(None)
    });

    match again.await? {
        Some(again) => Err(streamed.watch.fail("no annotation on a bookmark after the first", again.brief())),
        None => Ok(()),
    }
}

async fn streaming_list_empty_collection(cx: Context, collection: Collection) -> Checked {
    let mut watch = opened(&cx, &collection, streaming(&collection)).await?;

    let expected = "a BOOKMARK with a version";
    let first = watch.event_or_fail(expected).await?;
    let versioned = first.kind == "BOOKMARK" && !first.object.version().is_empty();
    watch.expect_that(versioned, expected, first.brief())
}

async fn streaming_list_continues_as_watch(cx: Context, collection: Collection) -> Checked {
    collection.create_all(&["a", "b"]).await?;
    let mut streamed = StreamedList::of(&cx, &collection).await?;
    let mut plain = collection.watch().at(&collection.now().await?.version).open().await?;

    collection.create("c").await?;
    collection.write("c", "second").await?;
    collection.delete("c").await?;
    collection.write("a", "second").await?;

    // It has no other reason to end than the end of the list: the watch without one lasts.
    plain.until("MODIFIED a", |event| event.kind == "MODIFIED" && event.object.name() == "a").await?;
    streamed.watch = streamed.watch.judging_its_end();
    for (kind, name) in [("ADDED", "c"), ("MODIFIED", "c"), ("DELETED", "c"), ("MODIFIED", "a")] {
        let expected = format!("{kind} {name} after the closing bookmark");
        let event = streamed.change(&expected).await?;
        let same = event.kind == kind && event.object.name() == name;
        streamed.watch.expect_that(same, expected, event.brief())?;
    }
    Ok(())
}
