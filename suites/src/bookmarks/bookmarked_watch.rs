//! The fixture of this area: a watch, read up to its first bookmark.

use harness::decimal;

use crate::prelude::*;

/// The `timeoutSeconds` of a watch that waits for a bookmark.
pub(super) const WATCHED_FOR: Duration = Duration::from_secs(6);

/// The connection of these watches: many of them are open at the same time.
const CONNECTION: u8 = 2;

/// The watch with `timeoutSeconds`.
pub(super) fn short(watch: Query) -> Query {
    watch.param("timeoutSeconds", WATCHED_FOR.as_secs()).with(|request| request.connection(CONNECTION))
}

/// The watch with `timeoutSeconds` and `allowWatchBookmarks`.
pub(super) fn with_bookmarks(watch: Query) -> Query {
    short(watch).param("allowWatchBookmarks", true)
}

/// Opens a watch. A rejection is a test error: other scenarios are about it.
pub(super) async fn opened(cx: &Context, watch: Query) -> Result<Watch, Halt> {
    match watch.opening().await? {
        Opening::Watch(watch) => Ok(*watch),
        Opening::Rejected(refused) => Err(cx.test_error("watch with bookmarks", refused.brief()).into()),
    }
}

/// The skip where no bookmark arrives.
pub(super) fn none(cx: &Context) -> Halt {
    cx.lacks("WatchBookmarks", format!("no bookmark arrived within {} s", WATCHED_FOR.as_secs()))
}

/// The next event; `None` if the watch ends or stays silent for longer than its timeout.
pub(super) async fn next(cx: &Context, watch: &mut Watch) -> Result<Option<WatchEvent>, Halt> {
    match watch.next_within(WATCHED_FOR + cx.event_timeout()).await? {
        Next::Event(event) if event.kind == "ERROR" => Err(cx.test_error("watch", event.brief()).into()),
        Next::Event(event) => Ok(Some(event)),
        Next::End | Next::Silence => Ok(None),
    }
}

/// A watch, read up to its first bookmark.
pub(super) struct BookmarkedWatch {
    /// The collection, with the object `a`, which was written twice since the watch began.
    pub(super) collection: Collection,
    pub(super) watch: Watch,
    /// The events before the bookmark.
    pub(super) before: Vec<WatchEvent>,
    /// The object of the bookmark.
    pub(super) bookmark: Object,
}

impl BookmarkedWatch {
    /// Reads the watch up to its first bookmark. Skips where none arrives.
    pub(super) async fn arrange(cx: &Context) -> Result<Self, Halt> {
        Self::arrange_and(cx, async |_| Ok(())).await.map(|(bookmarked, ())| bookmarked)
    }

    /// The same, and then `then` at once: the version may expire while the scenario waits for its turn.
    pub(super) async fn arrange_and<T>(
        cx: &Context,
        then: impl AsyncFnOnce(&Self) -> Result<T, Halt>,
    ) -> Result<(Self, T), Halt> {
        let (collection, version) = changed(cx).await?;
        let watch = opened(cx, with_bookmarks(collection.watch().at(&version))).await?;
        let waiting = async {
            let bookmarked = Self::read(cx, collection, watch).await?;
            let result = then(&bookmarked).await?;
            Ok((bookmarked, result))
        };
        cx.yield_place_while(waiting).await
    }

    /// Where versions are comparable, no event before the bookmark is newer.
    pub(super) fn expect_not_behind(&mut self) -> Checked {
        let newest = self.before.iter().filter_map(|event| decimal(event.object.version())).max();
        let Some((bookmark, newest)) = decimal(self.bookmark.version()).zip(newest) else { return Ok(()) };
        let expected = format!("no bookmark older than {newest}, the version of an earlier event");
        self.watch.expect_that(newest <= bookmark, expected, format!("BOOKMARK at {bookmark}"))
    }

    async fn read(cx: &Context, collection: Collection, mut watch: Watch) -> Result<Self, Halt> {
        let mut before = Vec::new();
        while let Some(event) = next(cx, &mut watch).await? {
            if event.kind == "BOOKMARK" {
                return Ok(Self { collection, watch, before, bookmark: event.object });
            }
            before.push(event);
        }
        Err(none(cx))
    }
}

/// A collection, and its version before the last two changes.
pub(super) async fn changed(cx: &Context) -> Result<(Collection, String), Halt> {
    let collection = cx.collection_under_test().await?;
    collection.create("a").await?;
    let version = collection.now().await?.version;
    collection.write("a", "second").await?;
    collection.write("a", "third").await?;
    Ok((collection, version))
}
