//! The field `metadata.shardInfo` of lists.

use super::{Divided, is_custom, joined};
use crate::prelude::*;
use crate::shard::{SELECTOR, is_supported, skip_supported};

rows![collections_shard_info.namespaced(), collections_shard_ignored_when_off.own_kinds()];

async fn collections_shard_info(cx: Context) -> Checked {
    let divided = Divided::create(cx.collection_under_test().await?).await?;
    if divided.shows_all().await? {
        return Err(cx.lacks("ShardedListAndWatch", "a list with shardSelector has all objects"));
    }

    let some: Vec<_> = [(0, 2), (3, 5)].map(|(first, last)| divided.between(first, last)).to_vec();
    for shards in [&some[..1], &some[..]] {
        let selector = joined(shards).replace(" || ", "||").replace(", ", ",");
        let page = divided.list(&selector).page().await?;

        match &page.shards {
            Some(named) if normalized(named) == normalized(&selector) => {}
            None if is_custom(&divided.collection) => {
                cx.note("known deviation: sharded lists of custom resources have no shardInfo");
            }
            other => {
                let actual = other.as_deref().unwrap_or("no shardInfo");
                return Err(page.fail(format!("shardInfo with the selector {selector}"), actual));
            }
        }
    }
    Ok(())
}

/// A selector without spaces, and with single quotes.
fn normalized(selector: &str) -> String {
    selector.chars().filter(|sign| !sign.is_whitespace()).collect::<String>().replace('"', "'")
}

async fn collections_shard_ignored_when_off(cx: Context) -> Checked {
    if is_supported(&cx).await? {
        return Err(skip_supported());
    }
    let divided = Divided::create(cx.configmaps().await?).await?;
    let whole = divided.collection.now().await?;

    for selector in [divided.none().to_string(), divided.between(2, 6).to_string(), "nonsense".to_owned()] {
        let page = divided.collection.list().param(SELECTOR, &selector).page().await?;

        page.expect_items(&whole.items)?;
        page.expect(page.shards.is_none(), "no shardInfo", page.shards.clone().unwrap_or_default())?;
    }
    Ok(())
}
