//! The fixture of this area: a streaming list, read up to its bookmark.

use std::collections::BTreeMap;

use harness::Match;
use harness::stream::INITIAL_EVENTS_END;

use crate::prelude::*;
use crate::watch::play;

/// A watch with the initial events and a closing bookmark; not yet sent.
pub(crate) fn streaming(collection: &Collection) -> Query {
    unmarked(collection).param("allowWatchBookmarks", true)
}

/// A watch with the initial events alone; not yet sent.
pub(super) fn unmarked(collection: &Collection) -> Query {
    collection.watch().param("sendInitialEvents", true).matching(Match::NotOlderThan)
}

/// Opens a streaming list. Skips where the server does not support them.
pub(super) async fn opened(cx: &Context, collection: &Collection, query: Query) -> Result<Watch, Halt> {
    match query.opening().await? {
        Opening::Watch(watch) => Ok(*watch),
        Opening::Rejected(refused) => Err(refusal(cx, collection, &refused).await),
    }
}

/// The server does not support streaming lists if it rejects one without further parameters; else it fails.
pub(super) async fn refusal(cx: &Context, collection: &Collection, refused: &Exchange) -> Halt {
    match streaming(collection).opening().await {
        Ok(Opening::Rejected(simple)) if matches!(simple.status(), 400 | 422) => {
            cx.lacks("WatchList", simple.brief())
        }
        Ok(_) => refused.fail("a streaming list, HTTP 200", refused.brief()),
        Err(why) => why,
    }
}

/// Whether this is the bookmark that ends the initial events.
pub(super) fn closes(event: &WatchEvent) -> bool {
    event.kind == "BOOKMARK" && is_marked(&event.object)
}

/// Whether an object has the annotation of the bookmark that ends the initial events.
pub(super) fn is_marked(object: &Object) -> bool {
    object.json()["metadata"]["annotations"][INITIAL_EVENTS_END] == "true"
}

/// The first bookmark of a watch and the events before it. A missing bookmark is a test error: another scenario tests it.
pub(super) async fn first_bookmark(
    cx: &Context,
    watch: &mut Watch,
) -> Result<(Vec<WatchEvent>, WatchEvent), Halt> {
    let mut before = Vec::new();
    loop {
        match watch.next().await? {
            Next::Event(event) if event.kind == "BOOKMARK" => return Ok((before, event)),
            Next::Event(event) if event.kind == "ERROR" => {
                return Err(cx.test_error("watch", event.brief()).into());
            }
            Next::Event(event) => before.push(event),
            Next::End | Next::Silence => {
                return Err(cx.test_error("read a streaming list", "it has no bookmark").into());
            }
        }
    }
}

const ENDED: &str = "the server ended the watch";

/// A streaming list up to its closing bookmark.
pub(crate) struct StreamedList {
    /// The watch, which continues.
    pub(crate) watch: Watch,
    /// The events before the closing bookmark, without other bookmarks.
    pub(super) events: Vec<WatchEvent>,
    /// The object of the bookmark.
    pub(super) bookmark: Object,
}

impl StreamedList {
    /// A streaming list without further parameters.
    pub(super) async fn of(cx: &Context, collection: &Collection) -> Result<Self, Halt> {
        Self::read(cx, collection, streaming(collection)).await
    }

    /// Reads a streaming list. A missing bookmark is a test error: other scenarios test it.
    pub(super) async fn read(cx: &Context, collection: &Collection, query: Query) -> Result<Self, Halt> {
        let list = Self::up_to_bookmark(opened(cx, collection, query).await?).await?;
        let action = "read a streaming list up to its closing bookmark";
        list.map_err(|(_, why)| cx.test_error(action, why.unwrap_or_else(|| ENDED.to_owned())).into())
    }

