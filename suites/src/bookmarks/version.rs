//! The `resourceVersion` of a bookmark event.

use std::collections::BTreeSet;

use harness::try_join;

use super::bookmarked_watch::{BookmarkedWatch, WATCHED_FOR, next, none, opened, with_bookmarks};
use crate::prelude::*;

rows![
    bookmarks_mark_complete.namespaced().waits(),
    bookmarks_rv_usable.namespaced().waits(),
    bookmarks_rv_not_behind.namespaced().waits(),
    bookmarks_advance_past_foreign_changes.namespaced().waits(),
];

async fn bookmarks_mark_complete(cx: Context, collection: Collection) -> Checked {
    collection.create("a").await?;
    let version = collection.now().await?.version;
    let mut watch = opened(&cx, with_bookmarks(collection.watch().at(&version))).await?;
    let (mut written, before, bookmark) = write_until_bookmark(&cx, &collection, &mut watch).await?;

    let mut resumed = opened(&cx, collection.watch().at(bookmark.version())).await?;
    written.push(collection.create("last").await?.version().to_owned());
    let (after, rest) =
        (versions_up_to_last(&cx, &mut resumed).await?, versions_up_to_last(&cx, &mut watch).await?);

    let point = format!("the bookmark at {}", bookmark.version());
    expect_all(&mut resumed, &written, &[before, after.clone()].concat(), &point)?;
    let same = after.starts_with(&rest);
    let expected = format!("after {point} the changes at {}", after.join(", "));
    watch.expect_that(same, expected, format!("the changes at {}", rest.join(", ")))
}

async fn bookmarks_rv_usable(cx: Context) -> Checked {
    let (bookmarked, resumed) = resumed(&cx).await?;
    bookmarked.collection.create("later").await?;

    let mut watch = match resumed {
        Opening::Watch(watch) => *watch,
        Opening::Rejected(refused) => return refused.expect_status(&[200]),
    };

    let expected = format!("ADDED later, on a watch from the bookmark at {}", bookmarked.bookmark.version());
    let events = watch.until(&expected, |event| event.kind == "ERROR" || event.object.name() == "later");
    match events.await?.pop() {
        Some(last) if last.kind == "ADDED" => Ok(()),
        last => Err(watch.fail(expected, last.map_or_else(String::new, |last| last.brief()))),
    }
}

/// The action of a scenario that watches from a bookmark.
const RESUME: &str = "watch from the resourceVersion of a bookmark";

async fn bookmarks_rv_not_behind(cx: Context) -> Checked {
    let (mut bookmarked, resumed) = resumed(&cx).await?;
    bookmarked.collection.create("later").await?;
    let Opening::Watch(mut watch) = resumed else {
        return Err(cx.test_error(RESUME, "the server rejects it").into());
    };

    bookmarked.expect_not_behind()?;
    let known: BTreeSet<_> = bookmarked.before.iter().map(|event| event.object.version()).collect();
    let mut name = String::new();
    while name != "later" {
        let Some(event) = next(&cx, &mut watch).await? else {
            return Err(cx.test_error(RESUME, "no event arrives").into());
        };
        if known.contains(event.object.version()) {
            let expected = format!("no event from before the bookmark at {}", bookmarked.bookmark.version());
            return Err(watch.fail(expected, event.brief()));
        }
        event.object.name().clone_into(&mut name);
    }
    Ok(())
}

async fn bookmarks_advance_past_foreign_changes(cx: Context, here: Collection) -> Checked {
    let there = here.within(&cx.another_namespace().await?);
    for number in 1..=ATTEMPTS {
        match moves_on(&cx, &here, &there, number).await? {
            Some(true) => return Ok(()),
            Some(false) => break,
            None => {}
        }
    }
    Err(none(&cx))
}

/// The maximum number of attempts to arrange all before the bookmark: a busy server may return 429.
const ATTEMPTS: usize = 5;

/// The time between the bookmark of a watch and its end; the time that an event may be in flight.
const BEFORE_THE_END: Duration = Duration::from_secs(2);
const IN_FLIGHT: Duration = Duration::from_secs(1);

