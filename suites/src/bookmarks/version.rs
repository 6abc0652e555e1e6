//! The `resourceVersion` of a bookmark event.

use std::collections::BTreeSet;

use futures::future::try_join;

use super::bookmarked_watch::{BookmarkedWatch, WATCHED_FOR, marking, next, none, opened};
use crate::prelude::*;

rows![
    bookmarks_mark_complete.namespaced(),
    bookmarks_rv_usable.namespaced(),
    bookmarks_rv_not_behind.namespaced(),
    bookmarks_advance_past_foreign_changes.namespaced(),
];

async fn bookmarks_mark_complete(cx: Context, collection: Collection) -> Checked {
    collection.create("a").await?;
    let begun = collection.now().await?.version;
    let mut watch = opened(&cx, marking(collection.watch().at(&begun))).await?;
    let (mut written, before, bookmark) = write_until_marked(&cx, &collection, &mut watch).await?;

    let mut resumed = opened(&cx, collection.watch().at(bookmark.version())).await?;
    written.push(collection.create("last").await?.version().to_owned());
    let (after, rest) = (told_up_to_last(&cx, &mut resumed).await?, told_up_to_last(&cx, &mut watch).await?);

    let point = format!("the bookmark at {}", bookmark.version());
    expect_all(&mut resumed, &written, &[before, after.clone()].concat(), &point)?;
    if after.starts_with(&rest) {
        return Ok(());
    }
    let (rest, after) = (rest.join(", "), after.join(", "));
    Err(watch.fail(format!("after {point} the changes at {after}"), format!("those at {rest}")))
}

async fn bookmarks_rv_usable(cx: Context) -> Checked {
    let (marked, resumed) = resumed(&cx).await?;
    marked.collection.create("later").await?;

    let mut watch = match resumed {
        Opening::Watch(watch) => *watch,
        Opening::Refused(refused) => return refused.expect_status(&[200]),
    };

    let expected = format!("ADDED later, on a watch from the bookmark at {}", marked.bookmark.version());
    let told = watch.until(&expected, |event| event.kind == "ERROR" || event.object.name() == "later");
    match told.await?.pop() {
        Some(last) if last.kind == "ADDED" => Ok(()),
        last => Err(watch.fail(expected, last.map_or_else(String::new, |last| last.brief()))),
    }
}

async fn bookmarks_rv_not_behind(cx: Context) -> Checked {
    let (marked, resumed) = resumed(&cx).await?;
    marked.collection.create("later").await?;
    let Opening::Watch(mut watch) = resumed else {
        return Err(cx.test_error("watch from a bookmark's version", "it is refused").into());
    };

    let known: BTreeSet<_> = marked.before.iter().map(|event| event.object.version()).collect();
    let mut told = String::new();
    while told != "later" {
        let Some(event) = next(&cx, &mut watch).await? else {
            return Err(cx.test_error("watch from a bookmark's version", "nothing comes").into());
        };
        if known.contains(event.object.version()) {
            let expected = format!("nothing again of what came before {}", marked.bookmark.version());
            return Err(watch.fail(expected, event.brief()));
        }
        event.object.name().clone_into(&mut told);
    }
    Ok(())
}

async fn bookmarks_advance_past_foreign_changes(cx: Context, here: Collection) -> Checked {
    let there = here.within(&cx.another_namespace().await?);
    for number in 1..=ARRANGED_AT_MOST {
        match moves_on(&cx, &here, &there, number).await? {
            Some(true) => return Ok(()),
            Some(false) => break,
            None => {}
        }
    }
    Err(none(&cx))
}

/// How often it is tried to have all arranged before a bookmark may come: a busy server asks to come again.
const ARRANGED_AT_MOST: usize = 5;

/// How long before its end a watch may tell its bookmark, and how long what was sent before a write may be on its way.
const BEFORE_THE_END: Duration = Duration::from_secs(2);
const ON_ITS_WAY: Duration = Duration::from_secs(1);

