//! The initial events of a streaming list.

use harness::Match;
use harness::try_join;

use super::streamed_list::{StreamedList, opened, streaming};
use crate::prelude::*;
use crate::resource_version::{READER, rounds};
use crate::watch::versions;

rows![
    streaming_list_initial_added.namespaced(),
    streaming_list_initial_unordered.namespaced(),
    streaming_list_initial_object_rv.namespaced(),
    streaming_list_selectors.namespaced(),
    streaming_list_equals_list.namespaced().also("streaming-list-live-events-before-bookmark"),
    streaming_list_default_on_legacy.namespaced(),
    streaming_list_explicit_false.namespaced(),
];

async fn streaming_list_initial_added(cx: Context, collection: Collection) -> Checked {
    let objects = collection.create_all(&["a", "b", "c", "d", "e"]).await?;
    collection.write("b", "second").await?;

    StreamedList::of(&cx, &collection).await?.expect_added(&objects)
}

/// The order of the names is not that of the versions.
async fn streaming_list_initial_unordered(cx: Context, collection: Collection) -> Checked {
    collection.create_all(&["c", "b", "a"]).await?;
    collection.write("c", "second").await?;
    let listed = collection.now().await?;

    let mut streamed = StreamedList::of(&cx, &collection).await?;

    expect_state(&mut streamed, &listed)
}

async fn streaming_list_initial_object_rv(cx: Context, collection: Collection) -> Checked {
    collection.create_all(&["a", "b"]).await?;
    collection.write("a", "second").await?;

    let StreamedList { mut watch, events, .. } = StreamedList::of(&cx, &collection).await?;

    for WatchEvent { object, .. } in &events {
        let name = object.name();
        let got = collection.get(name).object().await?;
        let expected = format!("{name} as in a GET: {}", got.json());
        watch.expect_that(got == *object, expected, object.json().to_string())?;
        cx.send(Request::put(collection.path_of(name), object.json())).await?.expect_status(&[200])?;
    }
    Ok(())
}

async fn streaming_list_selectors(cx: Context, collection: Collection) -> Checked {
    collection.create("plain").await?;
    for (name, colour) in [("a", "red"), ("b", "blue"), ("c", "green")] {
        collection.create_labelled(name, "colour", colour).await?;
    }

    for labels in ["colour=red", "colour in (red,blue)", "colour!=red", "colour=black"] {
        expect_selection(&cx, &collection, |query| query.labels(labels)).await?;
    }
    expect_selection(&cx, &collection, |query| query.fields("metadata.name=b")).await
}

/// Up to 1.31, kube-apiserver sends changes before the bookmark: the state that they lead to counts.
async fn streaming_list_equals_list(cx: Context, collection: Collection) -> Checked {
    collection.create_all(&["a", "b"]).await?;

    for round in rounds().take(8) {
        let query = streaming(&collection).with(|request| request.connection(READER));
        let (mut streamed, ()) =
            try_join(StreamedList::read(&cx, &collection, query), write_round(&collection, round)).await?;
        let listed = collection.list().exactly(streamed.bookmark.version()).page_at_past_version().await?;
        expect_state(&mut streamed, &listed)?;
    }
    Ok(())
}

/// At version 0 the state may be of any age.
async fn streaming_list_default_on_legacy(cx: Context, collection: Collection) -> Checked {
    let objects = collection.create_all(&["a", "b"]).await?;
    opened(&cx, &collection, streaming(&collection)).await?;

    let watch = collection.watch().param("allowWatchBookmarks", true);
    for query in [watch.clone(), watch.clone().at("")] {
        StreamedList::expect(&cx, &collection, query).await?.expect_added(&objects)?;
    }
    StreamedList::expect(&cx, &collection, watch.at("0")).await.map(drop)
}

async fn streaming_list_explicit_false(cx: Context, collection: Collection) -> Checked {
    collection.create("a").await?;
    until_cached(&cx, &collection).await?;

    let declined = collection.watch().param("sendInitialEvents", false).matching(Match::NotOlderThan);
    let mut watches = Vec::new();
    for query in [declined.clone().at("0"), declined.clone().at(""), declined] {
        watches.push(opened(&cx, &collection, query.clone()).await?);
        watches.push(opened(&cx, &collection, query.param("allowWatchBookmarks", true)).await?);
    }
    collection.write("a", "second").await?;

    for mut watch in watches {
        let expected = "no event before the change MODIFIED a";
        let events = watch.until(expected, |event| event.kind != "BOOKMARK").await?;
        match events.last() {
            Some(event) if event.kind == "MODIFIED" && event.object.value() == "second" => {}
            event => return Err(watch.fail(expected, event.map_or_else(String::new, WatchEvent::brief))),
        }
    }
    Ok(())
}

/// Creates, changes and deletes during a read.
async fn write_round(collection: &Collection, round: usize) -> Checked {
    let name = format!("new-{round}");
    collection.write("a", &name).await?;
    collection.create(&name).await?;
    collection.write("b", &name).await?;
    if round.is_multiple_of(2) { collection.delete(&name).await } else { Ok(()) }
}

async fn expect_selection(cx: &Context, collection: &Collection, select: impl Fn(Query) -> Query) -> Checked {
    let listed = select(collection.list()).page().await?;
    let mut streamed = StreamedList::read(cx, collection, select(streaming(collection))).await?;
    expect_state(&mut streamed, &listed)
}

/// The initial events lead to the state of a list: the same objects at the same versions.
fn expect_state(streamed: &mut StreamedList, listed: &Page) -> Checked {
    let (expected, state) = (versions(listed), streamed.state()?);
    let same = state == expected;
    let expected = format!("the items of the list at {}: {expected:?}", listed.version);
    let actual = format!("up to the bookmark at {}: {state:?}", streamed.bookmark.version());
    streamed.watch.expect_that(same, expected, actual)
}

/// Waits until the cache has `a`, so that a watch at version 0 begins after its creation.
async fn until_cached(cx: &Context, collection: &Collection) -> Checked {
    let cached = cx.eventually(|| async {
        let listed = collection.list().at("0").page().await?;
        Ok(listed.item("a").map(drop))
    });
    cached.await?.ok_or_else(|| cx.late("list a at version 0", "no item a in time").into())
}
