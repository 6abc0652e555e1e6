//! Completeness of a watch that follows a list.

use std::collections::BTreeMap;

use harness::join;

use super::writers::{Change, work};
use super::{play, versions};
use crate::prelude::*;

rows![watch_no_lost_events.namespaced()];

/// Number of lists, each followed by a watch.
const FOLLOWERS: usize = 4;

/// Objects of each writer: enough to find a loss of one event in fifty.
const OBJECTS: usize = 8;

async fn watch_no_lost_events(collection: Collection) -> Checked {
    let followers = (0..FOLLOWERS).map(|number| Follower::begin(&collection, number));
    let (written, followers) = join(work(&collection, OBJECTS), try_join_all(followers)).await;
    let (mut written, followers) = (written?.concat(), followers?);
    written.extend(followers.iter().map(|follower| follower.own.clone()));
    written.push(Change::created(&collection.create(LAST).await?));
    let last = collection.now().await?;

    // Concurrently: each watch has the same time for its events.
    let checks = followers.into_iter().map(|follower| follower.expect_complete(&written, &last));

    try_join_all(checks).await.map(drop)
}

/// The object of the last creation.
const LAST: &str = "last";

/// A client that lists, waits, and watches from the list.
struct Follower {
    listed: Page,
    watch: Watch,
    /// Its own write between list and watch.
    own: Change,
}

impl Follower {
    /// The higher the number of a follower, the more changes precede its list.
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

    async fn expect_complete(mut self, written: &[Change], last: &Page) -> Checked {
        let is_last = |event: &WatchEvent| event.kind == "ADDED" && event.object.name() == LAST;
        let events = self.watch.until(&format!("ADDED {LAST}, after all other changes"), is_last).await?;
        let mut changes: BTreeMap<&str, Vec<&Change>> = BTreeMap::new();
        for change in written {
            changes.entry(&change.name).or_default().push(change);
        }
        for (name, changes) in changes {
            let events: Vec<_> = events.iter().filter(|event| event.object.name() == name).collect();
            let listed = self.listed.item(name).map(|item| item.version().to_owned());
            // An object that is not in the list may have been deleted before.
            if listed.is_some() || last.item(name).is_some() || !events.is_empty() {
                self.expect_changes_since(&changes, listed.as_deref(), &events)?;
            }
        }
        self.expect_state(&events, last)
    }

    /// The events of an object are its changes since the listed version.
    fn expect_changes_since(
        &mut self,
        changes: &[&Change],
        listed: Option<&str>,
        events: &[&WatchEvent],
    ) -> Checked {
        let position = listed.and_then(|listed| changes.iter().position(|change| change.is_at(listed)));
        let rest = &changes[position.map_or(0, |last| last + 1)..];
        let wrong = (0..rest.len().max(events.len())).find(|&at| match (rest.get(at), events.get(at)) {
            (Some(change), Some(event)) => !change.is_event(event),
            _ => true,
        });
        let Some(at) = wrong else { return Ok(()) };
        let none = || format!("no further event of {}", changes[0].name);
        let expected = rest.get(at).map_or_else(none, |change| change.brief());
        let actual = events.get(at).map_or_else(none, |event| event.brief());
        let listed = listed.map_or_else(|| "without it".to_owned(), |listed| format!("with it at {listed}"));
        let since = format!("a watch from a list {listed}, after {at} events of it");
        Err(self.watch.fail(format!("{expected}, on {since}"), actual))
    }

    /// The events lead from the first list to the last.
    fn expect_state(&mut self, events: &[WatchEvent], last: &Page) -> Checked {
        let mut state = versions(&self.listed);
        for event in events {
            play(event, &mut state, Object::version);
        }
        let expected = versions(last);
        let same = state == expected;
        let expected = format!("events that lead to the last list {expected:?}");
        self.watch.expect_that(same, expected, format!("{state:?}"))
    }
}
