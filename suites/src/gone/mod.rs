//! Area `gone`: 410 responses for expired versions.

mod expired_collection;
mod invariants;
mod list;
mod recent_versions;
mod token;
mod unexpiring_requests;
mod watch;

use harness::Suite;

pub(crate) use token::pagination_rows;

pub(crate) fn suite() -> Suite {
    Suite::new(
        "gone",
        [
            recent_versions::rows(),
            unexpiring_requests::rows(),
            token::rows(),
            list::rows(),
            invariants::rows(),
            watch::rows(),
        ],
    )
}

/// What the Status of an expired version may give as its reason.
const REASONS: &[&str] = &["Expired", "Gone"];
