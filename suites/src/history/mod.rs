//! Histories: what many clients see at the same time must fit together.

use harness::Suite;

/// The area's scenarios.
pub(crate) fn suite() -> Suite {
    Suite::new("history")
}
