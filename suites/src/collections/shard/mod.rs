//! Sharded lists: the parameter `shardSelector`.

mod chunks;
mod invalid_selectors;
mod partition;
mod shard_info;

use std::fmt::Display;

use crate::prelude::*;
use crate::shard::{END, SELECTOR, Shard, hash, require_sharding, require_support};

pub(super) fn rows() -> Vec<Row> {
    [partition::rows(), invalid_selectors::rows(), chunks::rows(), shard_info::rows()].concat()
}

const NAMES: [&str; 8] = ["a", "b", "c", "d", "e", "f", "g", "h"];

/// Objects of a collection that the server divides into shards, with the hashes of their uids.
struct Divided {
    collection: Collection,
    /// By hash, in ascending order.
    objects: Vec<(u128, &'static str)>,
}

impl Divided {
    /// Skips where the server does not divide the collection into shards.
    async fn arrange(cx: &Context) -> Result<Self, Halt> {
        require_support(cx).await?;
        let collection = cx.collection_under_test().await?;
        let one = collection.create("one").await?;
        require_sharding(cx, &collection, &one).await?;
        collection.delete("one").await?;
        Self::create(collection).await
    }

    /// Creates the objects, without a look at the server's support of shards.
    async fn create(collection: Collection) -> Result<Self, Halt> {
        let mut objects = Vec::new();
        for name in NAMES {
            let created = collection.create(name).await?;
            objects.push((hash(created.metadata("uid")), name));
        }
        objects.sort_unstable();
        Ok(Self { collection, objects })
    }

    /// Whether a list of an empty shard has all objects.
    async fn shows_all(&self) -> Result<bool, Halt> {
        Ok(self.list(self.none()).page().await?.expect_names(&NAMES).is_ok())
    }

    /// A shard without objects.
    fn none(&self) -> Shard {
        Shard::of_uids(0, self.objects[0].0.max(1))
    }

    /// The shard from one object, in the order of the hashes, up to and without another.
    fn between(&self, first: usize, last: usize) -> Shard {
        Shard::of_uids(self.objects[first].0, self.objects[last].0)
    }

    /// Two shards with all objects except one.
    fn all_but(&self, name: &str) -> Vec<Shard> {
        let hash = self.objects.iter().find(|(_, known)| *known == name).map_or(0, |(hash, _)| *hash);
        vec![Shard::of_uids(0, hash), Shard::of_uids(hash + 1, END)]
    }

    fn list(&self, selector: impl Display) -> Query {
        self.collection.list().param(SELECTOR, selector)
    }

    /// The names of the objects in these shards, in the order of a list.
    fn names(&self, shards: &[Shard]) -> Vec<&'static str> {
        let within = self.objects.iter().filter(|(hash, _)| shards.iter().any(|shard| shard.has(*hash)));
        let mut names: Vec<_> = within.map(|(_, name)| *name).collect();
        names.sort_unstable();
        names
    }
}

/// The selector of the union of shards.
fn joined(shards: &[Shard]) -> String {
    shards.iter().map(Shard::to_string).collect::<Vec<_>>().join(" || ")
}

/// The page has exactly these objects of the scenario, in any order.
fn expect_shown(page: &Page, selector: &str, names: &[&str]) -> Checked {
    let mut actual = page.own_names();
    actual.sort_unstable();
    let expected = format!("the items [{}] of {selector}", names.join(", "));
    page.expect(actual == names, expected, format!("[{}]", actual.join(", ")))
}

fn is_custom(collection: &Collection) -> bool {
    !collection.resource().group.is_empty()
}
