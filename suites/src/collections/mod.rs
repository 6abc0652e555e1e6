//! Collections: the shape of lists, and lists of shards.

use harness::Suite;

/// The area's scenarios.
pub(crate) fn suite() -> Suite {
    Suite::new("collections")
}