/// Whether a bookmark came, and moved on; none if all was arranged too late.
///
/// One watch selects by namespace, the other by label as well.
async fn moves_on(
    cx: &Context,
    here: &Collection,
    there: &Collection,
    number: usize,
) -> Result<Option<bool>, Halt> {
    let begun = here.now().await?.version;
    let opening = Instant::now();
    let told = opened(cx, marking(here.watch().at(&begun)));
    let untold = opened(cx, marking(there.watch().at(&begun).labels("colour=red")));
    let (mut told, untold) = try_join(told, untold).await?;
    let own = here.create(&format!("own-{number}")).await?;
    if next(cx, &mut told).await?.is_none_or(|event| event.object.name() != own.name()) {
        return Ok(None);
    }
    there.create(&format!("foreign-{number}")).await?;
    let written = Instant::now();
    if written + BEFORE_THE_END + ON_ITS_WAY > opening + WATCHED_FOR {
        return Ok(None);
    }

    let known = [begun.as_str(), own.version()];
    let told = expect_to_move(cx, told, &known, written);
    let moved = try_join(told, expect_to_move(cx, untold, &known[..1], written));
    let (told, untold) = cx.aside(moved).await?;
    Ok(Some(told || untold))
}

/// What a watch told up to a bookmark, and a watch from there.
async fn resumed(cx: &Context) -> Result<(BookmarkedWatch, Opening), Halt> {
    let again = async |marked: &BookmarkedWatch| {
        let version = marked.bookmark.version();
        marked.collection.watch().at(version).opening().await
    };
    BookmarkedWatch::arrange_and(cx, again).await
}

/// Changes `a` again and again until a bookmark comes. Returns the versions written and told, and the bookmark.
async fn write_until_marked(
    cx: &Context,
    collection: &Collection,
    watch: &mut Watch,
) -> Result<(Vec<String>, Vec<String>, Object), Halt> {
    // Where the events come at once, some are on their way all the same when the bookmark is sent.
    const PAUSE: Duration = Duration::from_millis(50);
    const AT_A_TIME: usize = 5;
    let until = Instant::now() + WATCHED_FOR + cx.event_timeout();
    let (mut written, mut told) = (Vec::new(), Vec::new());
    while Instant::now() < until {
        match watch.next_within(PAUSE).await? {
            Next::Event(event) if event.kind == "BOOKMARK" => return Ok((written, told, event.object)),
            Next::Event(event) if event.kind == "ERROR" => {
                return Err(cx.test_error("watch", event.brief()).into());
            }
            Next::Event(event) => told.push(event.object.version().to_owned()),
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

/// The versions of the changes that a watch tells up to `last`, or to its end.
async fn told_up_to_last(cx: &Context, watch: &mut Watch) -> Result<Vec<String>, Halt> {
    let mut told = Vec::new();
    while let Some(event) = next(cx, watch).await? {
        if event.kind != "BOOKMARK" {
            told.push(event.object.version().to_owned());
        }
        if event.object.name() == "last" {
            break;
        }
    }
    Ok(told)
}

/// What was told up to a point, and from there on again, is all that was written.
fn expect_all(watch: &mut Watch, written: &[String], told: &[String], point: &str) -> Checked {
    if written == told {
        return Ok(());
    }
    let missing: Vec<_> = written.iter().filter(|version| !told.contains(version)).cloned().collect();
    let actual = if missing.is_empty() {
        format!("{} changes where {} were written", told.len(), written.len())
    } else {
        format!("none at {}", missing.join(", "))
    };
    Err(watch.fail(format!("every change before {point} or on a watch from there"), actual))
}

/// Whether bookmarks came that can be judged; the last of them must show another version than these.
///
/// What comes right after the last write may have been sent before it.
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
        if event.kind == "BOOKMARK" && written.elapsed() > ON_ITS_WAY {
            behind = Some(event.object.version().to_owned());
        }
    }
    match behind {
        None => Ok(false),
        Some(version) => {
            Err(watch.fail("a bookmark past a change elsewhere", format!("one still at {version}")))
        }
    }
}
