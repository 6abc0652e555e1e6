//! What a list says of its shard.

use harness::{Context, Halt, Suite};

use super::{Divided, is_custom, joined};
use crate::shard::{SELECTOR, heeded, is_heeded};

/// Adds the scenarios of this part.
pub(super) fn add(suite: Suite) -> Suite {
    suite.scenario("collections-shard-info", a_list_of_a_shard_says_which)
}

/// Adds the scenarios of this part that are asked of a built-in type only.
pub(super) fn add_built_in(suite: Suite) -> Suite {
    suite.scenario("collections-shard-ignored-when-off", a_list_that_names_no_shard_is_whole)
}

async fn a_list_of_a_shard_says_which(cx: Context) -> Result<(), Halt> {
    let divided = Divided::create(cx.things().await?).await?;
    if divided.shows_all().await? {
        return Err(cx.lacks("ShardedListAndWatch", "a list with shardSelector shows all objects"));
    }

    let some: Vec<_> = [(0, 2), (3, 5)].map(|(first, last)| divided.between(first, last)).to_vec();
    for shards in [&some[..1], &some[..]] {
        let selector = joined(shards).replace(" || ", "||").replace(", ", ",");
        let page = divided.list(&selector).page().await?;

        match &page.shards {
            Some(said) if bare(said) == bare(&selector) => {}
            None if is_custom(&divided.things) => {
                cx.note("known deviation: lists of custom resources are divided and do not say so");
            }
            other => {
                let shown = other.as_deref().unwrap_or("none");
                return Err(page.fail(format!("a shardInfo with the selector {selector}"), shown));
            }
        }
    }
    Ok(())
}

/// A selector without what may be written in several ways.
fn bare(selector: &str) -> String {
    selector.chars().filter(|sign| !sign.is_whitespace()).collect::<String>().replace('"', "'")
}

async fn a_list_that_names_no_shard_is_whole(cx: Context) -> Result<(), Halt> {
    if is_heeded(&cx).await? {
        return Err(heeded());
    }
    let divided = Divided::create(cx.configmaps().await?).await?;
    let whole = divided.things.now().await?;

    for selector in [divided.none().to_string(), divided.between(2, 6).to_string(), "nonsense".to_owned()] {
        let page = divided.things.list().param(SELECTOR, &selector).page().await?;

        page.expect_items(&whole.items)?;
        page.expect(page.shards.is_none(), "no shardInfo", page.shards.clone().unwrap_or_default())?;
    }
    Ok(())
}
