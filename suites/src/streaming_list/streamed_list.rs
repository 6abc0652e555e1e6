//! The fixture of this area: a streaming list, read up to its bookmark.

use std::collections::BTreeMap;

use harness::Match;
use harness::stream::INITIAL_EVENTS_END;

use crate::prelude::*;

/// Asks for the initial events, and for a bookmark behind them.
pub(super) fn streaming(collection: &Collection) -> Query {
    unmarked(collection).param("allowWatchBookmarks", true)
}

/// Asks for the initial events alone.
pub(super) fn unmarked(collection: &Collection) -> Query {
    collection.watch().param("sendInitialEvents", true).matching(Match::NotOlderThan)
}

/// Opens a streaming list; skips where the server has none.
pub(super) async fn opened(cx: &Context, collection: &Collection, query: Query) -> Result<Watch, Halt> {
    match query.opening().await? {
        Opening::Watch(watch) => Ok(*watch),
        Opening::Refused(refused) => Err(refusal(cx, collection, &refused).await),
    }
}

/// What a refusal means: that the server has no streaming lists, if it refuses the plainest one.
pub(super) async fn refusal(cx: &Context, collection: &Collection, refused: &Exchange) -> Halt {
    let plainest = match streaming(collection).opening().await {
        Ok(Opening::Refused(plainest)) if matches!(plainest.status(), 400 | 422) => plainest,
        Ok(_) => return refused.fail("a streaming list, HTTP 200", refused.brief()),
        Err(why) => return why,
    };
    cx.lacks("WatchList", plainest.brief())
}

/// Whether this is the bookmark that ends the initial events.
pub(super) fn closes(event: &WatchEvent) -> bool {
    event.kind == "BOOKMARK" && is_marked(&event.object)
}

/// Whether an object carries the mark of the bookmark that ends the initial events.
pub(super) fn is_marked(object: &Object) -> bool {
    object.json()["metadata"]["annotations"][INITIAL_EVENTS_END] == "true"
}

/// The first bookmark of a watch and what came before it; that it comes is asked by itself.
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
                return Err(cx.test_error("read a streaming list", "no bookmark follows it").into());
            }
        }
    }
}

/// What a streaming list has told up to its closing bookmark.
pub(super) struct StreamedList {
    /// The watch, which goes on.
    pub(super) watch: Watch,
    /// What came before the bookmark, other bookmarks aside.
    pub(super) events: Vec<WatchEvent>,
    /// The bookmark's object.
    pub(super) bookmark: Object,
}

impl StreamedList {
    /// The plainest streaming list.
    pub(super) async fn of(cx: &Context, collection: &Collection) -> Result<Self, Halt> {
        Self::asked(cx, collection, streaming(collection)).await
    }

    /// A streaming list as asked for; that it comes to an end is asked elsewhere.
    pub(super) async fn asked(cx: &Context, collection: &Collection, query: Query) -> Result<Self, Halt> {
        let why = match Self::read(opened(cx, collection, query).await?).await? {
            Ok(told) => return Ok(told),
            Err((_, why)) => why,
        };
        Err(cx.test_error("read a streaming list up to its closing bookmark", why).into())
    }

    /// A streaming list that must come to its end.
    pub(super) async fn expect(cx: &Context, collection: &Collection, query: Query) -> Result<Self, Halt> {
        let read = Self::read(opened(cx, collection, query).await?).await?;
        read.map_err(|(mut watch, why)| watch.fail("the bookmark that ends the initial events", why))
    }

    async fn read(mut watch: Watch) -> Result<Result<Self, (Watch, String)>, Halt> {
        let mut events = Vec::new();
        let why = loop {
            match watch.next().await? {
                Next::Event(event) if closes(&event) => {
                    return Ok(Ok(Self { watch, events, bookmark: event.object }));
                }
                Next::Event(event) if event.kind == "ERROR" => break event.brief(),
                Next::Event(event) if event.kind == "BOOKMARK" => {}
                Next::Event(event) => events.push(event),
                Next::End => break "the server ended the watch".to_owned(),
                Next::Silence => break format!("nothing more after {} events", events.len()),
            }
        };
        Ok(Err((watch, why)))
    }

    /// The versions of the objects that the events come to, by name.
    pub(super) fn state(&mut self) -> Result<BTreeMap<String, String>, Halt> {
        let mut state = BTreeMap::new();
        for event in &self.events {
            let (name, version) = (event.object.name().to_owned(), event.object.version().to_owned());
            let follows = match event.kind.as_str() {
                "ADDED" => state.insert(name, version).is_none(),
                "MODIFIED" => state.insert(name, version).is_some(),
                "DELETED" => state.remove(&name).is_some(),
                _ => false,
            };
            if !follows {
                return Err(self.watch.fail("events that follow from each other", event.brief()));
            }
        }
        Ok(state)
    }

    /// The initial events are these objects, each added once, in whatever order.
    pub(super) fn expect_added(&mut self, objects: &[Object]) -> Checked {
        let brief = |event: &WatchEvent| format!("{} {}", event.kind, event.object.name());
        let mut told: Vec<_> = self.events.iter().map(brief).collect();
        let mut expected: Vec<_> = objects.iter().map(|object| format!("ADDED {}", object.name())).collect();
        told.sort_unstable();
        expected.sort_unstable();
        if told == expected {
            return Ok(());
        }
        let expected = format!("before the closing bookmark each once: {}", expected.join(", "));
        Err(self.watch.fail(expected, told.join(", ")))
    }

    /// The next event that is no bookmark.
    pub(super) async fn change(&mut self, expected: &str) -> Result<WatchEvent, Halt> {
        loop {
            let event = self.watch.event_or_fail(expected).await?;
            if event.kind != "BOOKMARK" {
                return Ok(event);
            }
        }
    }

    /// A watch from the closing bookmark begins with what was written later.
    pub(super) async fn expect_nothing_again(&self, cx: &Context, collection: &Collection) -> Checked {
        let version = self.bookmark.version();
        let mut watch = match collection.watch().at(version).opening().await? {
            Opening::Watch(watch) => *watch,
            Opening::Refused(refused) => {
                return Err(cx.test_error("watch from the closing bookmark", refused.brief()).into());
            }
        };
        let later = collection.create("later").await?;
        match watch.next().await? {
            Next::Event(event) if event.object.version() == later.version() => Ok(()),
            Next::Event(event) if event.kind == "ERROR" => {
                Err(cx.test_error("watch from the closing bookmark", event.brief()).into())
            }
            Next::Event(event) => {
                Err(watch.fail(format!("after the closing bookmark at {version} ADDED later"), event.brief()))
            }
            Next::End | Next::Silence => {
                Err(cx.test_error("watch from the closing bookmark", "nothing comes").into())
            }
        }
    }
}
