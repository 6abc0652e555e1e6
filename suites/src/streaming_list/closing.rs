//! The bookmark that ends the initial events.

use std::time::Duration;

use harness::stream::INITIAL_EVENTS_END;
use harness::{Context, Halt, Next, Suite, WatchEvent};

use super::told::{Told, first_bookmark, is_marked, opened, streaming, unmarked};

/// Adds the scenarios of this file.
pub(super) fn add(suite: Suite) -> Suite {
    suite
        .scenario("streaming-list-bookmark-after-initial", a_bookmark_follows_the_initial_events)
        .scenario("streaming-list-bookmark-required", the_bookmark_comes_though_nothing_happens)
        .scenario("streaming-list-no-bookmark-unless-asked", who_does_not_ask_for_bookmarks_gets_none)
        .scenario("streaming-list-annotation", the_bookmark_is_marked)
        .also("streaming-list-blueprint-annotation")
        .scenario("streaming-list-annotation-once", no_later_bookmark_is_marked)
        .scenario("streaming-list-empty-collection", an_empty_collection_begins_with_the_bookmark)
        .scenario("streaming-list-continues-as-watch", the_watch_goes_on_with_what_comes_next)
}

async fn a_bookmark_follows_the_initial_events(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;
    things.create_all(&["a", "b"]).await?;

    let mut watch = opened(&cx, &things, streaming(&things)).await?;

    let expected = "ADDED a and b, and then a BOOKMARK";
    let told = watch.until(expected, |event| event.kind == "BOOKMARK").await?;
    let mut names: Vec<_> = told.iter().map(|event| event.object.name()).collect();
    names[..told.len() - 1].sort_unstable();
    if names == ["a", "b", ""] {
        return Ok(());
    }
    let told: Vec<_> = told.iter().map(WatchEvent::brief).collect();
    Err(watch.fail(expected, told.join(", ")))
}

async fn the_bookmark_comes_though_nothing_happens(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;
    things.create("a").await?;

    let mut watch = opened(&cx, &things, streaming(&things)).await?;

    watch.until("a BOOKMARK after the initial events", |event| event.kind == "BOOKMARK").await.map(drop)
}

async fn who_does_not_ask_for_bookmarks_gets_none(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;
    things.create("a").await?;

    let absent = opened(&cx, &things, unmarked(&things)).await?;
    let declined = unmarked(&things).param("allowWatchBookmarks", false);
    let declined = opened(&cx, &things, declined).await?;
    let mut watches = [absent, declined];
    for watch in &mut watches {
        watch.expect("ADDED", "a").await?;
    }
    things.create("later").await?;

    for mut watch in watches {
        watch.expect("ADDED", "later").await?;
    }
    Ok(())
}

/// Beside the mark there may be other annotations.
async fn the_bookmark_is_marked(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;
    things.create("a").await?;

    let mut watch = opened(&cx, &things, streaming(&things)).await?;
    let (_, bookmark) = first_bookmark(&cx, &mut watch).await?;

    if is_marked(&bookmark.object) {
        return Ok(());
    }
    let metadata = &bookmark.object.json()["metadata"];
    let expected = format!("a first bookmark annotated {INITIAL_EVENTS_END}: \"true\"");
    Err(watch.fail(expected, metadata.to_string()))
}

/// There need not be a later one: kube-apiserver sends some within a second, and before the watch ends.
async fn no_later_bookmark_is_marked(cx: Context) -> Result<(), Halt> {
    const WATCHED_FOR: Duration = Duration::from_secs(6);
    let things = cx.things().await?;
    things.create("a").await?;
    let query = streaming(&things).param("timeoutSeconds", WATCHED_FOR.as_secs());
    let mut told = Told::asked(&cx, &things, query).await?;
    things.write("a", "second").await?;

    let limit = WATCHED_FOR + cx.patience();
    let rest = cx.aside(async {
        let mut rest = Vec::new();
        while let Next::Event(event) = told.watch.next_within(limit).await? {
            rest.push(event);
        }
        Ok::<_, Halt>(rest)
    });
    let rest = rest.await?;

    match rest.iter().find(|event| event.kind == "BOOKMARK" && is_marked(&event.object)) {
        Some(again) => Err(told.watch.fail("no bookmark but the first to be marked", again.brief())),
        None => Ok(()),
    }
}

async fn an_empty_collection_begins_with_the_bookmark(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;

    let mut watch = opened(&cx, &things, streaming(&things)).await?;

    let expected = "a BOOKMARK with a version";
    let first = watch.event_or_fail(expected).await?;
    if first.kind == "BOOKMARK" && !first.object.version().is_empty() {
        return Ok(());
    }
    Err(watch.fail(expected, first.brief()))
}

async fn the_watch_goes_on_with_what_comes_next(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;
    things.create_all(&["a", "b"]).await?;
    let mut told = Told::of(&cx, &things).await?;

    things.create("c").await?;
    things.write("c", "second").await?;
    things.delete("c").await?;
    things.write("a", "second").await?;

    for (kind, name) in [("ADDED", "c"), ("MODIFIED", "c"), ("DELETED", "c"), ("MODIFIED", "a")] {
        let expected = format!("after the closing bookmark {kind} {name}");
        let event = told.change(&expected).await?;
        if event.kind != kind || event.object.name() != name {
            return Err(told.watch.fail(expected, event.brief()));
        }
    }
    Ok(())
}
