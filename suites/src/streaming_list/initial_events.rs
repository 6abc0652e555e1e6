//! The initial events of a streaming list.

use std::collections::BTreeMap;

use futures::future::try_join;
use harness::{Checked, Collection, Context, Match, Page, Query, Request, WatchEvent};

use super::streamed_list::{Told, opened, streaming};
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

async fn streaming_list_initial_added(cx: Context, things: Collection) -> Checked {
    let objects = things.create_all(&["a", "b", "c", "d", "e"]).await?;
    things.write("b", "second").await?;

    let mut told = Told::of(&cx, &things).await?;

    told.expect_added(&objects)
}

/// In the order of their names the versions would fall, in the order of their versions the names.
async fn streaming_list_initial_unordered(cx: Context, things: Collection) -> Checked {
    things.create_all(&["c", "b", "a"]).await?;
    things.write("c", "second").await?;
    let listed = things.now().await?;

    let mut told = Told::of(&cx, &things).await?;

    expect_state(&mut told, &listed)
}

async fn streaming_list_initial_object_rv(cx: Context, things: Collection) -> Checked {
    things.create_all(&["a", "b"]).await?;
    things.write("a", "second").await?;

    let mut told = Told::of(&cx, &things).await?;

    for event in &told.events {
        let (name, object) = (event.object.name(), &event.object);
        let got = things.get(name).object().await?;
        if got != *object {
            let expected = format!("{name} as a get shows it: {}", got.json());
            return Err(told.watch.fail(expected, object.json().to_string()));
        }
        let written = cx.send(Request::put(things.path_of(name), object.json())).await?;
        written.expect_status(&[200])?;
    }
    Ok(())
}

async fn streaming_list_selectors(cx: Context, things: Collection) -> Checked {
    things.create("plain").await?;
    for (name, colour) in [("a", "red"), ("b", "blue"), ("c", "green")] {
        things.create_labelled(name, "colour", colour).await?;
    }

    for labels in ["colour=red", "colour in (red,blue)", "colour!=red", "colour=black"] {
        expect_selection(&cx, &things, |query| query.labels(labels)).await?;
    }
    expect_selection(&cx, &things, |query| query.fields("metadata.name=b")).await
}

/// Up to 1.31 kube-apiserver tells of changes before the bookmark: what it all comes to is what counts.
async fn streaming_list_equals_list(cx: Context, things: Collection) -> Checked {
    things.create_all(&["a", "b"]).await?;

    for round in rounds().take(8) {
        let query = streaming(&things).with(|request| request.lane(READER));
        let (mut told, ()) = try_join(Told::asked(&cx, &things, query), write_round(&things, round)).await?;
        let listed = things.list().exactly(told.bookmark.version()).held_page().await?;
        expect_state(&mut told, &listed)?;
    }
    Ok(())
}

/// From version 0 the state may be of any age.
async fn streaming_list_default_on_legacy(cx: Context, things: Collection) -> Checked {
    let objects = things.create_all(&["a", "b"]).await?;
    opened(&cx, &things, streaming(&things)).await?;

    let plain = things.watch();
    for plain in [plain.clone(), plain.clone().at("")] {
        let asked = plain.clone().param("allowWatchBookmarks", true);
        Told::expect(&cx, &things, asked).await?.expect_added(&objects)?;
    }
    Told::expect(&cx, &things, plain.at("0").param("allowWatchBookmarks", true)).await.map(drop)
}

async fn streaming_list_explicit_false(cx: Context, things: Collection) -> Checked {
    things.create("a").await?;
    until_cached(&cx, &things).await?;

    let declined = things.watch().param("sendInitialEvents", false).matching(Match::NotOlderThan);
    let mut watches = Vec::new();
    for asked in [declined.clone().at("0"), declined.clone().at(""), declined] {
        watches.push(opened(&cx, &things, asked.clone()).await?);
        watches.push(opened(&cx, &things, asked.param("allowWatchBookmarks", true)).await?);
    }
    things.write("a", "second").await?;

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
async fn write_round(things: &Collection, round: usize) -> Checked {
    let name = format!("new-{round}");
    things.write("a", &name).await?;
    things.create(&name).await?;
    things.write("b", &name).await?;
    if round.is_multiple_of(2) { things.delete(&name).await } else { Ok(()) }
}

async fn expect_selection(cx: &Context, things: &Collection, select: impl Fn(Query) -> Query) -> Checked {
    let listed = select(things.list()).page().await?;
    let mut told = Told::asked(cx, things, select(streaming(things))).await?;
    expect_state(&mut told, &listed)
}

/// The events come to what a list shows: the same objects at the same versions.
fn expect_state(told: &mut Told, listed: &Page) -> Checked {
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
async fn until_cached(cx: &Context, things: &Collection) -> Checked {
    let seen = cx.eventually(|| async {
        let listed = things.list().at("0").page().await?;
        Ok(listed.item("a").map(drop))
    });
    seen.await?.ok_or_else(|| cx.obstacle("list a at version 0", "it does not show").into())
}
