//! Watches: what a stream of changes begins with, tells and ends with.

mod shard;

use harness::Suite;

/// The area's scenarios.
pub(crate) fn suite() -> Suite {
    shard::add(Suite::new("watch")).on_custom_resources()
}
