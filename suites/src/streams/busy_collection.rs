//! The fixture of this area: a collection with several writers and watches.

use harness::Match;
use harness::{join, join_all};

use crate::prelude::*;

/// The objects of each writer.
const WRITERS: [[&str; 2]; 3] = [["a", "b"], ["c", "d"], ["e", "f"]];

/// The object of the last creation, which all watches select.
const LAST: &str = "last";

/// The selector of the watches that have one.
const SELECTOR: &str = "colour=red";

/// Number of events before a watch is dropped and resumed.
const AT_A_TIME: usize = 5;

/// The timeout in seconds of a watch that gets a bookmark shortly before its end.
const UNTIL_BOOKMARK: u64 = 6;

/// A collection before many changes.
pub(super) struct BusyCollection {
    collection: Collection,
    /// The version before all changes.
    start: String,
}

impl Fixture for BusyCollection {
    async fn arrange(cx: &Context) -> Result<Self, Halt> {
        let collection = cx.collection_under_test().await?;
        collection.create_labelled("old", "colour", "red").await?;
        let start = collection.now().await?.version;
        Ok(Self { collection, start })
    }
}

impl BusyCollection {
    /// Writes, and concurrently reads watches of all kinds up to the last write.
    pub(super) async fn watch_and_write(&self) -> Checked {
        let from_start = || self.collection.watch().at(&self.start);
        let queries = [
            self.collection.watch(),
            from_start(),
            from_start(),
            from_start().labels(SELECTOR),
            self.collection.watch().labels(SELECTOR),
        ];
        let watches = try_join_all(queries.map(async |watch| watch.open().await)).await?;
        let reading = join(join_all(watches.into_iter().map(read)), self.read_and_resume());

        let (written, (read, resumed)) = join(self.write(), reading).await;

        written?;
        read.into_iter().collect::<Result<(), _>>()?;
        resumed
    }

    /// Writes before and after a watch gets a bookmark.
    pub(super) async fn bookmark_and_write(&self) -> Checked {
        let mut watch = self.watch_with_bookmark().await?;
        self.change_all(&WRITERS[0]).await?;
        loop {
            match watch.next().await? {
                Next::Event(event) if event.kind == "BOOKMARK" => break,
                Next::Event(event) if event.kind != "ERROR" => {}
                _ => return Err(Halt::skip("the watch got no bookmark")),
            }
        }

        self.change_all(&WRITERS[1]).await?;
        self.collection.create(LAST).await?;
        read(watch).await
    }

    /// A watch that gets a bookmark: at once where the server supports streaming lists.
    async fn watch_with_bookmark(&self) -> Result<Watch, Halt> {
        let allowed = || self.collection.watch().param("allowWatchBookmarks", true);
        let list = allowed().matching(Match::NotOlderThan).param("sendInitialEvents", true);
        match list.opening().await? {
            Opening::Watch(watch) => Ok(*watch),
            Opening::Rejected(_) => {
                allowed().at(&self.start).param("timeoutSeconds", UNTIL_BOOKMARK).open().await
            }
        }
    }

    async fn write(&self) -> Checked {
        try_join_all(WRITERS.iter().map(|names| self.change_all(names))).await?;
        self.collection.create_labelled(LAST, "colour", "red").await.map(drop)
    }

    /// Creates, changes and deletes each object, which leaves and enters the selection; all writers change `old`.
    async fn change_all(&self, names: &[&str]) -> Checked {
        let colour = |colour: &str| json!({ "metadata": { "labels": { "colour": colour } } });
        for name in names {
            self.collection.create_labelled(name, "colour", "red").await?;
            self.collection.write(name, "second").await?;
            self.collection.patch(name, &colour("blue")).await?;
            self.collection.write(name, "third").await?;
            self.collection.write("old", &format!("by-the-writer-of-{name}")).await?;
            self.collection.patch(name, &colour("red")).await?;
            self.collection.delete(name).await?;
        }
        Ok(())
    }

    /// Reads a few events at a time, each time with a new watch from the last event.
    async fn read_and_resume(&self) -> Checked {
        let mut version = self.start.clone();
        while let Opening::Watch(mut watch) = self.collection.watch().at(&version).opening().await? {
            for _ in 0..AT_A_TIME {
                match watch.next().await? {
                    Next::Event(event) if event.object.name() != LAST && event.kind != "ERROR" => {
                        event.object.version().clone_into(&mut version);
                    }
                    _ => return Ok(()),
                }
            }
        }
        Ok(())
    }
}

/// Reads up to the event of the last write, or until no event arrives: the stream checkers find missing events.
async fn read(mut watch: Watch) -> Checked {
    while let Next::Event(event) = watch.next().await? {
        if event.object.name() == LAST || event.kind == "ERROR" {
            break;
        }
    }
    Ok(())
}
