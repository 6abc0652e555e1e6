//! Watches through one server: of changes through others, and from versions that others told.

use super::servers::Servers;
use crate::prelude::*;
use crate::streaming_list::streamed_list::{StreamedList, streaming};

rows![
    replicas_watch_from_list_elsewhere.namespaced(),
    replicas_watch_resume_elsewhere.namespaced(),
    replicas_bookmark_resume_elsewhere.namespaced(),
    replicas_same_order.namespaced(),
    replicas_streaming_list_elsewhere.namespaced(),
];

/// The changes that a scenario makes.
const CHANGES: usize = 20;

/// The objects that it changes in turn.
const NAMES: [&str; 5] = ["a", "b", "c", "d", "e"];

/// The object that it deletes, and that of the last change.
const DELETED: &str = "a";
const LAST: &str = "last";

/// Creates the objects through the target, and returns the version of a list.
async fn created(servers: &Servers) -> Result<String, Halt> {
    servers.first().create_all(&NAMES).await?;
    Ok(servers.first().now().await?.version)
}

/// Changes the objects through all servers by turns, deletes one, and creates the last one. Returns the written objects in
/// order.
async fn change(servers: &Servers, changes: usize) -> Result<Vec<Object>, Halt> {
    let mut written = Vec::with_capacity(changes + 1);
    for (at, server) in servers.in_turn().take(changes).enumerate() {
        written.push(server.write(NAMES[at % NAMES.len()], &format!("change-{at}")).await?);
    }
    servers.first().delete(DELETED).await?;
    written.push(servers.last().create(LAST).await?);
    Ok(written)
}

/// The events up to the last change, without bookmarks; `None` if the version has expired, which a server may say at any time.
async fn up_to_last(watch: &mut Watch) -> Result<Option<Vec<WatchEvent>>, Halt> {
    let last = |event: &WatchEvent| event.object.name() == LAST || event.expired();
    let mut events = watch.until(&format!("ADDED {LAST}"), last).await?;
    events.retain(|event| event.kind != "BOOKMARK");
    Ok(Some(events).filter(|events| !events.iter().any(WatchEvent::expired)))
}

/// Counts the watches that were tested, for the versions of all may have expired.
#[derive(Default)]
struct Tested {
    watches: usize,
    expired: usize,
}

impl Tested {
    /// Skips if no version was left, and notes it if some were not.
    fn end(&self, cx: &Context) -> Checked {
        match self {
            Self { watches: 0, .. } => Err(Halt::skip("every version expired before its watch")),
            Self { expired: 0, .. } => Ok(()),
            Self { expired, .. } => {
                cx.note(format!("not tested with {expired} watches, whose versions expired"));
                Ok(())
            }
        }
    }
}

/// The events are those of the writes, in their order, and of the deletion. Writes of controllers may be between them.
fn expect_changes(watch: &mut Watch, events: &[WatchEvent], written: &[Object]) -> Checked {
    let versions: Vec<_> = events.iter().map(|event| event.object.version()).collect();
    let expected: Vec<_> = written.iter().map(Object::version).collect();
    let mut rest = versions.iter();
    let complete = expected.iter().all(|version| rest.any(|known| known == version));
    let repeated = (1..versions.len()).any(|at| versions[..at].contains(&versions[at]));
    let text = format!("an event of each change, once and in order: {expected:?}");
    watch.expect_that(complete && !repeated, text, format!("{versions:?}"))?;
    let deleted = events.iter().any(|event| event.kind == "DELETED" && event.object.name() == DELETED);
    watch.expect_that(deleted, format!("DELETED {DELETED} before {LAST}"), "no such event")
}

async fn replicas_watch_from_list_elsewhere(servers: Servers) -> Checked {
    let version = created(&servers).await?;
    let written = change(&servers, CHANGES).await?;
    let mut tested = Tested::default();
    for server in servers.all() {
        let mut watch = server.watch().at(&version).open_as_fixture().await?;
        let Some(events) = up_to_last(&mut watch).await? else {
            tested.expired += 1;
            continue;
        };
        tested.watches += 1;
        expect_changes(&mut watch, &events, &written)?;
    }
    tested.end(servers.cx())
}