    /// Reads a streaming list. A missing bookmark is a failure.
    pub(crate) async fn expect(cx: &Context, collection: &Collection, query: Query) -> Result<Self, Halt> {
        let list = Self::up_to_bookmark(opened(cx, collection, query).await?).await?;
        let expected = "the bookmark that ends the initial events";
        list.map_err(|(mut watch, why)| match why {
            Some(why) => watch.fail(expected, why),
            None => watch.ended(expected),
        })
    }

    /// `Err` has the reason for a lack of the bookmark; `None` for the end of the watch.
    async fn up_to_bookmark(mut watch: Watch) -> Result<Result<Self, (Watch, Option<String>)>, Halt> {
        let mut events = Vec::new();
        let why = loop {
            match watch.next().await? {
                Next::Event(event) if closes(&event) => {
                    return Ok(Ok(Self { watch, events, bookmark: event.object }));
                }
                Next::Event(event) if event.kind == "ERROR" => break Some(event.brief()),
                Next::Event(event) if event.kind == "BOOKMARK" => {}
                Next::Event(event) => events.push(event),
                Next::End => break None,
                Next::Silence => break Some(format!("no further event after {} events", events.len())),
            }
        };
        Ok(Err((watch, why)))
    }

    /// The versions of the objects after the events, by name.
    pub(super) fn state(&mut self) -> Result<BTreeMap<String, String>, Halt> {
        let mut state = BTreeMap::new();
        for event in &self.events {
            let possible = play(event, &mut state, Object::version);
            self.watch.expect_that(
                possible,
                "an event that is possible after those before",
                event.brief(),
            )?;
        }
        Ok(state)
    }

    /// The version of the closing bookmark.
    pub(crate) fn bookmark_version(&self) -> &str {
        self.bookmark.version()
    }

    /// The initial events have an object, with this value.
    pub(crate) fn expect_value(&mut self, name: &str, value: &str) -> Checked {
        let event = self.events.iter().rev().find(|event| event.object.name() == name);
        let actual = event.map_or("no event of it".to_owned(), |event| format!("{:?}", event.object.value()));
        let expected = format!("{name} with the value {value:?} before the closing bookmark");
        self.watch.expect_that(actual == format!("{value:?}"), expected, actual)
    }

    /// The initial events are one ADDED for each of these objects, in any order.
    pub(crate) fn expect_added(&mut self, objects: &[Object]) -> Checked {
        let brief = |event: &WatchEvent| format!("{} {}", event.kind, event.object.name());
        let mut actual: Vec<_> = self.events.iter().map(brief).collect();
        let mut expected: Vec<_> = objects.iter().map(|object| format!("ADDED {}", object.name())).collect();
        actual.sort_unstable();
        expected.sort_unstable();
        let same = actual == expected;
        let expected = format!("{} before the closing bookmark, each once", expected.join(", "));
        self.watch.expect_that(same, expected, actual.join(", "))
    }

    /// The next event other than a bookmark.
    pub(crate) async fn change(&mut self, expected: &str) -> Result<WatchEvent, Halt> {
        loop {
            let event = self.watch.event_or_fail(expected).await?;
            if event.kind != "BOOKMARK" {
                return Ok(event);
            }
        }
    }

    /// A watch from the closing bookmark begins with the next change.
    pub(super) async fn expect_no_repetition(&self, cx: &Context, collection: &Collection) -> Checked {
        let version = self.bookmark.version();
        let test_error = |cause: String| cx.test_error("watch from the closing bookmark", cause).into();
        let mut watch = match collection.watch().at(version).opening().await? {
            Opening::Watch(watch) => *watch,
            Opening::Rejected(refused) => return Err(test_error(refused.brief())),
        };
        let later = collection.create("later").await?;
        match watch.next().await? {
            Next::Event(event) if event.object.version() == later.version() => Ok(()),
            Next::Event(event) if event.kind == "ERROR" => Err(test_error(event.brief())),
            Next::Event(event) => {
                let expected = format!("ADDED later after the closing bookmark at {version}");
                Err(watch.fail(expected, event.brief()))
            }
            Next::End | Next::Silence => Err(test_error("no event in time".to_owned())),
        }
    }
}
