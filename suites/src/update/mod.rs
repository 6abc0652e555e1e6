//! Area `update`: PUT, which puts one object in the place of another.

mod identity;
mod place;
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
            place::rows(),
            identity::rows(),
            place::namespaced_rows(),
            version::custom_rows(),
        ],
    )
}
