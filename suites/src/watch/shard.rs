//! Watches with `shardSelector`.

use crate::prelude::*;
use crate::shard::{SELECTOR, Shard, hash, is_supported, require_sharding, require_support, skip_supported};

rows![watch_shard_filter.namespaced(), watch_shard_ignored_when_off.namespaced()];

async fn watch_shard_filter(cx: Context) -> Checked {
    require_support(&cx).await?;
    let collection = cx.collection_under_test().await?;
    let one = collection.create("one").await?;
    require_sharding(&cx, &collection, &one).await?;
    let halves = Shard::parts(2);
    let mut watches = watch_each(&collection, halves.iter().map(Shard::to_string).collect()).await?;

    let changes = change_some_of_each(&collection, &halves).await?;

    for (half, watch) in halves.iter().zip(&mut watches) {
        let own: Vec<_> = changes.iter().filter(|change| half.has(change.hash)).collect();
        expect_changes(watch, &own).await?;
    }
    Ok(())
}

async fn watch_shard_ignored_when_off(cx: Context) -> Checked {
    if is_supported(&cx).await? {
        return Err(skip_supported());
    }
    let collection = cx.collection_under_test().await?;
    let selectors = Shard::parts(2).into_iter().map(|half| half.to_string()).chain(["nonsense".to_owned()]);
    let mut watches = watch_each(&collection, selectors.collect()).await?;

    let changes = change_some_of_each(&collection, &Shard::parts(2)).await?;

    for watch in &mut watches {
        expect_changes(watch, &changes.iter().collect::<Vec<_>>()).await?;
    }
    Ok(())
}

/// A watch with each of the selectors, all from now on.
async fn watch_each(collection: &Collection, selectors: Vec<String>) -> Result<Vec<Watch>, Halt> {
    let now = collection.now().await?.version;
    let mut watches = Vec::new();
    for selector in selectors {
        watches.push(collection.watch().at(&now).param(SELECTOR, selector).open().await?);
    }
    Ok(watches)
}

/// A created, changed and deleted object.
struct Changed {
    name: String,
    hash: u128,
}

/// Changes a dozen objects, and further ones until each shard has one of them: the sentinels of the watches.
async fn change_some_of_each(collection: &Collection, shards: &[Shard]) -> Result<Vec<Changed>, Halt> {
    const DOZEN: usize = 12;
    const MOST: usize = 80;
    let (mut changes, mut waiting): (Vec<Changed>, _) = (Vec::new(), shards.to_vec());
    while changes.len() <= DOZEN || (!waiting.is_empty() && changes.len() < MOST) {
        let name = format!("a-{}", changes.len());
        let created = collection.create(&name).await?;
        collection.write(&name, "changed").await?;
        collection.delete(&name).await?;
        let hash = hash(created.metadata("uid"));
        if changes.len() >= DOZEN {
            waiting.retain(|shard| !shard.has(hash));
        }
        changes.push(Changed { name, hash });
    }
    Ok(changes)
}

/// The events are those of these objects, and no others.
async fn expect_changes(watch: &mut Watch, changes: &[&Changed]) -> Checked {
    for Changed { name, .. } in changes {
        for kind in ["ADDED", "MODIFIED", "DELETED"] {
            watch.expect(kind, name).await?;
        }
    }
    Ok(())
}
