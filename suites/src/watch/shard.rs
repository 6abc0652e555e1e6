//! Watches with `shardSelector`.

use crate::prelude::*;
use crate::shard::{SELECTOR, Shard, hash, heeded, is_heeded, must_be_heeded, must_divide};

rows![watch_shard_filter.namespaced(), watch_shard_ignored_when_off.namespaced()];

async fn watch_shard_filter(cx: Context) -> Checked {
    must_be_heeded(&cx).await?;
    let collection = cx.collection_under_test().await?;
    let one = collection.create("one").await?;
    must_divide(&cx, &collection, &one).await?;
    let halves = Shard::parts(2);
    let mut watches = watch_each(&collection, halves.iter().map(Shard::to_string).collect()).await?;

    let lives = some_for_each(&collection, &halves).await?;

    for (half, watch) in halves.iter().zip(&mut watches) {
        let own: Vec<_> = lives.iter().filter(|life| half.has(life.hash)).collect();
        expect_lives(watch, &own).await?;
    }
    Ok(())
}

async fn watch_shard_ignored_when_off(cx: Context) -> Checked {
    if is_heeded(&cx).await? {
        return Err(heeded());
    }
    let collection = cx.collection_under_test().await?;
    let selectors = Shard::parts(2).into_iter().map(|half| half.to_string()).chain(["nonsense".to_owned()]);
    let mut watches = watch_each(&collection, selectors.collect()).await?;

    let lives = some_for_each(&collection, &Shard::parts(2)).await?;

    for watch in &mut watches {
        expect_lives(watch, &lives.iter().collect::<Vec<_>>()).await?;
    }
    Ok(())
}

/// Watches with each of the selectors, all from now.
async fn watch_each(collection: &Collection, selectors: Vec<String>) -> Result<Vec<Watch>, Halt> {
    let now = collection.now().await?.version;
    let mut watches = Vec::new();
    for selector in selectors {
        watches.push(collection.watch().at(&now).param(SELECTOR, selector).open().await?);
    }
    Ok(watches)
}

/// An object that was created, changed and deleted.
struct Life {
    name: String,
    hash: u128,
}

/// A dozen objects, and then more until each shard has had one: before that, nothing else comes of the dozen.
async fn some_for_each(collection: &Collection, shards: &[Shard]) -> Result<Vec<Life>, Halt> {
    const DOZEN: usize = 12;
    const MOST: usize = 80;
    let (mut lives, mut waiting): (Vec<Life>, _) = (Vec::new(), shards.to_vec());
    while lives.len() <= DOZEN || (!waiting.is_empty() && lives.len() < MOST) {
        let name = format!("a-{}", lives.len());
        let created = collection.create(&name).await?;
        collection.write(&name, "changed").await?;
        collection.delete(&name).await?;
        let hash = hash(created.metadata("uid"));
        if lives.len() >= DOZEN {
            waiting.retain(|shard| !shard.has(hash));
        }
        lives.push(Life { name, hash });
    }
    Ok(lives)
}

/// The watch tells of these objects and of no others.
async fn expect_lives(watch: &mut Watch, lives: &[&Life]) -> Checked {
    for Life { name, .. } in lives {
        for kind in ["ADDED", "MODIFIED", "DELETED"] {
            watch.expect(kind, name).await?;
        }
    }
    Ok(())
}
