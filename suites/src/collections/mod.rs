//! Area `collections`: the shape of lists, and lists of shards.

mod always;
mod kinds;
mod large;
mod shape;
mod shard;

use harness::Suite;

/// The scenarios of this area.
pub(crate) fn suite() -> Suite {
    Suite::new("collections", [large::rows(), shape::rows(), shard::rows(), always::rows(), kinds::rows()])
}
