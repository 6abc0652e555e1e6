//! What a resourceVersion means on watch.

use harness::Suite;

/// Adds the scenarios of this file.
pub(crate) fn add(suite: Suite) -> Suite {
    suite
}
