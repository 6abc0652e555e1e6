//! Area `health`.

use harness::Suite;

/// The scenarios of this area.
pub(crate) fn suite() -> Suite {
    Suite::new("health")
}