/// Whether a bookmark arrived with a newer version; `None` if the arrangement took too long.
///
/// One watch selects by namespace, the other by namespace and label.
async fn moves_on(
    cx: &Context,
    here: &Collection,
    there: &Collection,
    number: usize,
) -> Result<Option<bool>, Halt> {
    let version = here.now().await?.version;
    let opening = Instant::now();
    let matching = opened(cx, with_bookmarks(here.watch().at(&version)));
    let empty = opened(cx, with_bookmarks(there.watch().at(&version).labels("colour=red")));
    let (mut matching, empty) = try_join(matching, empty).await?;
    let own = here.create(&format!("own-{number}")).await?;
    if next(cx, &mut matching).await?.is_none_or(|event| event.object.name() != own.name()) {
        return Ok(None);
    }
    there.create(&format!("foreign-{number}")).await?;
    let written = Instant::now();
    if written + BEFORE_THE_END + IN_FLIGHT > opening + WATCHED_FOR {
        return Ok(None);
    }

    let known = [version.as_str(), own.version()];
    let matching = expect_to_move(cx, matching, &known, written);
    let moved = try_join(matching, expect_to_move(cx, empty, &known[..1], written));
    let (matching, empty) = cx.yield_place_while(moved).await?;
    Ok(Some(matching || empty))
}

/// A watch up to its bookmark, and a watch from the bookmark.
async fn resumed(cx: &Context) -> Result<(BookmarkedWatch, Opening), Halt> {
    let again = async |bookmarked: &BookmarkedWatch| {
        let version = bookmarked.bookmark.version();
        bookmarked.collection.watch().at(version).opening().await
    };
    Box::pin(BookmarkedWatch::arrange_and(cx, again)).await
}

/// Changes `a` until a bookmark arrives. Returns the versions written, those received, and the bookmark.
async fn write_until_bookmark(
    cx: &Context,
    collection: &Collection,
    watch: &mut Watch,
) -> Result<(Vec<String>, Vec<String>, Object), Halt> {
    // Several writes at a time, so that some events are in flight when the server sends the bookmark.
    const PAUSE: Duration = Duration::from_millis(50);
    const AT_A_TIME: usize = 5;
    let until = Instant::now() + WATCHED_FOR + cx.event_timeout();
    let (mut written, mut received) = (Vec::new(), Vec::new());
    while Instant::now() < until {
        match watch.next_within(PAUSE).await? {
            Next::Event(event) if event.kind == "BOOKMARK" => return Ok((written, received, event.object)),
            Next::Event(event) if event.kind == "ERROR" => {
                return Err(cx.test_error("watch", event.brief()).into());
            }
            Next::Event(event) => received.push(event.object.version().to_owned()),
            Next::Silence => {
                for number in written.len()..written.len() + AT_A_TIME {
                    written.push(collection.write("a", &number.to_string()).await?.version().to_owned());
                }
            }
            Next::End => break,
        }
    }
    Err(none(cx))
}

/// The versions of the changes up to `last`, or to the end of the watch.
async fn versions_up_to_last(cx: &Context, watch: &mut Watch) -> Result<Vec<String>, Halt> {
    let mut received = Vec::new();
    while let Some(event) = next(cx, watch).await? {
        if event.kind != "BOOKMARK" {
            received.push(event.object.version().to_owned());
        }
        if event.object.name() == "last" {
            break;
        }
    }
    Ok(received)
}

/// The changes received before the bookmark, and those on the watch from it, are all that were written.
fn expect_all(watch: &mut Watch, written: &[String], received: &[String], point: &str) -> Checked {
    if written == received {
        return Ok(());
    }
    let missing: Vec<_> = written.iter().filter(|version| !received.contains(version)).cloned().collect();
    let actual = if missing.is_empty() {
        format!("{} changes received, {} written", received.len(), written.len())
    } else {
        format!("no change at {}", missing.join(", "))
    };
    Err(watch.fail(format!("every change before {point} or on a watch from there"), actual))
}

/// Whether a bookmark arrived that counts: the last one must not have one of the known versions.
///
/// A bookmark right after the last write may have been sent before it.
async fn expect_to_move(
    cx: &Context,
    mut watch: Watch,
    known: &[&str],
    written: Instant,
) -> Result<bool, Halt> {
    let mut behind = None;
    while let Some(event) = next(cx, &mut watch).await? {
        if event.kind == "BOOKMARK" && !known.contains(&event.object.version()) {
            return Ok(true);
        }
        if event.kind == "BOOKMARK" && written.elapsed() > IN_FLIGHT {
            behind = Some(event.object.version().to_owned());
        }
    }
    match behind {
        None => Ok(false),
        Some(version) => Err(watch
            .fail("a bookmark newer than a change in another namespace", format!("a bookmark at {version}"))),
    }
}
