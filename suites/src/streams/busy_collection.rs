//! The fixture of this area: a collection with several writers and watches.

use futures::future::{join, join_all};
use harness::Match;

use crate::prelude::*;

/// The writers and what each of them writes about.
const WRITERS: [[&str; 2]; 3] = [["a", "b"], ["c", "d"], ["e", "f"]];

/// What is written last: it is selected by all watches.
const LAST: &str = "last";

/// The watches that select, select this.
const SELECTOR: &str = "colour=red";

/// How many events a watch that is dropped and resumed tells each time.
const AT_A_TIME: usize = 5;

/// How soon a watch ends that is to send a bookmark shortly before.
const UNTIL_BOOKMARK: u64 = 6;

/// A collection that is about to change much.
pub(super) struct BusyCollection {
    collection: Collection,
    /// Before all changes.
    start: String,
}

impl BusyCollection {
    pub(super) async fn arrange(cx: &Context) -> Result<Self, Halt> {
        let collection = cx.collection_under_test().await?;
        collection.create_labelled("old", "colour", "red").await?;
        let start = collection.now().await?.version;
        Ok(Self { collection, start })
    }

    /// Writes while watches of all kinds are read, each until it has told what is written last.
    pub(super) async fn watch_and_write(&self) -> Checked {
        let from_start = || self.collection.watch().at(&self.start);
        let asked = [
            self.collection.watch(),
            from_start(),
            from_start(),
            from_start().labels(SELECTOR),
            self.collection.watch().labels(SELECTOR),
        ];
        let watches = try_join_all(asked.map(async |watch| watch.open().await)).await?;
        let reading = join(join_all(watches.into_iter().map(read)), self.read_and_resume());

        let (written, (read, resumed)) = join(self.write(), reading).await;

        written?;
        read.into_iter().collect::<Result<(), _>>()?;
        resumed
    }

    /// Writes before and after a watch has told a bookmark.
    pub(super) async fn bookmark_and_write(&self) -> Checked {
        let mut watch = self.bookmarked().await?;
        self.write_about(&WRITERS[0]).await?;
        loop {
            match watch.next().await? {
                Next::Event(event) if event.kind == "BOOKMARK" => break,
                Next::Event(event) if event.kind != "ERROR" => {}
                _ => return Err(Halt::Skipped("no bookmark came".to_owned())),
            }
        }

        self.write_about(&WRITERS[1]).await?;
        self.collection.create(LAST).await?;
        read(watch).await
    }

    /// A watch that will tell a bookmark: at once where the server can stream lists.
    async fn bookmarked(&self) -> Result<Watch, Halt> {
        let allowed = || self.collection.watch().param("allowWatchBookmarks", true);
        let list = allowed().matching(Match::NotOlderThan).param("sendInitialEvents", true);
        match list.opening().await? {
            Opening::Watch(watch) => Ok(*watch),
            Opening::Refused(_) => {
                allowed().at(&self.start).param("timeoutSeconds", UNTIL_BOOKMARK).open().await
            }
        }
    }

    async fn write(&self) -> Checked {
        try_join_all(WRITERS.iter().map(|names| self.write_about(names))).await?;
        self.collection.create_labelled(LAST, "colour", "red").await.map(drop)
    }

    /// Lets each object come, change, leave the selection, enter it and go; and `old` change with everybody.
    async fn write_about(&self, names: &[&str]) -> Checked {
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

    /// Reads a few events at a time, each time with a new watch from where the one before was left.
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

/// Reads until what was written last has come, or nothing comes: what is missing then is found by what else is known.
async fn read(mut watch: Watch) -> Checked {
    while let Next::Event(event) = watch.next().await? {
        if event.object.name() == LAST || event.kind == "ERROR" {
            break;
        }
    }
    Ok(())
}
