//! Area `collections`: the shape of lists, and sharded lists.

mod invariants;
mod kinds;
mod large_lists;
mod shape;
mod shard;

suite!["collections", large_lists, shape, shard, invariants, kinds];
