//! Streaming lists: a watch that begins with the whole state.

use harness::Suite;

/// The area's scenarios.
pub(crate) fn suite() -> Suite {
    Suite::new("streaming-list")
}
