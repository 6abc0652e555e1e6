//! Watches: what a stream of changes begins with, tells and ends with.

use harness::Suite;

/// The area's scenarios.
pub(crate) fn suite() -> Suite {
    Suite::new("watch")
}