async fn replicas_watch_resume_elsewhere(servers: Servers) -> Checked {
    let version = created(&servers).await?;
    let written = change(&servers, CHANGES).await?;
    let mut tested = Tested::default();
    for (first, other) in servers.pairs() {
        let mut watch = first.watch().at(&version).open_as_fixture().await?;
        let Some(events) = up_to_last(&mut watch).await? else {
            tested.expired += 1;
            continue;
        };
        expect_changes(&mut watch, &events, &written)?;
        let (before, after) = events.split_at(events.len() / 2);
        let Some(delivered) = before.last() else { continue };

        let mut resumed = other.watch().at(delivered.object.version()).open_as_fixture().await?;
        let expires = expect_again(&mut resumed, after).await?;
        if expires { tested.expired += 1 } else { tested.watches += 1 }
    }
    tested.end(servers.cx())
}

/// The watch delivers these events. Returns whether its version has expired instead.
async fn expect_again(watch: &mut Watch, events: &[WatchEvent]) -> Result<bool, Halt> {
    for event in events {
        let expected = format!("{}, as through the first server", event.brief());
        let again = watch.event_or_fail(&expected).await?;
        if again.expired() {
            return Ok(true);
        }
        watch.expect_that(again.brief() == event.brief(), expected, again.brief())?;
    }
    Ok(false)
}

async fn replicas_bookmark_resume_elsewhere(servers: Servers) -> Checked {
    created(&servers).await?;
    let mut tested = Tested::default();
    for (round, (first, other)) in servers.pairs().enumerate() {
        let cx = servers.cx();
        let list = StreamedList::expect(cx, first, streaming(first)).await?;
        let name = format!("new{round}");
        let written = servers.first().create(&name).await?;

        let mut watch = other.watch().at(list.bookmark_version()).open_as_fixture().await?;
        let expected = format!("ADDED {name} as the first event after the bookmark");
        let event = watch.event_or_fail(&expected).await?;
        if event.expired() {
            tested.expired += 1;
            continue;
        }
        tested.watches += 1;
        watch.expect_that(event.object.version() == written.version(), expected, event.brief())?;
    }
    tested.end(servers.cx())
}

async fn replicas_same_order(servers: Servers) -> Checked {
    let version = created(&servers).await?;
    let opening = servers.all().iter().map(|server| server.watch().at(&version).open_as_fixture());
    let watches = try_join_all(opening).await?;
    change(&servers, CHANGES).await?;

    let mut first: Option<Vec<String>> = None;
    for mut watch in watches {
        let Some(events) = up_to_last(&mut watch).await? else {
            return Err(Halt::skip("the version expired before its events were read"));
        };
        let brief: Vec<_> = events.iter().map(WatchEvent::brief).collect();
        match &first {
            None => first = Some(brief),
            Some(first) => {
                let at = first.iter().zip(&brief).take_while(|(one, other)| one == other).count();
                let text =
                    |events: &[String]| events.get(at).cloned().unwrap_or_else(|| "no event".to_owned());
                let expected = format!("{} as event {}, as through the target", text(first), at + 1);
                watch.expect_that(*first == brief, expected, text(&brief))?;
            }
        }
    }
    Ok(())
}

async fn replicas_streaming_list_elsewhere(servers: Servers) -> Checked {
    servers.first().create("a").await?;
    for (round, (writer, reader)) in servers.pairs().enumerate() {
        let value = super::reads::value(round, 0);
        let written = writer.write("a", &value).await?;
        let query = streaming(reader).at(written.version());
        let mut list = StreamedList::expect(servers.cx(), reader, query).await?;
        list.expect_value("a", &value)?;
    }
    Ok(())
}
