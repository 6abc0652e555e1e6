//! The order of events of a busy collection.

use std::collections::HashSet;

use futures::future::join;
use harness::decimal;

use super::from_now;
use super::writers::{Change, name_of, work};
use crate::prelude::*;

rows![watch_concurrent_same_order.namespaced(), watch_rv_strictly_ordered.namespaced()];

/// How many objects each writer makes.
const OBJECTS: usize = 4;

/// The object that is created when all is done.
const LAST: &str = "last";

/// A further watch is opened after so many events, and so many at most.
const STEP: usize = 3;
const FURTHER: usize = 8;

async fn watch_concurrent_same_order(collection: Collection) -> Checked {
    let first = from_now(&collection).await?;

    let (written, followed) = join(work_and_end(&collection), follow(&collection, first)).await;
    written?;
    let (told, further) = followed?;

    let compared = further.into_iter().map(|(after, watch)| expect_same(watch, &told[after..]));
    try_join_all(compared).await.map(drop)
}

async fn work_and_end(collection: &Collection) -> Result<Vec<Vec<Change>>, Halt> {
    let written = work(collection, OBJECTS).await?;
    collection.create(LAST).await?;
    // Where events overtake each other, the last one is told with this one.
    collection.create("beyond").await?;
    Ok(written)
}

fn is_last(event: &WatchEvent) -> bool {
    event.kind == "ADDED" && event.object.name() == LAST
}

/// What a watch tells, and watches opened from its events, each with how many events came before.
async fn follow(
    collection: &Collection,
    mut first: Watch,
) -> Result<(Vec<WatchEvent>, Vec<(usize, Watch)>), Halt> {
    let (mut told, mut further) = (Vec::new(), Vec::new());
    loop {
        let event = first.event_or_fail(&format!("ADDED {LAST}, after all other changes")).await?;
        let (version, last) = (event.object.version().to_owned(), is_last(&event));
        told.push(event);
        if last {
            return Ok((told, further));
        }
        if told.len() % STEP == 1 && further.len() < FURTHER {
            further.push((told.len(), collection.watch().at(&version).open().await?));
        }
    }
}

/// The watch tells these events.
async fn expect_same(mut watch: Watch, told: &[WatchEvent]) -> Checked {
    for before in told {
        let expected = format!("{}, as on another watch", before.brief());
        let event = watch.event_or_fail(&expected).await?;
        if event.brief() != before.brief() {
            return Err(watch.fail(expected, event.brief()));
        }
    }
    Ok(())
}

async fn watch_rv_strictly_ordered(collection: Collection) -> Checked {
    let version = collection.now().await?.version;
    let mut watch = collection.watch().at(&version).open().await?;
    let other = collection.watch().at(&version).open().await?;

    let written = work_and_end(&collection).await?;
    let told = watch.until(&format!("ADDED {LAST}, after all other changes"), is_last).await?;

    expect_unique(&mut watch, &told)?;
    expect_increasing(&mut watch, &told)?;
    for (writer, written) in written.iter().enumerate() {
        expect_turns(&mut watch, &told, writer, written)?;
    }
    expect_same(other, &told).await
}

/// No version of an object comes twice.
fn expect_unique(watch: &mut Watch, told: &[WatchEvent]) -> Checked {
    let mut seen = HashSet::new();
    let repeated = told.iter().find(|event| !seen.insert((event.object.name(), event.object.version())));
    let Some(repeated) = repeated else { return Ok(()) };
    Err(watch.fail("no version of an object twice", format!("{} once more", repeated.brief())))
}

/// Versions that can be compared increase.
fn expect_increasing(watch: &mut Watch, told: &[WatchEvent]) -> Checked {
    let falls = told.windows(2).find(|pair| {
        let [before, after] = [&pair[0], &pair[1]].map(|event| decimal(event.object.version()));
        before.is_some() && after.is_some() && after <= before
    });
    let Some(pair) = falls else { return Ok(()) };
    let expected = format!("after {} a higher version", pair[0].brief());
    Err(watch.fail(expected, pair[1].brief()))
}

/// What one writer did comes in the order in which it was acknowledged.
fn expect_turns(watch: &mut Watch, told: &[WatchEvent], writer: usize, written: &[Change]) -> Checked {
    let own = format!("{}-", name_of(writer));
    let mut told = told.iter().filter(|event| event.object.name().starts_with(&own));
    for change in written {
        let event = told.next();
        if !event.is_some_and(|event| change.is_told_by(event)) {
            let actual = event.map_or("nothing".to_owned(), WatchEvent::brief);
            return Err(watch.fail(format!("{}, as the writer did it", change.brief()), actual));
        }
    }
    Ok(())
}
