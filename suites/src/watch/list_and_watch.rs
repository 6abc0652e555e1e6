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

/// The type of an event, and the name of its object.
type Change = (&'static str, &'static str);

/// No two consecutive changes are the same, so that a missing one shows.
#[rustfmt::skip]
const CHANGES: &[Change] = &[
    ("ADDED", "a"), ("MODIFIED", "a"), ("ADDED", "b"), ("DELETED", "a"), ("MODIFIED", "b"),
    ("ADDED", "a"), ("MODIFIED", "b"), ("MODIFIED", "a"), ("DELETED", "b"), ("ADDED", "c"),
];

async fn watch_stream_of_changes(collection: Collection) -> Checked {
    let mut watch = from_now(&collection).await?;

    make(&collection, CHANGES).await?;

    expect_events(&mut watch, CHANGES).await
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

    expect_events(&mut watch, &missed).await?;
    expect_events(&mut watch, &[("ADDED", "d")]).await
}

/// Makes these changes in this order.
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

/// The next events are these, in this order.
async fn expect_events(watch: &mut Watch, changes: &[Change]) -> Checked {
    for (kind, name) in changes {
        watch.expect(kind, name).await?;
    }
    Ok(())
}
