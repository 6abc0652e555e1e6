//! Versions that the server has not reached.

use harness::Suite;

/// Adds the scenarios of this file.
pub(crate) fn add(suite: Suite) -> Suite {
    suite
}
