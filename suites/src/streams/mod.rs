//! Streams under load: what every watch of the run must keep, asked with many changes at once.

use harness::Suite;

/// The area's scenarios.
pub(crate) fn suite() -> Suite {
    Suite::new("streams")
}
