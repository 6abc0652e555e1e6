//! The fixture of this area: a watch with bookmarks, read up to the first.

use crate::prelude::*;

/// How long a watch goes on that waits for a bookmark.
pub(super) const WATCHED_FOR: Duration = Duration::from_secs(6);

/// Many watches are open at a time: they take no place on the connections of others.
const WAITING: u8 = 2;

/// Ends a watch in time, bookmarks or not.
pub(super) fn short(watch: Query) -> Query {
    watch.param("timeoutSeconds", WATCHED_FOR.as_secs()).with(|request| request.connection(WAITING))
}

/// Asks for bookmarks.
pub(super) fn marking(watch: Query) -> Query {
    short(watch).param("allowWatchBookmarks", true)
}

/// Opens a watch; what there is to say of a refusal is asked by itself.
pub(super) async fn opened(cx: &Context, watch: Query) -> Result<Watch, Halt> {
    match watch.opening().await? {
        Opening::Watch(watch) => Ok(*watch),
        Opening::Refused(refused) => Err(cx.test_error("watch with bookmarks", refused.brief()).into()),
    }
}

/// Why nothing can be said of bookmarks.
pub(super) fn none(cx: &Context) -> Halt {
    cx.lacks("WatchBookmarks", format!("no bookmark came within {} s", WATCHED_FOR.as_secs()))
}

/// The next event of a watch that may last; none if it is over.
pub(super) async fn next(cx: &Context, watch: &mut Watch) -> Result<Option<WatchEvent>, Halt> {
    match watch.next_within(WATCHED_FOR + cx.event_timeout()).await? {
        Next::Event(event) if event.kind == "ERROR" => Err(cx.test_error("watch", event.brief()).into()),
        Next::Event(event) => Ok(Some(event)),
        Next::End | Next::Silence => Ok(None),
    }
}

/// What a watch told up to and with its first bookmark.
pub(super) struct BookmarkedWatch {
    /// What is watched: `a`, written twice since the watch began.
    pub(super) collection: Collection,
    /// The watch.
    pub(super) watch: Watch,
    /// What came before the bookmark.
    pub(super) before: Vec<WatchEvent>,
    /// The bookmark's object.
    pub(super) bookmark: Object,
}

impl BookmarkedWatch {
    /// Watches changes until a bookmark comes.
    pub(super) async fn arrange(cx: &Context) -> Result<Self, Halt> {
        Self::arrange_and(cx, async |_| Ok(())).await.map(|(marked, ())| marked)
    }

    /// The same, and something at once: a version may expire while a scenario waits for its turn.
    pub(super) async fn arrange_and<T>(
        cx: &Context,
        then: impl AsyncFnOnce(&Self) -> Result<T, Halt>,
    ) -> Result<(Self, T), Halt> {
        let (collection, begun) = changed(cx).await?;
        let watch = opened(cx, marking(collection.watch().at(&begun))).await?;
        let waiting = async {
            let marked = Self::read(cx, collection, watch).await?;
            let done = then(&marked).await?;
            Ok((marked, done))
        };
        cx.aside(waiting).await
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

/// A collection, and a version that two changes have followed: there is something to bookmark.
pub(super) async fn changed(cx: &Context) -> Result<(Collection, String), Halt> {
    let collection = cx.collection_under_test().await?;
    collection.create("a").await?;
    let begun = collection.now().await?.version;
    collection.write("a", "second").await?;
    collection.write("a", "third").await?;
    Ok((collection, begun))
}
