//! Sharded lists: the parameter `shardSelector`.

mod chunks;
mod invalid_selectors;
mod partition;
mod shard_info;

use std::fmt::Display;

use crate::prelude::*;
use crate::shard::{END, SELECTOR, Shard, hash, must_be_heeded, must_divide};

pub(super) fn rows() -> Vec<Row> {
    [partition::rows(), invalid_selectors::rows(), chunks::rows(), shard_info::rows()].concat()
}

const NAMES: [&str; 8] = ["a", "b", "c", "d", "e", "f", "g", "h"];

/// A few objects of a collection that the server divides, and the hashes of their uids.
struct Divided {
    collection: Collection,
    /// The smallest hash first.
    objects: Vec<(u128, &'static str)>,
}

impl Divided {
    /// Skips where the server does not divide the collection.
    async fn arrange(cx: &Context) -> Result<Self, Halt> {
        must_be_heeded(cx).await?;
        let collection = cx.collection_under_test().await?;
        let one = collection.create("one").await?;
        must_divide(cx, &collection, &one).await?;
        collection.delete("one").await?;
        Self::create(collection).await
    }

    /// Creates the objects, whether the server divides them or not.
    async fn create(collection: Collection) -> Result<Self, Halt> {
        let mut objects = Vec::new();
        for name in NAMES {
            let created = collection.create(name).await?;
            objects.push((hash(created.metadata("uid")), name));
        }
        objects.sort_unstable();
        Ok(Self { collection, objects })
    }

    /// Whether a shard without any of the objects shows them all.
    async fn shows_all(&self) -> Result<bool, Halt> {
        Ok(self.list(self.none()).page().await?.expect_names(&NAMES).is_ok())
    }

    /// A shard that has none of the objects.
    fn none(&self) -> Shard {
        Shard::of_uids(0, self.objects[0].0.max(1))
    }

    /// From one of the objects, in the order of their hashes, to before another.
    fn between(&self, first: usize, last: usize) -> Shard {
        Shard::of_uids(self.objects[first].0, self.objects[last].0)
    }

    /// All but one object.
    fn all_but(&self, name: &str) -> Vec<Shard> {
        let hash = self.objects.iter().find(|(_, known)| *known == name).map_or(0, |(hash, _)| *hash);
        vec![Shard::of_uids(0, hash), Shard::of_uids(hash + 1, END)]
    }

    /// Asks for the objects of a shard.
    fn list(&self, selector: impl Display) -> Query {
        self.collection.list().param(SELECTOR, selector)
    }

    /// The names of the objects in some shards, in the order of a list.
    fn names(&self, shards: &[Shard]) -> Vec<&'static str> {
        let within = self.objects.iter().filter(|(hash, _)| shards.iter().any(|shard| shard.has(*hash)));
        let mut names: Vec<_> = within.map(|(_, name)| *name).collect();
        names.sort_unstable();
        names
    }
}

/// Shards as one selector.
fn joined(shards: &[Shard]) -> String {
    shards.iter().map(Shard::to_string).collect::<Vec<_>>().join(" || ")
}

/// The page shows these of our objects, in whatever order.
fn expect_shown(page: &Page, selector: &str, names: &[&str]) -> Checked {
    let mut shown = page.own_names();
    shown.sort_unstable();
    let expected = format!("the items [{}] of {selector}", names.join(", "));
    page.expect(shown == names, expected, format!("[{}]", shown.join(", ")))
}

fn is_custom(collection: &Collection) -> bool {
    !collection.resource().group.is_empty()
}
