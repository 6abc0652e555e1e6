//! The order of events of a busy collection.

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};

use harness::decimal;
use harness::join;

use super::from_now;
use super::writers::{Change, name_of, work};
use crate::prelude::*;

rows![watch_concurrent_same_order.namespaced(), watch_rv_strictly_ordered.namespaced()];

/// Objects of each writer.
const OBJECTS: usize = 4;

/// The object of the last creation.
const LAST: &str = "last";

/// Number of events between two further watches, and the most further watches.
const STEP: usize = 3;
const FURTHER: usize = 8;

async fn watch_concurrent_same_order(collection: Collection) -> Checked {
    let first = from_now(&collection).await?;

    let is_written = AtomicBool::new(false);
    let writers = async {
        let written = work_and_end(&collection).await;
        is_written.store(true, Ordering::Relaxed);
        written
    };
    let (written, followed) = join(writers, follow(&collection, first, &is_written)).await;
    written?;
    let (events, further) = followed?;

    let compared = further.into_iter().map(|(after, watch)| expect_same(watch, &events[after..]));
    try_join_all(compared).await.map(drop)
}

async fn work_and_end(collection: &Collection) -> Result<Vec<Vec<Change>>, Halt> {
    let written = work(collection, OBJECTS).await?;
    collection.create(LAST).await?;
    // A server that reorders events may hold back the last one until this one.
    collection.create("beyond").await?;
    Ok(written)
}

fn is_last(event: &WatchEvent) -> bool {
    event.kind == "ADDED" && event.object.name() == LAST
}

/// The events of a watch, and further watches from the versions of its events, each with the number of earlier events.
async fn follow(
    collection: &Collection,
    mut first: Watch,
    is_written: &AtomicBool,
) -> Result<(Vec<WatchEvent>, Vec<(usize, Watch)>), Halt> {
    let (mut events, mut further) = (Vec::new(), Vec::new());
    let expected = format!("ADDED {LAST}, after all other changes");
    loop {
        let event = next_event(&mut first, &expected, is_written).await?;
        let (version, last) = (event.object.version().to_owned(), is_last(&event));
        events.push(event);
        if last {
            return Ok((events, further));
        }
        if events.len() % STEP == 1 && further.len() < FURTHER {
            further.push((events.len(), collection.watch().at(&version).open().await?));
        }
    }
}

/// The next event. While a write has no response, a watch may be silent for any time.
async fn next_event(watch: &mut Watch, expected: &str, is_written: &AtomicBool) -> Result<WatchEvent, Halt> {
    loop {
        let is_due = is_written.load(Ordering::Relaxed);
        match watch.next().await? {
            Next::Silence if !is_due => {}
            next => return watch.expect_event(next, expected),
        }
    }
}

/// The next events of the watch are these.
async fn expect_same(mut watch: Watch, events: &[WatchEvent]) -> Checked {
    for other in events {
        let expected = format!("{}, as on another watch", other.brief());
        let event = watch.event_or_fail(&expected).await?;
        if event.brief() != other.brief() {
            return Err(watch.unexpected(expected, &event).await);
        }
    }
    Ok(())
}

async fn watch_rv_strictly_ordered(collection: Collection) -> Checked {
    let version = collection.now().await?.version;
    let mut watch = collection.watch().at(&version).open().await?;
    let other = collection.watch().at(&version).open().await?;

    let written = work_and_end(&collection).await?;
    let events = watch.until(&format!("ADDED {LAST}, after all other changes"), is_last).await?;

    expect_unique(&mut watch, &events)?;
    expect_increasing(&mut watch, &events)?;
    for (writer, written) in written.iter().enumerate() {
        expect_order(&mut watch, &events, writer, written)?;
    }
    expect_same(other, &events).await
}

/// No two events have the same version of an object.
fn expect_unique(watch: &mut Watch, events: &[WatchEvent]) -> Checked {
    let mut seen = HashSet::new();
    let repeated = events.iter().find(|event| !seen.insert((event.object.name(), event.object.version())));
    let Some(repeated) = repeated else { return Ok(()) };
    Err(watch.fail("each version of an object once", format!("{} again", repeated.brief())))
}

/// Comparable versions increase.
fn expect_increasing(watch: &mut Watch, events: &[WatchEvent]) -> Checked {
    let decreasing = events.windows(2).find(|pair| {
        let [before, after] = [&pair[0], &pair[1]].map(|event| decimal(event.object.version()));
        before.is_some() && after.is_some() && after <= before
    });
    let Some(pair) = decreasing else { return Ok(()) };
    Err(watch.fail(format!("a higher version after {}", pair[0].brief()), pair[1].brief()))
}

/// The changes of one writer arrive in the order of their responses.
fn expect_order(watch: &mut Watch, events: &[WatchEvent], writer: usize, written: &[Change]) -> Checked {
    let own = format!("{}-", name_of(writer));
    let mut events = events.iter().filter(|event| event.object.name().starts_with(&own));
    for change in written {
        let event = events.next();
        let actual = event.map_or("no event".to_owned(), WatchEvent::brief);
        let same = event.is_some_and(|event| change.is_event(event));
        watch.expect_that(same, format!("{}, in the order of the writer", change.brief()), actual)?;
    }
    Ok(())
}
