//! Area `collections`: the shape of lists, and lists of shards.

mod always;
mod kinds;
mod large;
mod shape;
mod shard;

use harness::Suite;

/// The scenarios of this area.
pub(crate) fn suite() -> Suite {
    let suite = Suite::new("collections");
    let suite = large::add(shape::add(suite));
    let suite = shard::add(suite).on_custom_resources();
    always::add(kinds::add(shard::add_built_in(suite)))
}
