//! Area `update`: PUT.

mod identity;
mod path_mismatch;
mod replace;
mod version;

use harness::Suite;

pub(crate) use version::concurrency_rows;

/// The scenarios of this area.
pub(crate) fn suite() -> Suite {
    Suite::new(
        "update",
        [
            replace::rows(),
            version::rows(),
            path_mismatch::rows(),
            identity::rows(),
            path_mismatch::namespaced_rows(),
            version::custom_rows(),
        ],
    )
}
