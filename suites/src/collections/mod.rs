//! Area `collections`: the shape of lists, and sharded lists.

mod invariants;
mod kinds;
mod large_lists;
mod shape;
mod shard;

use harness::Suite;

pub(crate) fn suite() -> Suite {
    Suite::new(
        "collections",
        [large_lists::rows(), shape::rows(), shard::rows(), invariants::rows(), kinds::rows()],
    )
}
