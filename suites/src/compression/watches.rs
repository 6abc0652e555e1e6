//! Watches of clients that accept gzip. The runner unpacks compressed streams as they arrive.

use super::gzip::{compressed, is_compressed};
use crate::prelude::*;
use crate::streaming_list::streamed_list::{StreamedList, streaming};

rows![compression_watch_plain.namespaced(), compression_watchlist.namespaced()];

async fn compression_watch_plain(collection: Collection) -> Checked {
    let version = collection.now().await?.version;
    let mut watch = compressed(collection.watch().at(&version)).open().await?;

    for name in ["a", "b"] {
        collection.create(name).await?;

        watch.expect("ADDED", name).await?;
    }
    Ok(())
}

async fn compression_watchlist(cx: Context, collection: Collection) -> Checked {
    let created = collection.create_all(&["a", "b"]).await?;

    let query = compressed(streaming(&collection));
    let mut list = StreamedList::expect(&cx, &collection, query).await?;

    if !is_compressed(&list.watch.exchange()) {
        return Err(cx.lacks("WatchListCompression", "a streaming list is not compressed"));
    }
    list.expect_added(&created)?;
    collection.create("c").await?;
    let change = list.change("ADDED c").await?;
    list.watch.expect_that(change.object.name() == "c", "ADDED c", change.brief())
}
