//! Lists with `shardSelector` and `limit`.

use super::{Divided, NAMES, expect_shown, is_custom, joined};
use crate::prelude::*;

rows![collections_shard_pagination.namespaced(), collections_shard_no_remaining_count.namespaced()];

async fn collections_shard_pagination(cx: Context) -> Checked {
    let divided = Divided::arrange(&cx).await?;
    // Without the last object of the list: a page that ignores the selector shows it.
    let shards = divided.all_but("h");
    let selector = joined(&shards);

    let pages = divided.list(&selector).pages(&[2]).await?;

    for page in &pages {
        let present = page.shards.is_some() || is_custom(&divided.collection);
        page.expect(present, "shardInfo on every page", "a page without shardInfo")?;
    }
    let items = pages.iter().flat_map(|page| page.items.clone()).collect();
    let together = Page { items, ..pages[pages.len() - 1].clone() };
    expect_shown(&together, &selector, &divided.names(&shards))
}

async fn collections_shard_no_remaining_count(cx: Context) -> Checked {
    let divided = Divided::arrange(&cx).await?;
    let whole = divided.collection.now().await?.items.len();

    let page = divided.list(joined(&divided.all_but("h"))).limit(2).page().await?;

    let Some(count) = page.remaining else { return Ok(()) };
    // No object of another shard comes before the first two.
    let rest = whole - page.items.len().min(whole);
    let known = page.expect_names(&NAMES[..2]).is_ok() && i64::try_from(rest) == Ok(count);
    page.expect(known, "no remainingItemCount", count.to_string())?;
    cx.note("known deviation: remainingItemCount counts the objects of all shards");
    Ok(())
}
