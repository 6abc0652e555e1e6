//! List, watch from its `resourceVersion`, and resume after an interruption.

use super::from_now;
use crate::prelude::*;

rows![
    watch_list_then_watch.namespaced(),
    watch_stream_of_changes.namespaced(),
    watch_resume_from_last_rv.namespaced(),
];

async fn watch_list_then_watch(collection: Collection) -> Checked {
    collection.create("a").await?;
    let listed = collection.now().await?;
    let got = collection.get("a").object().await?;

    let from_list = collection.watch().at(&listed.version).open().await?;
    let from_get = collection.watch().at(got.version()).open().await?;
    for name in ["b", "c"] {
        collection.create(name).await?;
    }

    for mut watch in [from_list, from_get] {
        watch.expect("ADDED", "b").await?;
        watch.expect("ADDED", "c").await?;
    }
    Ok(())
}

/// A change, as an event tells it.
type Change = (&'static str, &'static str);

/// No two neighbours are alike, and each fifth is missed by somebody.
#[rustfmt::skip]
const CHANGES: &[Change] = &[
    ("ADDED", "a"), ("MODIFIED", "a"), ("ADDED", "b"), ("DELETED", "a"), ("MODIFIED", "b"),
    ("ADDED", "a"), ("MODIFIED", "b"), ("MODIFIED", "a"), ("DELETED", "b"), ("ADDED", "c"),
];

async fn watch_stream_of_changes(collection: Collection) -> Checked {
    let mut watch = from_now(&collection).await?;

    make(&collection, CHANGES).await?;

    expect(&mut watch, CHANGES).await
}

async fn watch_resume_from_last_rv(collection: Collection) -> Checked {
    let mut watch = from_now(&collection).await?;
    collection.create_all(&["a", "b"]).await?;
    watch.expect("ADDED", "a").await?;
    let last = watch.expect("ADDED", "b").await?;
    drop(watch);

    let missed = [("MODIFIED", "a"), ("DELETED", "b"), ("ADDED", "c"), ("MODIFIED", "c"), ("MODIFIED", "a")];
    make(&collection, &missed).await?;
    let mut watch = collection.watch().at(last.version()).open().await?;
    make(&collection, &[("ADDED", "d")]).await?;

    expect(&mut watch, &missed).await?;
    expect(&mut watch, &[("ADDED", "d")]).await
}

/// Makes changes, one after the other.
async fn make(collection: &Collection, changes: &[Change]) -> Checked {
    for (number, &(kind, name)) in changes.iter().enumerate() {
        match kind {
            "ADDED" => collection.create(name).await.map(drop)?,
            "DELETED" => collection.delete(name).await?,
            _ => collection.write(name, &format!("change-{number}")).await.map(drop)?,
        }
    }
    Ok(())
}

/// These come next, in this order.
async fn expect(watch: &mut Watch, changes: &[Change]) -> Checked {
    for (kind, name) in changes {
        watch.expect(kind, name).await?;
    }
    Ok(())
}
