//! Bookmarks: what they promise to who asks for them.

use harness::Suite;

/// The area's scenarios.
pub(crate) fn suite() -> Suite {
    Suite::new("bookmarks")
}
