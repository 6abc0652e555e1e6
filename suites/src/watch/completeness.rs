//! Completeness of a watch that follows a list.

use std::collections::BTreeMap;

use futures::future::join;

use super::writers::{Change, work};
use crate::prelude::*;

rows![watch_no_lost_events.namespaced()];

/// So many lists are each followed by a watch.
const FOLLOWERS: usize = 4;

/// How many objects each writer makes: enough for one lost event in fifty to be seen.
const OBJECTS: usize = 8;

async fn watch_no_lost_events(collection: Collection) -> Checked {
    let followers = (0..FOLLOWERS).map(|number| Follower::begin(&collection, number));
    let (written, followers) = join(work(&collection, OBJECTS), try_join_all(followers)).await;
    let (mut written, followers) = (written?.concat(), followers?);
    written.extend(followers.iter().map(|follower| follower.own.clone()));
    written.push(Change::created(&collection.create(LAST).await?));
    let finally = collection.now().await?;

    // At the same time, so that none has to wait for the others to be read.
    let judged = followers.into_iter().map(|follower| follower.judge(&written, &finally));

    try_join_all(judged).await.map(drop)
}

/// The object that is created when all is done.
const LAST: &str = "last";

/// A client that lists, waits, and watches from the list.
struct Follower {
    listed: Page,
    watch: Watch,
    /// What it wrote itself between list and watch.
    own: Change,
}

impl Follower {
    /// The later a follower's number, the more has happened before.
    async fn begin(collection: &Collection, number: usize) -> Result<Self, Halt> {
        for _ in 0..3 * number {
            collection.now().await?;
        }
        let listed = collection.now().await?;
        let own = Change::created(&collection.create(&format!("follower-{number}")).await?);
        collection.now().await?;
        let watch = collection.watch().at(&listed.version).open().await?;
        Ok(Self { listed, watch, own })
    }

    async fn judge(mut self, written: &[Change], finally: &Page) -> Checked {
        let is_last = |event: &WatchEvent| event.kind == "ADDED" && event.object.name() == LAST;
        let told = self.watch.until(&format!("ADDED {LAST}, after all other changes"), is_last).await?;
        let mut lives: BTreeMap<&str, Vec<&Change>> = BTreeMap::new();
        for change in written {
            lives.entry(&change.name).or_default().push(change);
        }
        for (name, life) in lives {
            let told: Vec<_> = told.iter().filter(|event| event.object.name() == name).collect();
            let seen = self.listed.item(name).map(|item| item.version().to_owned());
            // What the list does not show may have been over before.
            if seen.is_some() || finally.item(name).is_some() || !told.is_empty() {
                self.expect_rest_of(&life, seen.as_deref(), &told)?;
            }
        }
        self.expect_final(&told, finally)
    }

    /// What the list has not shown of an object's life is told.
    fn expect_rest_of(&mut self, life: &[&Change], seen: Option<&str>, told: &[&WatchEvent]) -> Checked {
        let shown = seen.and_then(|seen| life.iter().position(|change| change.is_at(seen)));
        let rest = &life[shown.map_or(0, |last| last + 1)..];
        let wrong = (0..rest.len().max(told.len())).find(|&at| match (rest.get(at), told.get(at)) {
            (Some(change), Some(event)) => !change.is_told_by(event),
            _ => true,
        });
        let Some(at) = wrong else { return Ok(()) };
        let nothing = || format!("nothing more of {}", life[0].name);
        let expected = rest.get(at).map_or_else(nothing, |change| change.brief());
        let actual = told.get(at).map_or_else(nothing, |event| event.brief());
        let seen = seen.map_or_else(|| "none of it".to_owned(), |seen| format!("it at {seen}"));
        let since = format!("a watch from a list that shows {seen}, after {at} events of it");
        Err(self.watch.fail(format!("{expected}, on {since}"), actual))
    }

    /// The list, changed as the watch tells, becomes the list that was made in the end.
    fn expect_final(&mut self, told: &[WatchEvent], finally: &Page) -> Checked {
        let versions = |page: &Page| -> BTreeMap<String, String> {
            page.own_items().iter().map(|item| (item.name().to_owned(), item.version().to_owned())).collect()
        };
        let mut known = versions(&self.listed);
        for event in told {
            match event.kind.as_str() {
                "DELETED" => known.remove(event.object.name()),
                _ => known.insert(event.object.name().to_owned(), event.object.version().to_owned()),
            };
        }
        let expected = versions(finally);
        if known == expected {
            return Ok(());
        }
        Err(self.watch.fail(format!("events that lead to the final list {expected:?}"), format!("{known:?}")))
    }
}
