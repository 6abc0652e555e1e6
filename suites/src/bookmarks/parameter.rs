//! The parameter `allowWatchBookmarks`.

use harness::try_join;

use super::bookmarked_watch::{WATCHED_FOR, changed, next, none, opened, short, with_bookmarks};
use crate::prelude::*;

rows![
    bookmarks_event_exists.namespaced().waits(),
    bookmarks_opt_in_parameter.namespaced().waits(),
    bookmarks_none_without_opt_in.namespaced().waits(),
    bookmarks_ignored_on_list.namespaced(),
    bookmarks_ignored_by_old_servers.own_kinds()
];

/// The selector matches no object: only a bookmark can arrive.
async fn bookmarks_event_exists(cx: Context) -> Checked {
    let (collection, version) = changed(&cx).await?;
    let mut watch = opened(&cx, with_bookmarks(collection.watch().at(&version).labels("colour=red"))).await?;

    let event = cx.yield_place_while(next(&cx, &mut watch)).await?;

    match event {
        Some(event) if event.kind == "BOOKMARK" => Ok(()),
        Some(event) => Err(watch.fail("a BOOKMARK event, or no event", event.brief())),
        None => Err(none(&cx)),
    }
}

async fn bookmarks_opt_in_parameter(cx: Context) -> Checked {
    let (collection, version) = changed(&cx).await?;

    let mut watch = with_bookmarks(collection.watch().at(&version)).open().await?;

    expect_changes(&mut watch, &["second", "third"]).await?;
    cx.yield_place_while(expect_end(&cx, &mut watch)).await
}

async fn bookmarks_none_without_opt_in(cx: Context) -> Checked {
    let (collection, version) = changed(&cx).await?;

    let absent = short(collection.watch().at(&version));
    let declined = absent.clone().param("allowWatchBookmarks", false);
    let watches = [opened(&cx, absent).await?, opened(&cx, declined).await?];

    let [absent, declined] = watches.map(|watch| expect_no_bookmark(&cx, watch));
    cx.yield_place_while(try_join(absent, declined)).await.map(drop)
}

async fn bookmarks_ignored_on_list(collection: Collection) -> Checked {
    collection.create_all(&["a", "b"]).await?;
    let (page, object) = (collection.now().await?, collection.get("a").object().await?);

    let list = collection.list().param("allowWatchBookmarks", true).page().await?;
    let got = collection.get("a").param("allowWatchBookmarks", true).object().await?;

    list.expect_items(&page.items)?;
    let expected = format!("a at {}", object.version());
    list.expect(got == object, expected, format!("{} at {}", got.name(), got.version()))
}

/// kube-apiserver has no watch cache for events, and so no bookmarks for them.
async fn bookmarks_ignored_by_old_servers(cx: Context) -> Checked {
    let events = cx.collection(Resource::core("events", "Event")).await?;
    let version = events.now().await?.version;
    let mut body = events.body("a", "");
    body["involvedObject"] = json!({ "kind": "ConfigMap", "name": "a", "namespace": cx.namespace().await? });
    body.as_object_mut().map(|event| event.shift_remove("data"));
    let created = events.create_body(&body).await?;

    let mut watch = with_bookmarks(events.watch().at(&version)).open().await?;

    let added = next_change(&mut watch, "ADDED a").await?;
    watch.expect_that(added.name() == created.name(), "ADDED a", format!("ADDED {}", added.name()))
}

/// The watch delivers these changes of `a`, with or without bookmarks among them.
async fn expect_changes(watch: &mut Watch, values: &[&str]) -> Checked {
    for value in values {
        let expected = format!("a change of a to {value:?}");
        let object = next_change(watch, &expected).await?;
        if object.value() != *value {
            return Err(watch.fail(expected, format!("a change to {:?}", object.value())));
        }
    }
    Ok(())
}

async fn next_change(watch: &mut Watch, expected: &str) -> Result<Object, Halt> {
    loop {
        let event = watch.event_or_fail(expected).await?;
        match event.kind.as_str() {
            "ADDED" | "MODIFIED" => return Ok(event.object),
            "BOOKMARK" => {}
            _ => return Err(watch.unexpected(expected, &event).await),
        }
    }
}

/// Only bookmarks arrive until the end of the watch. Other scenarios are about its timeout.
async fn expect_end(cx: &Context, watch: &mut Watch) -> Checked {
    loop {
        match watch.next_within(WATCHED_FOR + cx.event_timeout()).await? {
            Next::Event(event) if event.kind == "BOOKMARK" => {}
            Next::Event(event) => return Err(watch.fail("the end of the watch", event.brief())),
            Next::End | Next::Silence => return Ok(()),
        }
    }
}

async fn expect_no_bookmark(cx: &Context, mut watch: Watch) -> Checked {
    while let Some(event) = next(cx, &mut watch).await? {
        if event.kind == "BOOKMARK" {
            return Err(watch.fail("no BOOKMARK event without allowWatchBookmarks", event.brief()));
        }
    }
    Ok(())
}
