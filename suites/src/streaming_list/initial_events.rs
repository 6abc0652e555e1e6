//! The initial events of a streaming list.

use std::collections::BTreeMap;

use futures::future::try_join;
use harness::Match;

use super::streamed_list::{StreamedList, opened, streaming};
use crate::prelude::*;
use crate::resource_version::{READER, rounds};

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

    let mut told = StreamedList::of(&cx, &collection).await?;

    told.expect_added(&objects)
}

/// In the order of their names the versions would fall, in the order of their versions the names.
async fn streaming_list_initial_unordered(cx: Context, collection: Collection) -> Checked {
    collection.create_all(&["c", "b", "a"]).await?;
    collection.write("c", "second").await?;
    let listed = collection.now().await?;

    let mut told = StreamedList::of(&cx, &collection).await?;

    expect_state(&mut told, &listed)
}

async fn streaming_list_initial_object_rv(cx: Context, collection: Collection) -> Checked {
    collection.create_all(&["a", "b"]).await?;
    collection.write("a", "second").await?;

    let mut told = StreamedList::of(&cx, &collection).await?;

    for event in &told.events {
        let (name, object) = (event.object.name(), &event.object);
        let got = collection.get(name).object().await?;
        if got != *object {
            let expected = format!("{name} as a get shows it: {}", got.json());
            return Err(told.watch.fail(expected, object.json().to_string()));
        }
        let written = cx.send(Request::put(collection.path_of(name), object.json())).await?;
        written.expect_status(&[200])?;
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

/// Up to 1.31 kube-apiserver tells of changes before the bookmark: what it all comes to is what counts.
async fn streaming_list_equals_list(cx: Context, collection: Collection) -> Checked {
    collection.create_all(&["a", "b"]).await?;

    for round in rounds().take(8) {
        let query = streaming(&collection).with(|request| request.connection(READER));
        let (mut told, ()) =
            try_join(StreamedList::asked(&cx, &collection, query), write_round(&collection, round)).await?;
        let listed = collection.list().exactly(told.bookmark.version()).held_page().await?;
        expect_state(&mut told, &listed)?;
    }
    Ok(())
}

/// From version 0 the state may be of any age.
async fn streaming_list_default_on_legacy(cx: Context, collection: Collection) -> Checked {
    let objects = collection.create_all(&["a", "b"]).await?;
    opened(&cx, &collection, streaming(&collection)).await?;

    let plain = collection.watch();
    for plain in [plain.clone(), plain.clone().at("")] {
        let asked = plain.clone().param("allowWatchBookmarks", true);
        StreamedList::expect(&cx, &collection, asked).await?.expect_added(&objects)?;
    }
    StreamedList::expect(&cx, &collection, plain.at("0").param("allowWatchBookmarks", true)).await.map(drop)
}

async fn streaming_list_explicit_false(cx: Context, collection: Collection) -> Checked {
    collection.create("a").await?;
    until_cached(&cx, &collection).await?;

    let declined = collection.watch().param("sendInitialEvents", false).matching(Match::NotOlderThan);
    let mut watches = Vec::new();
    for asked in [declined.clone().at("0"), declined.clone().at(""), declined] {
        watches.push(opened(&cx, &collection, asked.clone()).await?);
        watches.push(opened(&cx, &collection, asked.param("allowWatchBookmarks", true)).await?);
    }
    collection.write("a", "second").await?;

    for mut watch in watches {
        let expected = "nothing but the change MODIFIED a";
        let told = watch.until(expected, |event| event.kind != "BOOKMARK").await?;
        match told.last() {
            Some(event) if event.kind == "MODIFIED" && event.object.value() == "second" => {}
            event => return Err(watch.fail(expected, event.map_or_else(String::new, WatchEvent::brief))),
        }
    }
    Ok(())
}

/// Creates, changes and deletes while somebody reads.
async fn write_round(collection: &Collection, round: usize) -> Checked {
    let name = format!("new-{round}");
    collection.write("a", &name).await?;
    collection.create(&name).await?;
    collection.write("b", &name).await?;
    if round.is_multiple_of(2) { collection.delete(&name).await } else { Ok(()) }
}

async fn expect_selection(cx: &Context, collection: &Collection, select: impl Fn(Query) -> Query) -> Checked {
    let listed = select(collection.list()).page().await?;
    let mut told = StreamedList::asked(cx, collection, select(streaming(collection))).await?;
    expect_state(&mut told, &listed)
}

/// The events come to what a list shows: the same objects at the same versions.
fn expect_state(told: &mut StreamedList, listed: &Page) -> Checked {
    let shown = listed.own_items().into_iter();
    let expected: BTreeMap<_, _> =
        shown.map(|item| (item.name().to_owned(), item.version().to_owned())).collect();
    let state = told.state()?;
    if state == expected {
        return Ok(());
    }
    let expected = format!("what the list at {} shows: {expected:?}", listed.version);
    Err(told.watch.fail(expected, format!("up to the bookmark at {}: {state:?}", told.bookmark.version())))
}

/// Until a reader that is content with any version sees `a`, so that its creation is no news to it.
async fn until_cached(cx: &Context, collection: &Collection) -> Checked {
    let seen = cx.eventually(|| async {
        let listed = collection.list().at("0").page().await?;
        Ok(listed.item("a").map(drop))
    });
    seen.await?.ok_or_else(|| cx.test_error("list a at version 0", "it does not show").into())
}
